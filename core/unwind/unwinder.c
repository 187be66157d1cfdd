#include "core/unwind/unwinder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

struct unwinder {
	const struct modules *modules;
	enum unwind_machine machine;
};

struct unwinder *unwinder_new(const struct modules *modules, enum unwind_machine machine)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->modules = modules;
	u->machine = machine;
	return u;
}

/* The register that is bit `bit` of the mask. */
static uint64_t sample_register(const struct unwind_sample *s, unsigned bit)
{
	uint64_t below = s->regs_mask & (((uint64_t)1 << bit) - 1), value = 0;

	if (s->regs_mask >> bit & 1)
		memcpy(&value, s->regs + 8 * (size_t)__builtin_popcountll(below), 8);
	return value;
}

/* A stand-in, until there is the real one: the leaf only. */
size_t unwind(struct unwinder *u, const struct unwind_sample *s, uint64_t chain[UNWIND_MAX],
	      enum unwind_end *end, uint32_t *stopped)
{
	enum { X86_IP = 8, ARM_PC = 32 };

	*stopped = UINT32_MAX;
	*end = UNWIND_NO_REGISTERS;
	if (s->abi != PERF_SAMPLE_REGS_ABI_64 || !s->regs)
		return 0;
	chain[0] = sample_register(s, u->machine == UNWIND_X86_64 ? X86_IP : ARM_PC);
	*end = UNWIND_NO_CFI;
	return 1;
}

void unwinder_add_jit(struct unwinder *u, uint32_t module, uint64_t address, uint64_t size,
		      const uint8_t *eh_frame, size_t len, uint64_t eh_frame_address)
{
	(void)u, (void)module, (void)address, (void)size, (void)eh_frame, (void)len, (void)eh_frame_address;
}

void unwinder_free(struct unwinder *u)
{
	free(u);
}
