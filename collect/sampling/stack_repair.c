#include "collect/sampling/stack_repair.h"

#include <string.h>

#include "collect/sampling/stack_rest.h"

/* The kernel's address is the first byte of a page, which return addresses of code hardly ever are. */
static bool stack_repair_is_kernels(uint64_t address)
{
	enum { PAGE = 4096 };

	return address && address % PAGE == 0;
}

/* If there are several entries for a slot, the latest one before the sample is right. */
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
		/* A function that another such function tail-called found the kernel's address in the slot. */
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
