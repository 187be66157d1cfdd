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

void offcpu_walk_add(struct offcpu_walk *w, const struct event *e, const struct span *s, const struct str *copy)
{
	uint64_t saved[sizeof(struct offcpu_copy) / sizeof(uint64_t)], regs[REGISTERS];
	struct span_copy user = { .regs = regs, .reg_count = REGISTERS };
	struct span span = *s;

	memcpy(saved, copy->buf, sizeof(saved));
	user.abi = order_registers(saved, regs);
	user.ip = regs[IP];
	user.stack = (const uint8_t *)copy->buf + sizeof(struct offcpu_copy);
	user.stack_len = (copy->len - sizeof(struct offcpu_copy)) & ~(size_t)7;
	leave_user_part_out(&w->chain, s);
	span.chain = w->chain.list;
	span.chain_count = w->chain.count;
	span.flags |= RECORDING_WALKED;
	span_add_copied(&w->copied, e, &span, &user);
}

/* Sum a walked span, when its time is not needed. */
static bool sum_up(void *self, const uint8_t *record, size_t size)
{
	struct offcpu_walk *w = self;
	size_t head = sizeof(struct perf_event_header) + sizeof(struct recording_sample);
	struct recording_sample sample;
	struct recording_span span;

	memcpy(&sample, record + sizeof(struct perf_event_header), sizeof(sample));
	if (size < head + sizeof(span) || sample.chain_count != (size - head - sizeof(span)) / sizeof(uint64_t))
		return false;
	memcpy(&span, record + size - sizeof(span), sizeof(span));
	if (span.flags != RECORDING_WALKED)
		return false;
	w->chain.count = 0;
	chain_builder_add(&w->chain, (const void *)(record + head), sample.chain_count);
	sums_add(&w->sums, &(struct span){
				   .pid = (int)sample.pid,
				   .tid = (int)sample.tid,
				   .cpu = sample.cpu,
				   .ns = sample.period,
				   .count = span.count,
				   .longest_ns = span.longest_ns,
				   .begin_ns = span.begin_ns,
				   .chain = w->chain.list,
				   .chain_count = w->chain.count,
			   });
	return true;
}

void offcpu_walk_hand_over(struct offcpu_walk *w, const struct event *e, struct collection *c)
{
	struct iovec records = { w->copied.buf, w->copied.len };

	if (c->walker && w->copied.len) {
		w->sums.flags = RECORDING_WALKED;
		walker_divert(c->walker, e->ids[0], sum_up, w);
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
	chain_builder_free(&w->chain);
	*w = (struct offcpu_walk){ 0 };
}
