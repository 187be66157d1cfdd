#include "collect/machine/anchors.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/wallclock.h"

/* The two clocks are slewed alike, so their difference changes only when the wall clock is set, or the machine
 * sleeps.  Anchors are good to microseconds. */
enum { STEP_NS = 1000000, TRIES = 5 };

uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Read the wall clock between two readings of the monotonic one, and keep the closest of several tries, since we may be
 * preempted in between. */
static struct anchor read_anchor(void)
{
	struct anchor best = { 0 };
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = monotonic_ns();
		uint64_t realtime = clock_ns(CLOCK_REALTIME);
		uint64_t after = monotonic_ns();

		if (after - before < width) {
			width = after - before;
			best = (struct anchor){ before + width / 2, realtime };
		}
	}
	return best;
}

int64_t wall_ahead_ns(void)
{
	struct anchor now = read_anchor();

	return (int64_t)(now.realtime_ns - now.monotonic_ns);
}

static void anchors_add_line(struct str *text, const struct anchor *a)
{
	str_addf(text, "%" PRIu64 " %" PRIu64 "\n", a->monotonic_ns, a->realtime_ns);
}

static bool is_step(const struct anchor *a, const struct anchor *b)
{
	int64_t was = (int64_t)(a->realtime_ns - a->monotonic_ns);
	int64_t is = (int64_t)(b->realtime_ns - b->monotonic_ns);

	return llabs(is - was) > STEP_NS;
}

static void anchors_add(struct anchors *a, struct anchor now)
{
	if (!a->text.len)
		a->first = now;
	else
		a->steps += is_step(&a->last, &now);
	a->last = now;
	anchors_add_line(&a->text, &now);
}

void anchors_take(struct anchors *a)
{
	anchors_add(a, read_anchor());
}

void anchors_take_at(struct anchors *a, uint64_t at_ns)
{
	struct anchor now = read_anchor();

	anchors_add(a, (struct anchor){ at_ns, now.realtime_ns - (now.monotonic_ns - at_ns) });
}

/* Read the line at `at`.  Returns where the next one begins; NULL: there is none. */
static const char *anchors_read_line(const char *at, const char *end, struct anchor *a)
{
	const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;

	if (!newline || sscanf(at, "%" SCNu64 " %" SCNu64, &a->monotonic_ns, &a->realtime_ns) != 2)
		return NULL;
	return newline + 1;
}

/* Count the steps between consecutive anchors: from `before` through those in the lines from `at` to `end`. */
static uint64_t count_steps(struct anchor before, const char *at, const char *end)
{
	struct anchor one;
	uint64_t steps = 0;

	for (; (at = anchors_read_line(at, end, &one)); before = one)
		steps += is_step(&before, &one);
	return steps;
}

void anchors_cut(struct anchors *a, uint64_t from_ns)
{
	struct anchor before = a->first, one;
	struct str text = { 0 };
	const char *at = a->text.buf, *end = at + a->text.len, *next;

	/* Keep the last anchor before from_ns, since it tells the wall-clock time of from_ns. */
	for (; (next = anchors_read_line(at, end, &one)) && one.monotonic_ns <= from_ns; at = next)
		before = one;
	a->steps = count_steps(before, at, end);
	a->first = (struct anchor){ from_ns, before.realtime_ns + (from_ns - before.monotonic_ns) };
	anchors_add_line(&text, &a->first);
	str_add(&text, at, (size_t)(end - at));
	str_free(&a->text);
	a->text = text;
}

void anchors_free(struct anchors *a)
{
	str_free(&a->text);
	*a = (struct anchors){ 0 };
}
