#include "collapse/fold/user_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "core/error.h"
#include "core/format/recording.h"
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
	struct utsname here = { 0 };
	const char *machine = d->arch;

	u->sideband = sideband;
	if (!has_stacks(d))
		return;
	if (!machine && !uname(&here))
		machine = here.machine;
	if (machine && !strcmp(machine, "x86_64"))
		u->unwinder = unwinder_new(&sideband->modules, UNWIND_X86_64);
	else if (machine && !strcmp(machine, "aarch64"))
		u->unwinder = unwinder_new(&sideband->modules, UNWIND_AARCH64);
	else
		warn("%s: stacks are not unwound: processor '%s' is not supported", d->path, machine ? machine : "");
}

/* The number of entries in the recorded chain before the user part. */
static uint64_t kernel_entries(const struct recorded_sample *s)
{
	bool kernel = s->kernel;

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

/* Copy the kernel part of the chain, and add the mark of the user part.  Returns the number of
 * entries. */
static size_t start_chain(struct user_stacks *u, const struct recorded_sample *s)
{
	size_t kernel = (size_t)kernel_entries(s), n = kernel;

	u->chain = xgrow(u->chain, &u->cap, kernel + 3 + UNWIND_MAX, sizeof(*u->chain));
	if (kernel)
		memcpy(u->chain, s->chain, 8 * kernel);
	if (!s->chain_count && s->kernel && s->ip) {
		u->chain[n++] = (uint64_t)PERF_CONTEXT_KERNEL;
		u->chain[n++] = s->ip;
	}
	u->chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	return n;
}

static void set_chain(struct user_stacks *u, struct recorded_sample *s, size_t count)
{
	s->chain = (const uint8_t *)u->chain;
	s->chain_count = s->own_count = count;
	s->chain_is_temporary = true;
}

/* The number of entries before the mark of the user part; chain_count: there is no such mark. */
static size_t entries_before_user(const struct recorded_sample *s)
{
	for (uint64_t i = 0; i < s->chain_count; i++) {
		if (load_u64(s->chain + 8 * i) == (uint64_t)PERF_CONTEXT_USER)
			return (size_t)i;
	}
	return (size_t)s->chain_count;
}

/* A mark before an address says that the address is exact, not a return address (core/format/chain.h). */
static size_t add_exact(struct user_stacks *u, size_t n, const uint8_t *address)
{
	u->chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	u->chain[n++] = load_u64(address);
	return n;
}

/* As perf does (tools/perf/util/machine.c, resolve_lbr_callchain_sample): the kernel part, then the
 * target of the newest call, then the source of each call. */
static void follow_calls(struct user_stacks *u, struct recorded_sample *s)
{
	size_t n = entries_before_user(s);

	s->by_calls = true; /* true even if no call was recorded: such a stack says nothing about frame pointers */
	if (n == s->chain_count || !s->call_count)
		return;
	u->chain = xgrow(u->chain, &u->cap, n + 2 * ((size_t)s->call_count + 1), sizeof(*u->chain));
	if (n)
		memcpy(u->chain, s->chain, 8 * n);
	n = add_exact(u, n, s->calls + 8);
	for (uint64_t i = 0; i < s->call_count; i++)
		n = add_exact(u, n, s->calls + SAMPLE_CALL_BYTES * i);
	set_chain(u, s, n);
}

/* Append the user part, which was recorded later, to the kernel part. */
static void add_deferred(struct user_stacks *u, struct recorded_sample *s)
{
	uint64_t count = 0;
	const uint8_t *entries = deferred_find(&u->sideband->deferred, s, &count);
	size_t n = (size_t)s->chain_count;

	if (!entries) {
		u->orphans++;
		return;
	}
	u->chain = xgrow(u->chain, &u->cap, n + 1 + (size_t)count, sizeof(*u->chain));
	if (n)
		memcpy(u->chain, s->chain, 8 * n);
	u->chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	if (count)
		memcpy(u->chain + n, entries, 8 * (size_t)count);
	set_chain(u, s, n + (size_t)count);
}

static void walk_copy(struct user_stacks *u, struct recorded_sample *s)
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

	/* Without registers, it is a kernel thread, or a thread that is exiting.  Registers without a copy of the stack
	 * cannot be unwound. */
	if (!u->unwinder || !s->regs_abi || !(s->event->attr.sample_type & PERF_SAMPLE_STACK_USER))
		return;
	sample.space = spaces_find(&u->sideband->spaces, s->pid, s->time_ns);
	before = start_chain(u, s);
	count = unwind(u->unwinder, &sample, u->chain + before, &end, &stopped);
	s->walked = true;
	s->end = (int)end;
	if (!count)
		return; /* a 32-bit program: use the chain as recorded */
	set_chain(u, s, before + count);
}

void user_stacks_walk(struct user_stacks *u, struct recorded_sample *s)
{
	if (s->is_deferred && u->sideband)
		add_deferred(u, s);
	else if (s->calls)
		follow_calls(u, s);
	else
		walk_copy(u, s);
}

void user_stacks_free(struct user_stacks *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	free(u->chain);
	*u = (struct user_stacks){ 0 };
}
