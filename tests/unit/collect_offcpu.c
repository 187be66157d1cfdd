/* offcpu: how records become chains and sums, including records that no kernel would send. */
#include <linux/perf_event.h>
#include <stdio.h>

#include "collect/offcpu/offcpu_options.h"
#include "collect/offcpu/offcpu_threads.h"
#include "collect/recording/sums.h"
#include "core/format/folded.h"
#include "tests/unit/check.h"

enum { S = 'S', W = 'W' }; /* labels, in the text of a chain */

static char seen[1024]; /* the chains that were finished, as text */

static void describe(const uint64_t *chain, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end = seen + strlen(seen);

		if (chain[i] == (uint64_t)PERF_CONTEXT_KERNEL)
			strcat(end, "K ");
		else if (chain[i] == (uint64_t)PERF_CONTEXT_USER)
			strcat(end, "U ");
		else if (RECORDING_IS_LABEL(chain[i]))
			sprintf(end, "%c%llu ", RECORDING_LABEL_KIND(chain[i]) == RECORDING_LABEL_STATE ? S : W,
				(unsigned long long)RECORDING_LABEL_VALUE(chain[i]) & 0xffffff);
		else
			sprintf(end, "%llx ", (unsigned long long)chain[i]);
	}
	strcat(seen, "| ");
}

static void finish(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	(void)r;
	describe(chain, count);
}

static struct offcpu_record block(uint32_t tid, uint64_t since, uint64_t until, uint64_t kernel, uint64_t user)
{
	return (struct offcpu_record){ .kind = OFFCPU_BLOCK,
				       .pid = 1,
				       .tid = tid,
				       .state = RECORDING_SLEEPING,
				       .since_ns = since,
				       .until_ns = until,
				       .kernel_count = 1,
				       .user_count = user ? 1 : 0,
				       .stack = { kernel, user } };
}

static struct offcpu_record waker(uint32_t tid, uint64_t since, uint32_t who, uint64_t kernel, uint64_t user)
{
	struct offcpu_record r = block(tid, since, 0, kernel, user);

	r.kind = OFFCPU_WAKER;
	r.waker_pid = 1;
	r.waker_tid = who;
	return r;
}

static const char *take(struct offcpu_threads *t, const struct offcpu_record *list, size_t count)
{
	seen[0] = '\0';
	for (size_t i = 0; i < count; i++)
		offcpu_threads_take(t, &list[i]);
	return seen;
}

static void check_blocks(void)
{
	struct offcpu_threads t = { .finish = finish };
	struct offcpu_record plain = block(7, 10, 20, 0xa1, 0xb1);
	struct offcpu_record odd = block(7, 10, 20, 0xa1, 0x4c03000000000007);

	CHECK_TEXT(take(&t, &plain, 1), "K a1 U b1 S6 | ");
	CHECK_TEXT(take(&t, &odd, 1), "K a1 S6 | "); /* not a user address, though it looks like a label */
	CHECK(t.lost_stacks == 0);
	plain.kernel_count = -14;
	plain.stack[0] = 0xb1;
	CHECK_TEXT(take(&t, &plain, 1), "U b1 S6 | ");
	CHECK(t.lost_stacks == 1);
	offcpu_threads_free(&t);
}

static void check_wakers(void)
{
	struct trace_range tracing[] = { { 0xf0, 0xff, false }, { 0x100, 0x110, true } };
	struct offcpu_record hops[] = {
		waker(8, 5, 9, 0xf1, 0xc1),
		block(8, 5, 15, 0xa2, 0xb2),
		waker(7, 10, 8, 0xa3, 0xc2),
		block(7, 10, 20, 0xa1, 0xb1),
	};
	struct offcpu_record late[] = { waker(7, 30, 8, 0xa3, 0xc2), block(7, 30, 40, 0xa1, 0xb1) };
	struct offcpu_record stale = block(7, 50, 60, 0xa1, 0xb1);
	struct offcpu_record interrupt[] = { waker(7, 70, 9, 0xf1, 0), block(7, 70, 80, 0xa1, 0xb1) };
	struct offcpu_threads t = { .finish = finish, .hops = 2 };

	t.trace_frames.list = tracing;
	t.trace_frames.count = 2;
	hops[0].kernel_count = 2;
	hops[0].stack[1] = 0xa4;
	hops[0].stack[2] = 0xc1;
	CHECK_TEXT(take(&t, hops, 4), "K a2 U b2 S6 W9 K a4 U c1 | K a1 U b1 S6 W8 K a3 U c2 W9 K a4 U c1 | ");
	/* The waker's own block was over before this one began. */
	CHECK_TEXT(take(&t, late, 2), "K a1 U b1 S6 W8 K a3 U c2 | ");
	CHECK_TEXT(take(&t, &stale, 1), "K a1 U b1 S6 | "); /* that was the waker of another block */
	interrupt[0].kernel_count = 4;
	memcpy(interrupt[0].stack, (uint64_t[]){ 0xf1, 0xa4, 0x105, 0xa9, 0xc1 }, 5 * sizeof(uint64_t));
	interrupt[0].user_count = 1;
	CHECK_TEXT(take(&t, interrupt, 2), "K a1 U b1 S6 W0 K a4 105 | ");
	t.hops = 1;
	CHECK_TEXT(take(&t, hops, 4), "K a2 U b2 S6 W9 K a4 U c1 | K a1 U b1 S6 W8 K a3 U c2 | ");
	t.trace_frames.list = NULL;
	offcpu_threads_free(&t);
}

/* As in kernels before 6.16: the user stack comes after the block, or before it. */
static void check_user_stacks(void)
{
	struct offcpu_record list[] = { block(7, 10, 20, 0xa1, 0), block(7, 30, 40, 0xa2, 0) };
	struct offcpu_record user = { .kind = OFFCPU_USER, .tid = 7, .user_count = 2, .stack = { 0xb1, 0xb2 } };
	struct offcpu_threads t = { .finish = finish };

	list[0].follows = list[1].follows = 1;
	list[0].ip = list[1].ip = 0xb9;
	CHECK_TEXT(take(&t, list, 2), "");
	CHECK_TEXT(take(&t, &user, 1), "K a1 U b1 b2 S6 | K a2 U b1 b2 S6 | ");
	user.since_ns = 50; /* an exception */
	CHECK_TEXT(take(&t, &user, 1), "");
	list[0].since_ns = 50;
	CHECK_TEXT(take(&t, &list[0], 1), "K a1 U b1 b2 S6 | ");
	CHECK(t.lost_stacks == 0);
	CHECK_TEXT(take(&t, &list[1], 1), "");
	offcpu_threads_end(&t); /* the stack never came, but its place is known */
	CHECK_TEXT(seen, "K a2 U b9 S6 | ");
	CHECK(t.lost_stacks == 1);
	offcpu_threads_free(&t);
}

/* Threads that ended are forgotten, though not at once, and not with data that are still needed. */
static void check_ends(void)
{
	struct offcpu_threads t = { .finish = finish };
	struct offcpu_record late = block(4711, 30, 40, 0xa2, 0);
	struct map living = { 0 };

	late.follows = 1;
	late.ip = 0xb9;
	for (uint32_t tid = 1; tid <= 10000; tid++)
		offcpu_thread(&t, tid)->told_ns = tid;
	*map_at(&living, 7, 0) = 1;
	CHECK_TEXT(take(&t, &late, 1), "");
	offcpu_thread(&t, 8)->unsaid = true;
	offcpu_threads_forget(&t, &living);
	CHECK(t.count == 10000);
	CHECK(offcpu_thread(&t, 9)->told_ns == 9);
	offcpu_threads_forget(&t, &living);
	CHECK_TEXT(seen, "K a2 U b9 S6 | ");
	CHECK(t.count == 2 && t.slot_count < 1000);
	CHECK(offcpu_thread(&t, 7)->told_ns == 7 && offcpu_thread(&t, 8)->told_ns == 8);
	CHECK(t.count == 2);
	map_free(&living);
	offcpu_threads_free(&t);
}

/* A completed block looks up its thread while all threads are being walked. */
static struct offcpu_threads *many;
static size_t completed;

static void finish_and_look(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	(void)chain;
	(void)count;
	completed += offcpu_thread(many, r->tid)->tid == r->tid;
}

static void check_all_ends(void)
{
	for (size_t count = 1; count < 600; count++) {
		struct offcpu_threads t = { .finish = finish_and_look };

		many = &t;
		completed = 0;
		for (uint32_t tid = 1; tid <= count; tid++) {
			struct offcpu_record r = block(tid, 10, 20, 0xa1, 0);

			r.follows = 1;
			offcpu_threads_take(&t, &r);
		}
		offcpu_threads_end(&t);
		if (completed != count)
			CHECK(completed == count);
		offcpu_threads_free(&t);
	}
	CHECK(completed == 599);
}

static void check_sums(void)
{
	const uint64_t chains[2][2] = { { 1, 2 }, { 1, 3 } };
	struct span span = { .pid = 1,
			     .tid = 7,
			     .cpu = 0,
			     .ns = 10,
			     .count = 1,
			     .longest_ns = 10,
			     .chain = chains[0],
			     .chain_count = 2 };
	struct events events = { 0 };
	struct sums s = { .begin_ns = 100 };
	struct str out = { 0 }, again = { 0 };
	size_t e = spans_add_event(&events, RECORDING_OFFCPU);

	sums_add(&s, &span);
	span.ns = 30;
	span.longest_ns = 70; /* of which 40 were told of before */
	span.begin_ns = 90;
	span.cpu = 1;
	sums_add(&s, &span);
	CHECK(s.count == 1 && s.list[0].ns == 40 && s.list[0].count == 2 && s.list[0].longest_ns == 70);
	CHECK(s.list[0].begin_ns == 90);
	CHECK(s.list[0].cpu == UINT32_MAX);
	span.chain = chains[1];
	sums_add(&s, &span);
	span.tid = 8;
	sums_add(&s, &span);
	CHECK(s.count == 3);
	for (uint64_t i = 0; i < 1000; i++) {
		span.chain = &i;
		span.chain_count = 1;
		sums_add(&s, &span);
	}
	CHECK(s.count == 1003 && s.list[0].ns == 40);
	sums_flush(&s, &events.list[e], 200, &out);
	CHECK(s.count == 0 && s.begin_ns == 200 && out.len > 1003 * sizeof(struct recording_sample));
	sums_flush(&s, &events.list[e], 300, &again);
	CHECK(again.len == 0);
	str_free(&out);
	sums_free(&s);
	events_free(&events);
}

/* The words of --state are those that collapse prints. */
static void check_states(void)
{
#define STATE(state, name)                                                                  \
	if (RECORDING_##state >= RECORDING_SLEEPING && RECORDING_##state <= RECORDING_IDLE) \
		CHECK_TEXT(blocked_state_name(RECORDING_##state), name);
	FOLDED_STATE_TABLE(STATE)
	CHECK(!blocked_state_name(RECORDING_RUNNING) && !blocked_state_name(RECORDING_WOKEN));
}

int main(void)
{
	check_blocks();
	check_wakers();
	check_user_stacks();
	check_ends();
	check_all_ends();
	check_sums();
	check_states();
	return check_done();
}
