#include "collect/spans/span_walk.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#include "collect/run/stack_choice.h"
#include "collect/sampling/stack_walk.h"
#include "collect/sampling/walker.h"
#include "core/amount.h"
#include "core/error.h"

enum { COPIED_LIMIT = 128 << 20 }; /* bytes between two hand-overs */
enum { COPIED_KEPT = 8 << 20 };    /* maximum bytes kept for them, since bursts are rare, and we may run for weeks */

void span_walk_choose(struct span_walk *w, struct collection *c, struct event *e)
{
	w->c = c;
	w->sums.flags = RECORDING_WALKED;
	w->is_on = stack_choice_of_spans(c);
	if (w->is_on)
		spans_walk(e);
}

uint64_t span_walk_copies(const struct collection *c)
{
	return c->wish.stack_bytes && !c->wish.choose_stacks ? 0 : SPAN_COPIES_MAX;
}

/* Is the walker so far behind that there is no room for more? */
static bool span_walk_is_behind(const struct span_walk *w)
{
	return w->copied.len >= COPIED_LIMIT || !w->c->walker || walker_is_behind(w->c->walker, w->copied.len);
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

/* ---- to the walker ---- */

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

/* The frames of Python code are at the end of the copy.  Returns the bytes of *python that are used; 0: it has none. */
static size_t add_python(struct python_copy *python, const struct span *s, const void *copy, size_t len)
{
	uint64_t bytes;
	bool is_cut;

	memcpy(&bytes, (const char *)copy + offsetof(struct user_copy, python), sizeof(bytes));
	is_cut = bytes & 1;
	bytes &= ~UINT64_C(1);
	if (!bytes || bytes > len - sizeof(struct user_copy) || bytes > sizeof(python->frames))
		return 0;
	*python = (struct python_copy){
		.pid = (uint32_t)s->pid,
		.tid = (uint32_t)s->tid,
		.time_ns = s->time_ns,
		.count = (uint32_t)(bytes / sizeof(*python->frames)),
		.is_cut = is_cut,
	};
	memcpy(python->frames, (const char *)copy + len - bytes, bytes);
	return offsetof(struct python_copy, frames) + bytes;
}

/* Add a span with what is in copy, a struct user_copy of len bytes. */
static void add_copied(struct span_walk *w, const struct event *e, const struct span *s, const void *copy, size_t len)
{
	uint64_t saved[sizeof(struct user_copy) / sizeof(uint64_t)], regs[REGISTERS];
	struct span_copy user = { .regs = regs, .reg_count = REGISTERS };
	struct python_copy python;

	memcpy(saved, copy, sizeof(saved));
	user.python_len = add_python(&python, s, copy, len);
	user.python = &python;
	if (user.python_len)
		len -= python.count * sizeof(*python.frames);
	user.abi = order_registers(saved, regs);
	user.ip = regs[IP];
	user.stack = (const uint8_t *)copy + sizeof(struct user_copy);
	user.stack_len = (len - sizeof(struct user_copy)) & ~(size_t)7;
	/* BPF faults no pages in, either. */
	user.stack_wanted = user.stack_len < USER_COPY_STACK ? CALL_GRAPH_BYTES : user.stack_len;
	span_add_copied(&w->copied, e, s, &user);
}

static void span_walk_add_walked(struct span_walk *w, const struct event *e, const struct span *s,
				 const struct str *copy)
{
	struct span span = *s;

	leave_user_part_out(&w->chain, s);
	span.chain = w->chain.list;
	span.chain_count = w->chain.count;
	span.flags |= RECORDING_WALKED;
	add_copied(w, e, &span, copy->buf, copy->len);
}

/* Add a span that only waits for its wakers.  It has no registers and, to the walker, no user code, so that its chain
 * stays as it is. */
static void span_walk_add_waiting(struct span_walk *w, const struct event *e, const struct span *s)
{
	size_t at = w->copied.len;
	struct perf_event_header header;

	span_add_copied(&w->copied, e, s, &(struct span_copy){ 0 });
	memcpy(&header, w->copied.buf + at, sizeof(header));
	header.misc = PERF_RECORD_MISC_KERNEL;
	memcpy(w->copied.buf + at, &header, sizeof(header));
}

enum { OF_WAKER = 1u << 31 }; /* a flag of spans that never get into the recording */

void span_walk_add_waker(struct span_walk *w, const struct event *e, const struct waker_copy *waker,
			 struct chain_builder *chain, uint64_t *cut)
{
	uint64_t saved[sizeof(struct user_copy) / sizeof(uint64_t)], regs[REGISTERS], place;
	struct span span = {
		.pid = (int)waker->pid,
		.tid = (int)waker->tid,
		.cpu = waker->cpu,
		.time_ns = waker->time_ns,
		.flags = OF_WAKER,
	};

	if (span_walk_is_behind(w)) {
		memcpy(saved, waker->bytes, sizeof(saved));
		order_registers(saved, regs);
		chain_builder_add_user(chain, &regs[IP], 1, cut);
		++*cut;
		return;
	}
	place = waker_stacks_place(&w->wakers);
	span.begin_ns = waker_stacks_serial(place);
	add_copied(w, e, &span, waker->bytes, waker->len);
	chain_builder_add_one(chain, place);
}

/* ---- to the recording ---- */

/* Replace the placeholders of wakers in the chain of s whose stacks have arrived.  The chain is valid until the next
 * call. */
static void fill_wakers(struct span_walk *w, struct span *s)
{
	if (!waker_stacks_await(s->chain, s->chain_count))
		return;
	w->chain.count = 0;
	waker_stacks_fill(&w->wakers, s->chain, s->chain_count, &w->chain, &w->lost_wakers);
	s->chain = w->chain.list;
	s->chain_count = w->chain.count;
}

static void span_walk_record(struct span_walk *w, const struct event *e, struct span *s)
{
	fill_wakers(w, s);
	if (!(s->flags & RECORDING_SINGLE)) {
		sums_add(s->flags & RECORDING_WALKED ? &w->sums : &w->unwalked, s);
		return;
	}
	if (w->see)
		w->see(e, s);
	if (!(s->flags & SPAN_ONLY_SEEN))
		span_add(&w->samples, e, s);
}

bool span_walk_add(struct span_walk *w, const struct event *e, const struct span *s, const struct str *copy)
{
	bool has_copy = copy && copy->len, awaits = w->is_on && waker_stacks_await(s->chain, s->chain_count);
	struct span span = *s;

	if (s->flags & RECORDING_SINGLE)
		conditions_see_span(&w->c->flight.conditions, e, s);
	if ((has_copy || awaits) && !span_walk_is_behind(w)) {
		if (has_copy)
			span_walk_add_walked(w, e, s, copy);
		else
			span_walk_add_waiting(w, e, s);
		return true;
	}
	span_walk_record(w, e, &span);
	return !has_copy;
}

/* ---- what comes back ---- */

/* Take what the walker has walked. */
static bool span_walk_take_back(void *self, const uint8_t *bytes, size_t size)
{
	struct span_walk *w = self;
	size_t head = sizeof(struct perf_event_header) + sizeof(struct recording_sample);
	struct recording_sample sample;
	struct recording_span span;
	struct chain_builder chain = { 0 };

	memcpy(&sample, bytes + sizeof(struct perf_event_header), sizeof(sample));
	if (size < head + sizeof(span) || sample.chain_count != (size - head - sizeof(span)) / sizeof(uint64_t))
		return false;
	memcpy(&span, bytes + size - sizeof(span), sizeof(span));
	chain_builder_add(&chain, (const void *)(bytes + head), sample.chain_count);
	if (span.flags & OF_WAKER)
		waker_stacks_keep(&w->wakers, span.begin_ns, chain.list, chain.count);
	else
		span_walk_record(w, &w->c->events.list[sample.id - SPANS_FIRST_ID],
				 &(struct span){
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
	return true;
}

void span_walk_hand_over(struct span_walk *w)
{
	struct iovec records = { w->copied.buf, w->copied.len };

	if (w->copied.len && w->c->walker)
		walker_take_back(w->c->walker, &records, 1, &w->c->recording, span_walk_take_back, w);
	str_clear_large(&w->copied, COPIED_KEPT);
}

int span_walk_finish(struct span_walk *w)
{
	struct collection *c = w->c;
	int status = 0;

	if (!w->is_on)
		return 0;
	/* Drain the rings, so that the walker knows the latest mappings. */
	if (rings_drain(&c->sampler.rings, &c->recording, c->walker))
		status = -1;
	span_walk_hand_over(w);
	if (c->walker && walker_finish(c->walker, &c->recording))
		status = -1;
	return status;
}

void span_walk_flush(struct span_walk *w, const struct event *e, uint64_t until_ns)
{
	sums_flush(&w->unwalked, e, until_ns, &w->samples);
	sums_flush(&w->sums, e, until_ns, &w->samples);
}

int span_walk_write(struct span_walk *w)
{
	struct iovec records = { w->samples.buf, w->samples.len };
	int status = w->samples.len ? recording_append(&w->c->recording, &records, 1) : 0;

	str_clear(&w->samples);
	return status;
}

void span_walk_add_longest(struct str *out, uint64_t ns, uint32_t pid, uint32_t tid)
{
	if (ns)
		str_addf(out, ", longest %s (thread %" PRIu32 " of process %" PRIu32 ")", duration_text(ns).text,
			 tid, pid);
}

void span_walk_free(struct span_walk *w)
{
	str_free(&w->copied);
	str_free(&w->samples);
	sums_free(&w->sums);
	sums_free(&w->unwalked);
	waker_stacks_free(&w->wakers);
	chain_builder_free(&w->chain);
	*w = (struct span_walk){ 0 };
}
