#include "collect/sampling/stack_repair.h"

#include <string.h>

#include "collect/sampling/stack_rest.h"

/* What the kernel puts there is the first byte of a page; code that is returned to hardly ever is. */
static bool stack_repair_is_kernels(uint64_t address)
{
	enum { PAGE = 4096 };

	return address && address % PAGE == 0;
}

/* Of the entries for one slot, the latest before the sample is the right one. */
static bool is_outdated(const struct return_slot *slots, size_t i, uint64_t time_ns)
{
	for (size_t k = 0; k < i; k++) {
		if (slots[k].slot == slots[i].slot && slots[k].since_ns <= time_ns &&
		    !stack_repair_is_kernels(slots[k].address))
			return true;
	}
	return slots[i].since_ns > time_ns;
}

void stack_repair(struct unwind_sample *s, const struct return_slot *slots, size_t count, struct str *buffer)
{
	bool copied = false;
	uint64_t sp, value;

	if (!count || !stack_begin(s, &sp))
		return;
	for (size_t i = 0; i < count; i++) {
		uint64_t at = slots[i].slot - sp;

		if (slots[i].slot < sp || s->stack_len < sizeof(value) || at > s->stack_len - sizeof(value))
			continue;
		memcpy(&value, s->stack + at, sizeof(value));
		/* A tail call from another such function finds the kernel's address there. */
		if (!stack_repair_is_kernels(value) || stack_repair_is_kernels(slots[i].address) ||
		    is_outdated(slots, i, s->time_ns))
			continue;
		if (!copied) {
			str_clear(buffer);
			str_add(buffer, (const char *)s->stack, s->stack_len);
			s->stack = (const uint8_t *)buffer->buf;
			copied = true;
		}
		memcpy(buffer->buf + at, &slots[i].address, sizeof(value));
	}
}
