#include "core/amount.h"

void number_add(struct str *out, uint64_t n)
{
	char digits[32];
	size_t at = sizeof(digits);

	for (unsigned count = 0; n || !count; count++, n /= 10) {
		if (count && count % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + n % 10);
	}
	str_add(out, digits + at, sizeof(digits) - at);
}

/* ns / unit_ns with at most three digits behind the point, of four in all: 23.09 */
static void four_digits_add(struct str *out, uint64_t ns, uint64_t unit_ns)
{
	uint64_t step = unit_ns, rest;
	int digits = 0;

	for (; digits < 3 && ns / step < 1000; digits++)
		step /= 10;
	ns = ns / step + (ns % step * 2 >= step); /* of steps from here on */
	number_add(out, ns / (unit_ns / step));
	rest = ns % (unit_ns / step);
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	str_addf(out, ".%0*u", digits, (unsigned)rest);
}

void duration_add(struct str *out, uint64_t ns)
{
	static const struct {
		uint64_t from, ns; /* what would become 1000 ms is 1 s */
		const char *name;
	} units[] = {
		{ 999950000, 1000000000, " s" },
		{ 999950, 1000000, " ms" },
		{ 1000, 1000, " \xc2\xb5s" },
		{ 0, 1, " ns" },
	};
	size_t i = 0;

	while (ns < units[i].from)
		i++;
	if (units[i].ns > 1)
		four_digits_add(out, ns, units[i].ns);
	else
		number_add(out, ns);
	str_puts(out, units[i].name);
}
