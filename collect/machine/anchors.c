#include "collect/machine/anchors.h"

#include <inttypes.h>
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

/* Read the wall clock between two readings of the monotonic one, and keep the closest of several tries: we may be
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

static void add_line(struct str *text, const struct anchor *a)
{
	str_addf(text, "%" PRIu64 " %" PRIu64 "\n", a->monotonic_ns, a->realtime_ns);
}

void anchors_take(struct anchors *a)
{
	struct anchor now = read_anchor();

	if (!a->text.len) {
		a->first = now;
	} else {
		int64_t was = (int64_t)(a->last.realtime_ns - a->last.monotonic_ns);
		int64_t is = (int64_t)(now.realtime_ns - now.monotonic_ns);

		if (llabs(is - was) > STEP_NS)
			a->steps++;
	}
	a->last = now;
	add_line(&a->text, &now);
}

void anchors_cut(struct anchors *a, uint64_t from_ns)
{
	struct anchor before = a->first, one;
	struct str text = { 0 };
	char *at = a->text.buf, *end = at + a->text.len;

	/* The last one before from_ns tells what the wall clock was then. */
	for (; at < end; at = strchr(at, '\n') + 1) {
		if (sscanf(at, "%" SCNu64 " %" SCNu64, &one.monotonic_ns, &one.realtime_ns) != 2 ||
		    one.monotonic_ns > from_ns)
			break;
		before = one;
	}
	a->first = (struct anchor){ from_ns, before.realtime_ns + (from_ns - before.monotonic_ns) };
	add_line(&text, &a->first);
	str_add(&text, at, (size_t)(end - at));
	str_free(&a->text);
	a->text = text;
}

void anchors_free(struct anchors *a)
{
	str_free(&a->text);
	*a = (struct anchors){ 0 };
}
