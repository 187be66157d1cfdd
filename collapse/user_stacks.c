#include "collapse/user_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "collect/recording.h"
#include "core/error.h"
#include "core/memory.h"

#define SAME(end) _Static_assert((int)RECORDING_END_##end == (int)UNWIND_##end, "core/unwind/unwinder.h")
SAME(COMPLETE);
SAME(TRUNCATED);
SAME(TOO_DEEP);
SAME(NO_CFI);
SAME(NO_FILE);
SAME(UNMAPPED);
SAME(BROKEN);
SAME(NO_REGISTERS);
_Static_assert((int)RECORDING_ENDS == (int)UNWIND_ENDS, "core/unwind/unwinder.h");

static bool has_stacks(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	}
	return false;
}

void user_stacks_start(struct user_stacks *u, const struct perfdata *d, struct sideband *sideband)
{
	struct utsname here = {0};
	const char *machine = d->arch;

	if (!has_stacks(d))
		return;
	if (!machine && !uname(&here))
		machine = here.machine;
	if (machine && !strcmp(machine, "x86_64"))
		u->unwinder = unwinder_new(&sideband->modules, UNWIND_X86_64);
	else if (machine && !strcmp(machine, "aarch64"))
		u->unwinder = unwinder_new(&sideband->modules, UNWIND_AARCH64);
	else
		warn("%s: registers of a processor '%s': stacks are not unwound", d->path, machine ? machine : "");
	u->sideband = sideband;
}

/* How many entries of the chain, as recorded, come before its user part. */
static uint64_t kernel_entries(const struct sample *s)
{
	bool kernel = (int64_t)s->ip < 0;

	for (uint64_t i = 0; i < s->chain_count; i++) {
		uint64_t entry = load_u64(s->chain + 8 * i);

		if (entry == (uint64_t)PERF_CONTEXT_USER)
			return i;
		if (entry >= (uint64_t)PERF_CONTEXT_MAX)
			kernel = true;
		if (!kernel)
			return i;
	}
	return s->chain_count;
}

/* The part of the chain before the user's, its mark behind it.  Returns how many entries. */
static size_t start_chain(struct user_stacks *u, const struct sample *s)
{
	size_t kernel = (size_t)kernel_entries(s), n = kernel;

	u->chain = xgrow(u->chain, &u->cap, kernel + 3 + UNWIND_MAX, sizeof(*u->chain));
	if (kernel)
		memcpy(u->chain, s->chain, 8 * kernel);
	if (!s->chain_count && (int64_t)s->ip < 0) {
		u->chain[n++] = (uint64_t)PERF_CONTEXT_KERNEL;
		u->chain[n++] = s->ip;
	}
	u->chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	return n;
}

void user_stacks_walk(struct user_stacks *u, struct sample *s)
{
	struct unwind_sample sample = {
		.abi = s->regs_abi,
		.regs_mask = s->event->attr.sample_regs_user,
		.regs = s->regs,
		.stack = s->stack,
		.stack_len = (size_t)s->stack_len,
		.stack_wanted = (size_t)s->stack_wanted,
		.time_ns = s->time_ns,
	};
	enum unwind_end end;
	uint32_t stopped;
	size_t before, count;

	/* 0: a thread of the kernel, or one that is exiting.  Registers without a stack are not for this. */
	if (!u->unwinder || !s->regs_abi || !(s->event->attr.sample_type & PERF_SAMPLE_STACK_USER))
		return;
	sample.space = spaces_find(&u->sideband->spaces, s->pid, s->time_ns);
	before = start_chain(u, s);
	count = unwind(u->unwinder, &sample, u->chain + before, &end, &stopped);
	s->walked = true;
	s->end = (int)end;
	if (!count)
		return; /* of a 32-bit program: what was recorded has to do */
	s->chain = (const uint8_t *)u->chain;
	s->chain_count = s->own_count = before + count;
	s->chain_is_temporary = true;
}

void user_stacks_free(struct user_stacks *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	free(u->chain);
	*u = (struct user_stacks){0};
}
