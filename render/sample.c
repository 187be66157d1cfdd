#include "render/sample.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

uint64_t decimal_shift(uint64_t value, unsigned places)
{
	for (; places; places--) {
		if (value > UINT64_MAX / 10)
			return UINT64_MAX;
		value *= 10;
	}
	return value;
}

/* "@1475682078.014325678 main;run 5": the length of the time and its blank, or 0. */
static size_t time_prefix_len(const char *line, size_t len)
{
	size_t i = 1, digits = 1;

	if (!len || line[0] != '@')
		return 0;
	for (; i < len && is_digit(line[i]); i++)
		;
	digits = i;
	if (digits == 1)
		return 0;
	if (i < len && line[i] == '.') {
		for (i++; i < len && is_digit(line[i]); i++)
			;
	}
	return i < len && line[i] == ' ' ? i + 1 : 0;
}

/* "17", "17." or "17.25" at the end of text, behind a blank: where it starts,
 * or len when there is none. */
static size_t number_start(const char *text, size_t len)
{
	size_t i = len, points = 0;

	while (i && (is_digit(text[i - 1]) || text[i - 1] == '.'))
		points += text[--i] == '.';
	if (i == len || !i || !is_blank(text[i - 1]) || !is_digit(text[i]) || points > 1)
		return len;
	return i;
}

static size_t trim_blanks(const char *text, size_t len)
{
	while (len && is_blank(text[len - 1]))
		len--;
	return len;
}

/* Digits to s->value and s->decimals; false when they do not fit 64 bits. */
static bool parse_value(struct sample *s, const char *digits, size_t len)
{
	const char *point = memchr(digits, '.', len);
	size_t whole = point ? (size_t)(point - digits) : len;
	bool round_up = false;

	if (point) {
		while (digits[len - 1] == '0')
			len--;
		if (len - whole - 1 > SAMPLE_DECIMALS_MAX) {
			round_up = digits[whole + 1 + SAMPLE_DECIMALS_MAX] >= '5';
			len = whole + 1 + SAMPLE_DECIMALS_MAX;
		}
	}
	s->value = 0;
	s->decimals = len > whole ? (unsigned)(len - whole - 1) : 0;
	for (size_t i = 0; i < len; i++) {
		if (digits[i] == '.')
			continue;
		if (__builtin_mul_overflow(s->value, 10, &s->value) ||
		    __builtin_add_overflow(s->value, (uint64_t)(digits[i] - '0'), &s->value))
			return false;
	}
	return !__builtin_add_overflow(s->value, round_up, &s->value);
}

const char *sample_parse(struct sample *s, const char *line, size_t len)
{
	size_t prefix = time_prefix_len(line, len), start;

	line += prefix;
	len = trim_blanks(line, len - prefix);
	start = number_start(line, len);
	if (start == len)
		return len && is_digit(line[len - 1]) ? "the value is no plain positive number"
						      : "no number at the end";
	if (!parse_value(s, line + start, len - start))
		return "the value is too large";
	len = trim_blanks(line, start);
	start = number_start(line, len);
	s->two_values = start != len;
	if (s->two_values)
		len = trim_blanks(line, start);
	while (len && line[len - 1] == ';')
		len--;
	s->stack = line;
	s->stack_len = len;
	return NULL;
}
