#include "collapse/wire/trace_times.h"

#include <math.h>
#include <stdlib.h>

enum { US = 3, DIGITS_MAX = 17 }; /* ns to us; behind the point, at most */

#define LAST_DOUBLE_NS (UINT64_C(1) << 53)

/* What JavaScript makes of the decimal: the nearest number. */
static double trace_times_us(uint64_t ns)
{
	return (double)ns / 1000;
}

/* The number that, added to start, gives end. */
static double length_us(double start, double end)
{
	double length = end - start;

	while (start + length < end)
		length = nextafter(length, INFINITY);
	while (start + length > end)
		length = nextafter(length, 0);
	return length;
}

static void add_exact_length(struct json_stream *j, double start, double end)
{
	double length = length_us(start, end);
	char text[64];
	int binary, digits;

	frexp(end, &binary);
	digits = (53 - binary) * 3 / 10; /* those that end can tell apart */
	do {
		snprintf(text, sizeof(text), "%.*f", digits, length);
	} while (start + strtod(text, NULL) != end && digits++ < DIGITS_MAX);
	json_raw(j, "dur", text);
}

void trace_times_add(struct json_stream *j, uint64_t start_ns, uint64_t end_ns)
{
	double start = trace_times_us(start_ns), end = trace_times_us(end_ns);

	json_decimal(j, "ts", start_ns, US);
	if (end_ns > LAST_DOUBLE_NS || start + trace_times_us(end_ns - start_ns) == end)
		json_decimal(j, "dur", end_ns - start_ns, US);
	else
		add_exact_length(j, start, end);
}
