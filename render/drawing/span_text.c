#include "render/drawing/span_text.h"

#include "core/wallclock.h"

void clock_add(struct str *out, uint64_t epoch_ns, int digits)
{
	struct str iso = { 0 };

	wallclock_add(&iso, epoch_ns); /* 2026-11-21T10:15:02.000000000Z */
	if (iso.len >= 29)
		str_add(out, iso.buf + iso.len - 19, digits < 0 ? 5 : digits ? 9 + (size_t)digits : 8);
	str_free(&iso);
}

void date_add(struct str *out, uint64_t epoch_ns)
{
	struct str iso = { 0 };

	wallclock_add(&iso, epoch_ns);
	if (iso.len >= 29)
		str_add(out, iso.buf, iso.len - 20);
	str_free(&iso);
}

uint64_t tick_step(uint64_t window_ns, unsigned count)
{
	static const unsigned long long longer[] = { 1,   2,   5,    10,   15,   30,    60,    120,   300,
						     600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400 };
	uint64_t wanted = window_ns / count + !!(window_ns % count), step = 1;

	while (step < NS_PER_SEC && step < wanted) {
		if (step * 2 >= wanted)
			return step * 2;
		if (step * 5 >= wanted)
			return step * 5;
		step *= 10;
	}
	if (step < NS_PER_SEC)
		return step;
	for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]); i++) {
		if (longer[i] * NS_PER_SEC >= wanted)
			return longer[i] * NS_PER_SEC;
	}
	return (wanted / (86400 * NS_PER_SEC) + 1) * (86400 * NS_PER_SEC);
}

int tick_digits(uint64_t step_ns)
{
	int digits = 9;

	if (step_ns >= 60 * NS_PER_SEC)
		return -1;
	for (; digits && step_ns % 10 == 0; step_ns /= 10)
		digits--;
	return digits;
}
