#include "render/profile/sample.h"

#include <string.h>

#include "core/decimal.h"
#include "core/wallclock.h"

static const char bad_time[] = "the time is not a plain number of seconds",
		  bad_value[] = "the value is not a plain positive number", no_value[] = "no number at the end",
		  large_value[] = "the value is too large", few_values[] = "fewer values than columns";

const char sample_late[] = "the time is too late", sample_negative[] = "a negative value";

static bool profile_sample_is_blank(char c)
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

/* The digits from text[i] on as a number, at most UINT64_MAX; *end: their end. */
static uint64_t profile_sample_take_digits(const char *text, size_t len, size_t i, size_t *end)
{
	uint64_t n = 0;

	for (; i < len && is_digit(text[i]); i++) {
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(text[i] - '0'), &n))
			n = UINT64_MAX;
	}
	*end = i;
	return n;
}

static uint64_t join_time(uint64_t seconds, uint64_t ns)
{
	uint64_t time_ns;

	if (__builtin_mul_overflow(seconds, NS_PER_SEC, &time_ns) || __builtin_add_overflow(time_ns, ns, &time_ns))
		return UINT64_MAX;
	return time_ns;
}

/* The length of the time and its blank in "@1475682078.014325678 main;run 5", or 0. */
static size_t profile_sample_parse_time(struct sample_line *s, const char *line, size_t len)
{
	uint64_t seconds, ns = 0;
	size_t i, point;

	s->timed = false;
	if (!len || line[0] != '@')
		return 0;
	seconds = profile_sample_take_digits(line, len, 1, &i);
	if (i == 1)
		return 0;
	if (i < len && line[i] == '.') {
		point = i;
		profile_sample_take_digits(line, len, point + 1, &i);
		for (size_t d = 1; d <= 9; d++)
			ns = ns * 10 + (point + d < i ? (uint64_t)(line[point + d] - '0') : 0);
	}
	if (i == len || line[i] != ' ')
		return 0;
	s->timed = true;
	s->time_ns = join_time(seconds, ns);
	return i + 1;
}

/* The start of "17", "17." or "17.25" after a blank at the end of text; len if text does not end in such a number. */
static size_t number_start(const char *text, size_t len)
{
	size_t i = len, points = 0;

	while (i && (is_digit(text[i - 1]) || text[i - 1] == '.'))
		points += text[--i] == '.';
	if (i == len || !i || !profile_sample_is_blank(text[i - 1]) || !is_digit(text[i]) || points > 1)
		return len;
	return i;
}

static size_t trim_blanks(const char *text, size_t len)
{
	while (len && profile_sample_is_blank(text[len - 1]))
		len--;
	return len;
}

static size_t profile_sample_last_word(const char *text, size_t len)
{
	while (len && !profile_sample_is_blank(text[len - 1]))
		len--;
	return len;
}

/* What is wrong with text that does not end in a value: it has none, or something like "-17", "-.25", "1e5". */
static const char *not_a_value(const char *text, size_t len)
{
	size_t start = profile_sample_last_word(text, len), at = start + 1;

	if (!len || !is_digit(text[len - 1]))
		return no_value;
	while (at < len && (is_digit(text[at]) || text[at] == '.'))
		at++;
	return start && text[start] == '-' && at == len ? sample_negative : bad_value;
}

/* Convert digits to *value and *decimals; false if they do not fit 64 bits. */
static bool profile_sample_parse_value(const char *digits, size_t len, uint64_t *value, unsigned *decimals)
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
	*value = 0;
	*decimals = len > whole ? (unsigned)(len - whole - 1) : 0;
	for (size_t i = 0; i < len; i++) {
		if (digits[i] == '.')
			continue;
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(digits[i] - '0'), value))
			return false;
	}
	return !__builtin_add_overflow(*value, round_up, value);
}

/* Take the first of two values, and convert both to the finer units; false if they do not fit. */
static bool parse_before(struct sample_line *s, const char *digits, size_t len)
{
	unsigned decimals, finer;

	if (!profile_sample_parse_value(digits, len, &s->before, &decimals))
		return false;
	finer = decimals > s->decimals ? decimals : s->decimals;
	s->before = decimal_shift(s->before, finer - decimals);
	s->value = decimal_shift(s->value, finer - s->decimals);
	s->decimals = finer;
	return s->before != UINT64_MAX && s->value != UINT64_MAX;
}

/* Is it "@1e12 main 5" or "@-1.5 main 5", meant as a time but not a valid one?  "@1 5" is not: its frame is
 * "@1". */
static bool is_bad_time(const char *line, size_t len)
{
	size_t i = len > 1 && line[1] == '-' ? 2 : 1;

	if (len <= i || line[0] != '@' || !is_digit(line[i++]))
		return false;
	while (i < len && (is_digit(line[i]) || memchr(".,:eE+-", line[i], 7)))
		i++;
	return i < len && line[i] == ' ' && number_start(line, len) > i + 1;
}

/* Set the stack to line[0..len), after which there are blanks up to end.  In "a;b;  3" the last frame is one blank, as
 * in flamegraph.pl and inferno, while a single blank only separates. */
static void set_stack(struct sample_line *s, const char *line, size_t len, size_t end)
{
	if (len && line[len - 1] == ';' && end > len + 1)
		len++;
	while (len && line[len - 1] == ';')
		len--;
	s->stack = line;
	s->stack_len = len;
}

static const char *profile_sample_parse(struct sample_line *s, const char *line, size_t len, bool two)
{
	size_t prefix = profile_sample_parse_time(s, line, len), start, end;

	line += prefix;
	len = trim_blanks(line, len - prefix);
	start = number_start(line, len);
	if (!prefix && is_bad_time(line, len))
		return bad_time;
	if (start == len)
		return not_a_value(line, len);
	if (!profile_sample_parse_value(line + start, len - start, &s->value, &s->decimals))
		return large_value;
	end = start;
	len = trim_blanks(line, end);
	start = number_start(line, len);
	s->two_values = two && start != len;
	s->before = 0;
	if (s->two_values) {
		if (!parse_before(s, line + start, len - start))
			return large_value;
		end = start;
		len = trim_blanks(line, end);
	}
	set_stack(s, line, len, end);
	return NULL;
}

const char *sample_parse(struct sample_line *s, const char *line, size_t len)
{
	return profile_sample_parse(s, line, len, true);
}

const char *sample_parse_one(struct sample_line *s, const char *line, size_t len)
{
	return profile_sample_parse(s, line, len, false);
}

const char *sample_parse_columns(struct sample_line *s, const char *line, size_t len, size_t count,
				 struct sample_column *columns)
{
	size_t prefix = profile_sample_parse_time(s, line, len), end = 0;

	line += prefix;
	len = trim_blanks(line, len - prefix);
	if (!prefix && is_bad_time(line, len))
		return bad_time;
	for (size_t i = count; i-- > 0;) {
		struct sample_column *c = &columns[i];
		size_t start = number_start(line, len);

		if (start == len)
			return few_values;
		if (!profile_sample_parse_value(line + start, len - start, &c->value, &c->decimals))
			return large_value;
		end = start;
		len = trim_blanks(line, end);
	}
	s->value = columns[0].value;
	s->decimals = columns[0].decimals;
	s->two_values = false;
	s->before = 0;
	set_stack(s, line, len, end);
	return NULL;
}

size_t sample_fault(const char *wrong, const char *line, size_t len)
{
	struct sample_column column;
	size_t start;

	if (wrong == bad_time || wrong == sample_late)
		return 1;
	len = trim_blanks(line, len);
	if (wrong == bad_value || wrong == no_value || wrong == sample_negative)
		return profile_sample_last_word(line, len) + 1;
	if (wrong != large_value && wrong != few_values)
		return 0;
	for (; (start = number_start(line, len)) < len; len = trim_blanks(line, start)) {
		if (!profile_sample_parse_value(line + start, len - start, &column.value, &column.decimals))
			return start + 1;
	}
	return wrong == few_values ? profile_sample_last_word(line, len) + 1 : 0;
}
