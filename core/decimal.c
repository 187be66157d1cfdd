#include "core/decimal.h"

enum { FRACTION_DIGITS = 18, POWER_MAX = 19, EXPONENT_MAX = 400 };

struct reader {
	const char *text;
	size_t len;
};

static int next_digit(struct reader *r)
{
	if (!r->len || *r->text < '0' || *r->text > '9')
		return -1;
	r->len--;
	return *r->text++ - '0';
}

static bool next_is(struct reader *r, char a, char b)
{
	if (!r->len || (*r->text != a && *r->text != b))
		return false;
	r->text++;
	r->len--;
	return true;
}

/* The exponent in "e-3", as the number of decimals that it adds. */
static bool read_exponent(struct reader *r, int *decimals)
{
	struct reader at = *r;
	bool minus;
	int exponent = 0, digit, count = 0;

	if (!next_is(&at, 'e', 'E'))
		return true;
	minus = next_is(&at, '-', '-');
	if (!minus)
		next_is(&at, '+', '+');
	for (; (digit = next_digit(&at)) >= 0; count++) {
		if (exponent < EXPONENT_MAX)
			exponent = 10 * exponent + digit;
	}
	*decimals += minus ? exponent : -exponent;
	*r = at;
	return count;
}

static bool decimal_push(uint64_t *digits, int digit)
{
	return !__builtin_mul_overflow(*digits, 10, digits) &&
	       !__builtin_add_overflow(*digits, (uint64_t)digit, digits);
}

bool decimal_read(const char **text, size_t *len, struct decimal *d)
{
	struct reader r = { *text, *len };
	size_t count = 0;
	uint64_t more;
	bool full = false;
	int digit;

	*d = (struct decimal){ 0 };
	for (; (digit = next_digit(&r)) >= 0; count++) {
		if (!decimal_push(&d->digits, digit))
			return false;
	}
	if (next_is(&r, '.', '.')) {
		for (; (digit = next_digit(&r)) >= 0; count++) {
			more = d->digits;
			full = full || !decimal_push(&more, digit);
			if (!full) {
				d->digits = more;
				d->decimals++;
			}
		}
	}
	if (!count || !read_exponent(&r, &d->decimals))
		return false;
	*text = r.text;
	*len = r.len;
	return true;
}

bool decimal_scale(const struct decimal *d, int power, uint64_t *n)
{
	uint64_t scaled = d->digits;

	for (power -= d->decimals; power < 0 && scaled; power++)
		scaled /= 10;
	if (scaled && power > POWER_MAX)
		return false;
	for (; scaled && power > 0; power--) {
		if (__builtin_mul_overflow(scaled, 10, &scaled))
			return false;
	}
	*n = scaled;
	return true;
}

bool decimal_round(const struct decimal *d, int power, uint64_t *n)
{
	uint64_t behind = d->digits;

	if (!decimal_scale(d, power, n))
		return false;
	for (power -= d->decimals; power < -1 && behind; power++)
		behind /= 10;
	*n += power < 0 && behind % 10 >= 5;
	return true;
}

uint64_t decimal_fraction(const struct decimal *d)
{
	uint64_t digits = d->digits, one = 1;
	int decimals = d->decimals;

	for (; decimals > FRACTION_DIGITS && digits; decimals--)
		digits /= 10;
	if (decimals <= 0 || !digits)
		return 0;
	for (int i = 0; i < decimals; i++)
		one *= 10;
	digits %= one;
	for (; decimals < FRACTION_DIGITS; decimals++)
		digits *= 10;
	return digits;
}
