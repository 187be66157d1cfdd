#include "render/profile/number.h"

#include <math.h>

#include "render/profile/sample.h"

enum { FACTOR_DECIMALS_MAX = 12 };

/* value * 10^-decimals; no zeros at the end of the fraction. */
static void decimal_add(struct str *out, uint64_t value, unsigned decimals)
{
	uint64_t one = decimal_shift(1, decimals), rest = value % one;
	char digits[16];
	unsigned len = decimals;

	number_add(out, value / one);
	if (!rest)
		return;
	for (unsigned i = len; i-- > 0; rest /= 10)
		digits[i] = (char)('0' + rest % 10);
	while (digits[len - 1] == '0')
		len--;
	str_addc(out, '.');
	str_add(out, digits, len);
}

/* 1234.5 as "1,235", 12.345 as "12.3", 0.00123456 as "0.00123". */
static void rounded_add(struct str *out, double value)
{
	unsigned decimals = 0;

	while (value < 100 && decimals < FACTOR_DECIMALS_MAX) {
		value *= 10;
		decimals++;
	}
	decimal_add(out, value < 1.8e19 ? (uint64_t)floor(value + 0.5) : UINT64_MAX, decimals);
}

void plural_add(struct str *out, uint64_t n, const char *word)
{
	number_add(out, n);
	str_addf(out, " %s%s", word, n == 1 ? "" : "s");
}

uint64_t value_whole(uint64_t value, const struct unit *unit)
{
	double shown = (double)value / (double)decimal_shift(1, unit->decimals) * unit->factor;

	if (unit->factor == 1)
		return value / decimal_shift(1, unit->decimals);
	return shown < 1.8e19 ? (uint64_t)floor(shown + 0.5) : UINT64_MAX;
}

void value_add(struct str *out, uint64_t value, const struct unit *unit)
{
	size_t start = out->len;
	double one = (double)decimal_shift(1, unit->decimals);

	if (!strcmp(unit->name, "ns") && value_whole(value, unit) >= 1000) {
		duration_add(out, value_whole(value, unit));
		return;
	}
	if (!strcmp(unit->name, "bytes") && value_whole(value, unit) >= 1024) {
		size_add(out, value_whole(value, unit));
		return;
	}
	if (unit->factor != 1)
		rounded_add(out, (double)value / one * unit->factor);
	else
		decimal_add(out, value, unit->decimals);
	if (!strcmp(out->buf + start, "1") && !strcmp(unit->name, "samples"))
		str_puts(out, " sample");
	else
		str_addf(out, " %s", unit->name);
}

uint64_t scale_u64(uint64_t value, uint64_t mul, uint64_t div)
{
	uint64_t product;

	if (!__builtin_mul_overflow(value, mul, &product))
		return product / div;
	return (uint64_t)((__uint128_t)value * mul / div);
}

uint64_t scale_up_u64(uint64_t value, uint64_t mul, uint64_t div)
{
	__uint128_t product = (__uint128_t)value * mul;

	return (uint64_t)((product + div - 1) / div);
}

uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
