#include "collect/run/stack_choice.h"

#include <inttypes.h>

#include "collect/machine/kernel_defects.h"
#include "collect/sampling/rings.h"
#include "collect/sampling/stack_walk.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/unwind/unwinder.h"

enum {
	FEWEST_BYTES = 8192,         /* about one in ten stacks is larger than this, but hardly any is larger than 32
				      * kB */
	BYTES_PER_SECOND = 64 << 20, /* bytes copied on each CPU, if all stacks had this size */
	ROOM_FOR = 16,               /* a ring must have room for this many copies, ... */
	ROOM_MS = 64,                /* ... and for the copies of this much time, as it is read when a quarter is
				      * full */
	FASTEST = BYTES_PER_SECOND / FEWEST_BYTES, /* Hz */
};

/* Does something else name the JVM's frames if frame pointers are followed? */
static bool may_walk(const struct collection *c)
{
	return unwind_sample_registers() && c->opt.jvm != JVM_PERFMAP;
}

/* Threads are woken, and locks waited for, in interrupts, too. */
static bool stack_choice_is_dangerous(void)
{
	const char *defect = kernel_defect(RISK_USER_READS);
	static bool is_said;

	if (defect && !is_said)
		inform("user stacks of spans of time by frame pointers, without functions of Python: %s: use a newer "
		       "kernel, or --force",
		       defect);
	is_said = true;
	return defect;
}

bool stack_choice_of_spans(const struct collection *c)
{
	return may_walk(c) && !c->wish.frame_pointers && !stack_choice_is_dangerous();
}

static uint64_t stack_choice_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The largest size of copies of which the ring holds enough. */
static uint64_t bytes_for_ring(uint64_t ring_size, uint64_t hz)
{
	uint64_t copies = hz * ROOM_MS / 1000;

	return ring_size / (copies > ROOM_FOR ? copies : ROOM_FOR);
}

uint32_t stack_choice(const struct collection *c)
{
	uint64_t hz = (uint64_t)c->wish.stack_hz, ring = rings_allowed_size(c->all_cpus.count), bytes;

	if (!may_walk(c))
		return 0;
	if (!hz) {
		detail("user stacks by frame pointers: how often the event happens is not known; --call-graph dwarf "
		       "copies "
		       "and walks them at any rate");
		return 0;
	}
	if (hz > FASTEST) {
		detail("user stacks by frame pointers: at %" PRIu64 " Hz, too many to be copied; use -F %d or less, or "
		       "--call-graph dwarf",
		       hz, FASTEST);
		return 0;
	}
	ring = stack_choice_least(ring, c->opt.ring_size ?: c->wish.rings.sampling);
	bytes = stack_choice_least(CALL_GRAPH_BYTES,
				   stack_choice_least(BYTES_PER_SECOND / hz, bytes_for_ring(ring, hz)));
	if (bytes >= FEWEST_BYTES)
		return (uint32_t)bytes & ~7u;
	detail("user stacks by frame pointers: rings of %s (--ring, kernel.perf_event_mlock_kb) hold too few "
	       "copies at %" PRIu64 " Hz",
	       size_text(ring).text, hz);
	return 0;
}

/* Room for a second, but not much more than 16 MB for each CPU, which would burden the machine. */
static uint64_t stack_choice_second(const struct collection *c)
{
	uint64_t most = rings_choose_size(0, c->all_cpus.count, c->wish.stack_bytes);
	uint64_t least = rings_choose_size(0, c->all_cpus.count, 0),
		 size = (uint64_t)c->wish.stack_hz * c->wish.stack_bytes;

	size = stack_choice_least(size < least ? least : size, most);
	return stack_choice_least(size, rings_allowed_size(c->all_cpus.count));
}

size_t stack_choice_ring(const struct collection *c)
{
	size_t cpus = c->all_cpus.count;
	uint64_t size;

	if (c->opt.ring_size)
		return rings_choose_size(c->opt.ring_size, cpus, 0);
	if (c->wish.choose_stacks && c->wish.stack_bytes && !c->wish.ring_stack_bytes)
		size = stack_choice_second(c);
	else
		size = rings_choose_size(0, cpus, c->wish.stack_bytes ?: c->wish.ring_stack_bytes);
	return rings_choose_size(ring_share_sampling(&c->wish.rings, rings_choose_size(size, cpus, 0)), cpus, 0);
}
