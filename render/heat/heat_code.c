#include "render/heat/heat_code.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/encoding/digits.h"
#include "render/profile/number.h"

enum {
	LINE_BYTES = 4096,
	GROUPS = 4,           /* 0 to 3 */
	SAMPLES = 32,         /* how many stretches of events ... */
	SAMPLE_EVENTS = 4096, /* ... of this length, whose size is measured to estimate that of all */
	VALUE_ROWS = 50,      /* HEAT_Y_VALUE has no rows of time */
};

static const uint64_t DEFAULT_BYTES = 600000, DEFAULT_EVENT_BYTES = 2;

/* ---- ticks ------------------------------------------------------------------ */

/* Set the tick to period / (rows * k), with the least k that makes it at most ns. */
static void set_tick(struct heat_ticks *t, const struct heat_axes *a, uint64_t ns)
{
	uint64_t rows = a->y == HEAT_Y_OFFSET ? a->rows : VALUE_ROWS, k, common;
	__uint128_t most = (__uint128_t)rows * ns;

	k = most >= a->period_ns ? 1 : (a->period_ns + (uint64_t)most - 1) / (uint64_t)most;
	common = greatest_divisor(a->period_ns, rows * k);
	t->num = a->period_ns / common;
	t->den = rows * k / common;
}

static uint64_t tick_of(const struct heat_ticks *t, uint64_t time_ns)
{
	uint64_t since = time_ns < t->origin_ns ? 0 : time_ns - t->origin_ns, scaled;

	if (__builtin_mul_overflow(since, t->den, &scaled))
		return (uint64_t)((__uint128_t)since * t->den / t->num);
	return scaled / t->num;
}

static size_t digits_len(uint64_t n)
{
	size_t len = 1;

	for (; n >= 32; n >>= 5)
		len++;
	return len;
}

/* The bytes of a group's head. */
static size_t head_len(uint64_t ticks, uint64_t events, unsigned group)
{
	uint64_t most = (1u << group) - 1;

	if (events - 1 < most)
		return digits_len(ticks << group | (events - 1));
	return digits_len(ticks << group | most) + digits_len(events - 1 - most);
}

/* For each way of grouping, add the bytes that events first .. end - 1 take to bytes[group]. */
static void heat_code_measure(const struct heat *h, const struct heat_ticks *t, size_t first, size_t end,
			      uint64_t bytes[GROUPS])
{
	uint64_t before = first ? tick_of(t, h->time_ns[first - 1]) : 0;

	for (size_t i = first; i < end;) {
		uint64_t tick = tick_of(t, h->time_ns[i]);
		size_t start = i, plain = 0;

		for (; i < end && tick_of(t, h->time_ns[i]) == tick; i++)
			plain += digits_len(h->stack[i]) + (h->value ? digits_len(h->value[i]) : 0);
		for (unsigned g = 0; g < GROUPS; g++)
			bytes[g] += plain + head_len(tick - before, i - start, g);
		before = tick;
	}
}

/* Estimate how many bytes all events take with the best grouping, and set that grouping. */
static uint64_t estimate(const struct heat *h, struct heat_ticks *t)
{
	uint64_t bytes[GROUPS] = { 0 };
	size_t step = h->event_count / SAMPLES, seen = 0;

	if (step <= SAMPLE_EVENTS) {
		heat_code_measure(h, t, 0, h->event_count, bytes);
		seen = h->event_count;
	}
	for (size_t i = 0; i < SAMPLES && seen < h->event_count && step > SAMPLE_EVENTS; i++) {
		heat_code_measure(h, t, i * step, i * step + SAMPLE_EVENTS, bytes);
		seen += SAMPLE_EVENTS;
	}
	t->group = 0;
	for (unsigned g = 1; g < GROUPS; g++) {
		if (bytes[g] < bytes[t->group])
			t->group = g;
	}
	return seen ? (uint64_t)((double)bytes[t->group] / (double)seen * (double)h->event_count) : 0;
}

bool heat_ticks_choose(struct heat_ticks *t, const struct heat *h, const struct heat_axes *a, uint64_t bytes,
		       uint64_t wanted_ns)
{
	static const uint64_t nice[] = { 1,        1000,     10000,    100000,    1000000,    2000000,   5000000,
					 10000000, 20000000, 50000000, 100000000, 1000000000, UINT64_MAX };

	*t = (struct heat_ticks){ 0 };
	t->origin_ns = a->first * a->period_ns - (uint64_t)a->zone_ns;
	if (!bytes)
		bytes = DEFAULT_BYTES + DEFAULT_EVENT_BYTES * h->event_count;
	if (wanted_ns) {
		set_tick(t, a, wanted_ns);
		estimate(h, t);
		return true;
	}
	for (size_t i = 0; i < sizeof(nice) / sizeof(nice[0]); i++) {
		set_tick(t, a, nice[i]);
		if (estimate(h, t) <= bytes)
			return true;
	}
	return false;
}

/* ---- events ------------------------------------------------------------------- */

/* An event of a tick. */
struct coded_member {
	uint32_t stack;
	uint64_t value;
};

static int heat_code_by_stack(const void *a, const void *b)
{
	const struct coded_member *x = a, *y = b;

	return ORDER(x->stack, y->stack) ?: ORDER(x->value, y->value);
}

/* Insertion sort, since ticks usually have few events. */
static void sort_members(struct coded_member *members, size_t count)
{
	if (count > 32) {
		qsort(members, count, sizeof(*members), heat_code_by_stack);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct coded_member m = members[i];
		size_t to = i;

		for (; to && heat_code_by_stack(&members[to - 1], &m) > 0; to--)
			members[to] = members[to - 1];
		members[to] = m;
	}
}

static char *put_head(char *at, uint64_t ticks, size_t count, unsigned group)
{
	uint64_t most = (1u << group) - 1;

	if (count - 1 < most)
		return digits_put(at, ticks << group | (count - 1));
	at = digits_put(at, ticks << group | most);
	return digits_put(at, count - 1 - most);
}

static void put_members(struct str *out, const struct coded_member *members, size_t count, bool values)
{
	for (size_t i = 0; i < count; i++) {
		char *at;

		str_reserve(out, 2 * NUMBER_BYTES);
		at = digits_put(out->buf + out->len, members[i].stack);
		if (values)
			at = digits_put(at, members[i].value);
		out->len = (size_t)(at - out->buf);
	}
}

void heat_encode_events(const struct heat *h, const struct heat_ticks *t, struct str *out)
{
	struct coded_member *members = NULL;
	size_t cap = 0, line_end = out->len + LINE_BYTES;
	uint64_t before = 0;

	for (size_t i = 0; i < h->event_count;) {
		uint64_t tick = tick_of(t, h->time_ns[i]);
		size_t count = 0;

		for (; i < h->event_count && tick_of(t, h->time_ns[i]) == tick; i++) {
			members = xgrow(members, &cap, count + 1, sizeof(*members));
			members[count++] = (struct coded_member){ h->stack[i], heat_value(h, i) };
		}
		sort_members(members, count);
		str_reserve(out, 2 * NUMBER_BYTES + 1);
		out->len = (size_t)(put_head(out->buf + out->len, tick - before, count, t->group) - out->buf);
		put_members(out, members, count, h->value);
		before = tick;
		if (out->len >= line_end) {
			str_addc(out, '\n');
			line_end = out->len + LINE_BYTES;
		}
	}
	if (out->buf)
		out->buf[out->len] = '\0';
	free(members);
}

void heat_encode_stacks(const struct heat *h, const uint32_t *frame_of, struct str *out)
{
	size_t line_end = out->len + LINE_BYTES;

	for (size_t i = 0; i < h->stack_count; i++) {
		const struct heat_stack *s = &h->stacks[i];
		char *at;

		str_reserve(out, 2 * NUMBER_BYTES + 1);
		at = digits_put(out->buf + out->len, (uint64_t)frame_of[s->profile] << 1 | s->idle);
		if (h->recording_count > 1)
			at = digits_put(at, s->recording);
		if ((size_t)(at - out->buf) >= line_end) {
			*at++ = '\n';
			line_end = (size_t)(at - out->buf) + LINE_BYTES;
		}
		*at = '\0';
		out->len = (size_t)(at - out->buf);
	}
}
