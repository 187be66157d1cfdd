#include "core/amount.h"

#include <stdio.h>

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

/* value / unit with three digits, at most two of them decimals: 23.1 */
static void three_digits_add(struct str *out, uint64_t value, uint64_t unit)
{
	uint64_t power = 1, parts, rest;
	int digits = 0;

	for (; digits < 2 && (__uint128_t)value * power / unit < 100; digits++)
		power *= 10;
	parts = (uint64_t)(((__uint128_t)value * power * 2 + unit) / ((__uint128_t)unit * 2));
	number_add(out, parts / power);
	rest = parts % power;
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	str_addf(out, ".%0*u", digits, (unsigned)rest);
}

void quantity_add(struct str *out, uint64_t value, uint64_t parts)
{
	three_digits_add(out, value, parts);
}

void duration_add(struct str *out, uint64_t ns)
{
	static const struct {
		uint64_t from, ns; /* 1 s rather than 1000 ms */
		const char *name;
	} units[] = {
		{ 999500000, 1000000000, " s" },
		{ 999500, 1000000, " ms" },
		{ 1000, 1000, " \xc2\xb5s" },
		{ 0, 1, " ns" },
	};
	size_t i = 0;

	while (ns < units[i].from)
		i++;
	if (units[i].ns > 1)
		three_digits_add(out, ns, units[i].ns);
	else
		number_add(out, ns);
	str_puts(out, units[i].name);
}

void size_add(struct str *out, uint64_t bytes)
{
	static const char *const names[] = { " bytes", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	uint64_t one = 1;
	size_t i = 0;

	/* 1 MiB rather than 1024 KiB */
	while (i + 1 < sizeof(names) / sizeof(*names) && bytes >= one * 1024 - (one > 1 ? one / 2 : 0)) {
		one *= 1024;
		i++;
	}
	if (i)
		three_digits_add(out, bytes, one);
	else
		number_add(out, bytes);
	str_puts(out, names[i]);
}

void percentage_add(struct str *out, uint64_t part, uint64_t whole)
{
	__uint128_t twice = (__uint128_t)(whole ? whole : 1) * 2;
	uint64_t tenths = (uint64_t)(((__uint128_t)part * 1000 * 2 + whole) / twice);
	uint64_t hundredths = (uint64_t)(((__uint128_t)part * 10000 * 2 + whole) / twice);

	if (part && !hundredths)
		str_puts(out, "under 0.01");
	else if (tenths == 1000 && part < whole)
		str_puts(out, "over 99.9");
	else
		three_digits_add(out, hundredths < 1000 ? hundredths : tenths * 10, 100);
	str_puts(out, " %");
}

/* Copies text to a struct that a message can use. */
static struct amount_text amount_moved(struct str *text)
{
	struct amount_text moved;

	snprintf(moved.text, sizeof(moved.text), "%s", str_text(text));
	str_free(text);
	return moved;
}

struct amount_text size_text(uint64_t bytes)
{
	struct str text = { 0 };

	size_add(&text, bytes);
	return amount_moved(&text);
}

struct amount_text duration_text(uint64_t ns)
{
	struct str text = { 0 };

	duration_add(&text, ns);
	return amount_moved(&text);
}

struct amount_text percentage_text(uint64_t part, uint64_t whole)
{
	struct str text = { 0 };

	percentage_add(&text, part, whole);
	return amount_moved(&text);
}
