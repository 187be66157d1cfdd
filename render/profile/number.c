#include "render/profile/number.h"

#include <math.h>

#include "render/profile/sample.h"

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

void value_add(struct str *out, uint64_t value, const struct unit *unit)
{
	uint64_t one = decimal_shift(1, unit->decimals), rest = value % one;

	if (unit->factor != 1) {
		number_add(out, (uint64_t)llround((double)value / (double)one * unit->factor));
	} else {
		number_add(out, value / one);
		if (rest) {
			char digits[16];
			unsigned len = unit->decimals;

			for (unsigned i = len; i-- > 0; rest /= 10)
				digits[i] = (char)('0' + rest % 10);
			while (digits[len - 1] == '0')
				len--;
			str_addc(out, '.');
			str_add(out, digits, len);
		}
	}
	str_addc(out, ' ');
	str_puts(out, unit->name);
}

uint64_t scale_u64(uint64_t value, uint64_t mul, uint64_t div)
{
	uint64_t product;

	if (!__builtin_mul_overflow(value, mul, &product))
		return product / div;
	return (uint64_t)((__uint128_t)value * mul / div);
}

void share_add(struct str *out, uint64_t part, uint64_t whole)
{
	if (part)
		percent_add(out, part, whole ? whole : 1);
	else
		str_puts(out, "0%");
}

void percent_add(struct str *out, uint64_t part, uint64_t whole)
{
	uint64_t hundredths;

	if (part == whole) {
		str_puts(out, "100%");
		return;
	}
	hundredths = (uint64_t)(((__uint128_t)part * 20000 + whole) / ((__uint128_t)whole * 2));
	number_add(out, hundredths / 100);
	str_addc(out, '.');
	str_addc(out, (char)('0' + hundredths / 10 % 10));
	str_addc(out, (char)('0' + hundredths % 10));
	str_addc(out, '%');
}
