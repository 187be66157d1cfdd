#include "collect/offcpu/offcpu_walk.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "collect/run/stack_choice.h"
#include "collect/sampling/walker.h"
#include "core/error.h"

enum { COPIED_LIMIT = 128 << 20 }; /* bytes between two hand-overs */

void offcpu_walk_choose(struct offcpu_walk *w, const struct collection *c, struct event *e)
{
	w->is_on = stack_choice_of_spans(c);
	if (w->is_on)
		spans_walk(e);
}

bool offcpu_walk_is_behind(const struct offcpu_walk *w, const struct collection *c)
{
	return w->copied.len >= COPIED_LIMIT || !c->walker || walker_is_behind(c->walker);
}

/* ---- registers ---- */

#ifdef __aarch64__

/* The registers are copied as they are: x0 to x30, sp, pc; pstate shows whether it is a 32-bit program. */
enum { REGISTERS = 33, IP = 32, PSTATE = 33, PSTATE_32 = 0x10 };

static uint64_t order_registers(const uint64_t *saved, uint64_t *regs)
{
	memcpy(regs, saved, REGISTERS * sizeof(*regs));
	return saved[PSTATE] & PSTATE_32 ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
}

#else

/* Registers of struct pt_regs, in the order of asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs ss r8 ... r15. */
static const uint8_t places[] = { 10, 5, 11, 12, 13, 14, 4, 19, 16, 18, 17, 20, 9, 8, 7, 6, 3, 2, 1, 0 };

enum { REGISTERS = sizeof(places), IP = 8, CS = 10, CS_64 = 0x33 };

static uint64_t order_registers(const uint64_t *saved, uint64_t *regs)
{
	for (size_t i = 0; i < REGISTERS; i++)
		regs[i] = saved[places[i]];
	return regs[CS] == CS_64 ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_32;
}

#endif

/* ---- spans ---- */

/* Add everything except the user part of the thread's own stack. */
static void leave_user_part_out(struct chain_builder *to, const struct span *s)
{
	size_t begin = 0, end;

	while (begin < s->chain_count && s->chain[begin] != (uint64_t)PERF_CONTEXT_USER &&
	       !RECORDING_IS_LABEL(s->chain[begin]))
		begin++;
	for (end = begin; end < s->chain_count && !RECORDING_IS_LABEL(s->chain[end]); end++)
		;
	to->count = 0;
	chain_builder_add(to, s->chain, begin);
	chain_builder_add(to, s->chain + end, s->chain_count - end);
}

/* Add a span with what is in copy, a struct offcpu_copy. */
static void add_copied(struct offcpu_walk *w, const struct event *e, const struct span *s, const struct str *copy)
{
	uint64_t saved[sizeof(struct offcpu_copy) / sizeof(uint64_t)], regs[REGISTERS];
	struct span_copy user = { .regs = regs, .reg_count = REGISTERS };

	memcpy(saved, copy->buf, sizeof(saved));
	user.abi = order_registers(saved, regs);
	user.ip = regs[IP];
	user.stack = (const uint8_t *)copy->buf + sizeof(struct offcpu_copy);
	user.stack_len = (copy->len - sizeof(struct offcpu_copy)) & ~(size_t)7;
	span_add_copied(&w->copied, e, s, &user);
}

void offcpu_walk_add(struct offcpu_walk *w, const struct event *e, const struct span *s, const struct str *copy)
{
	struct span span = *s;

	leave_user_part_out(&w->chain, s);
	span.chain = w->chain.list;
	span.chain_count = w->chain.count;
	span.flags |= RECORDING_WALKED;
	add_copied(w, e, &span, copy);
}

/* ---- wakers ---- */

enum { OF_WAKER = 1u << 31 }; /* a flag of spans that never get into the recording */

bool offcpu_walk_awaits(const struct offcpu_walk *w, const struct span *s)
{
	return w->is_on && offcpu_wakers_are_in(s->chain, s->chain_count);
}

void offcpu_walk_fill(struct offcpu_walk *w, struct span *s)
{
	if (!offcpu_wakers_are_in(s->chain, s->chain_count))
		return;
	w->chain.count = 0;
	offcpu_wakers_fill(&w->wakers, s->chain, s->chain_count, &w->chain, &w->lost_wakers);
	s->chain = w->chain.list;
	s->chain_count = w->chain.count;
}

uint64_t offcpu_walk_add_waker(struct offcpu_walk *w, const struct event *e, const struct offcpu_record *r,
			       const struct str *copy)
{
	uint64_t place = offcpu_wakers_place(&w->wakers);
	struct span span = {
		.pid = (int)r->waker_pid,
		.tid = (int)r->waker_tid,
		.cpu = r->cpu,
		.time_ns = r->until_ns,
		.begin_ns = offcpu_wakers_serial(place),
		.flags = OF_WAKER,
	};

	add_copied(w, e, &span, copy);
	return place;
}

/* It has no registers, and for the walker no user code either: its chain stays as it is. */
void offcpu_walk_pass(struct offcpu_walk *w, const struct event *e, const struct span *s)
{
	size_t at = w->copied.len;
	struct perf_event_header header;

	span_add_copied(&w->copied, e, s, &(struct span_copy){ 0 });
	memcpy(&header, w->copied.buf + at, sizeof(header));
	header.misc = PERF_RECORD_MISC_KERNEL;
	memcpy(w->copied.buf + at, &header, sizeof(header));
}

/* ---- what comes back ---- */

static void record(struct offcpu_walk *w, struct span *s)
{
	offcpu_walk_fill(w, s);
	if (s->flags & RECORDING_SINGLE)
		span_add(w->singles, w->event, s);
	else
		sums_add(s->flags & RECORDING_WALKED ? &w->sums : &w->unwalked, s);
}

/* Take a walked span, unless it is as it should be recorded. */
static bool take_back(void *self, const uint8_t *bytes, size_t size)
{
	struct offcpu_walk *w = self;
	size_t head = sizeof(struct perf_event_header) + sizeof(struct recording_sample);
	struct recording_sample sample;
	struct recording_span span;
	struct chain_builder chain = { 0 };
	bool taken = true;

	memcpy(&sample, bytes + sizeof(struct perf_event_header), sizeof(sample));
	if (size < head + sizeof(span) || sample.chain_count != (size - head - sizeof(span)) / sizeof(uint64_t))
		return false;
	memcpy(&span, bytes + size - sizeof(span), sizeof(span));
	chain_builder_add(&chain, (const void *)(bytes + head), sample.chain_count);
	if (span.flags & OF_WAKER)
		offcpu_wakers_keep(&w->wakers, span.begin_ns, chain.list, chain.count);
	else if (span.flags & RECORDING_SINGLE && !offcpu_wakers_are_in(chain.list, chain.count))
		taken = false;
	else
		record(w, &(struct span){
				  .pid = (int)sample.pid,
				  .tid = (int)sample.tid,
				  .cpu = sample.cpu,
				  .time_ns = sample.time_ns,
				  .ns = sample.period,
				  .count = span.count,
				  .longest_ns = span.longest_ns,
				  .begin_ns = span.begin_ns,
				  .flags = span.flags,
				  .chain = chain.list,
				  .chain_count = chain.count,
			  });
	chain_builder_free(&chain);
	return taken;
}

void offcpu_walk_hand_over(struct offcpu_walk *w, const struct event *e, struct collection *c)
{
	struct iovec records = { w->copied.buf, w->copied.len };

	if (c->walker && w->copied.len) {
		w->sums.flags = RECORDING_WALKED;
		w->event = e;
		walker_divert(c->walker, e->ids[0], take_back, w);
		walker_take(c->walker, &records, 1, &c->recording);
	}
	str_clear(&w->copied);
}

int offcpu_walk_finish(struct offcpu_walk *w, const struct event *e, struct collection *c)
{
	int status = 0;

	if (!w->is_on)
		return 0;
	/* Drain the rings, so that the walker knows the latest mappings. */
	if (rings_drain(&c->sampler.rings, &c->recording, c->walker))
		status = -1;
	offcpu_walk_hand_over(w, e, c);
	if (c->walker && walker_finish(c->walker, &c->recording))
		status = -1;
	return status;
}

void offcpu_walk_free(struct offcpu_walk *w)
{
	str_free(&w->copied);
	sums_free(&w->sums);
	sums_free(&w->unwalked);
	offcpu_wakers_free(&w->wakers);
	chain_builder_free(&w->chain);
	*w = (struct offcpu_walk){ 0 };
}
