/* folded: folded text (core/format/folded.h), as collapse and FlameGraph's stackcollapse programs
 * write it: to filter it, or to merge several files.
 *
 *     # pyrograph: host=db1 ... unit=samples     comments are kept
 *     java;start_thread;write_[k] 17             every line has as many values as the first one;
 *                                                columns= names them
 *     @1475682078.014325678 java;read 147000000  with times, if the first line has one; of
 *                                                spans of time, sums of short ones have none */
#include <string.h>

#include "collapse/fold/frame.h"
#include "collapse/fold/times.h"
#include "collapse/jvm/asprof.h"
#include "collapse/text/austin.h"
#include "collapse/parse/format.h"
#include "collapse/parse/span.h"
#include "core/format/folded.h"
#include "core/format/samples.h"

enum { SECONDS = 9 }; /* power of ten: ns */

/* --- lines -------------------------------------------------------------------------- */

/* Skip byte-order marks.  Windows puts one at the beginning of UTF-8, so concatenated files also have
 * them inside. */
static void skip_marks(const char **line, size_t *len)
{
	for (; *len >= 3 && !memcmp(*line, "\xef\xbb\xbf", 3); *len -= 3)
		*line += 3;
}

static void trim(const char *line, size_t *len)
{
	while (*len && (line[*len - 1] == ' ' || line[*len - 1] == '\t'))
		--*len;
}

/* "@1475682078.014325678 " */
static bool take_time(const char **line, size_t *len, uint64_t *ns)
{
	const char *at = *line + 1;
	size_t left = *len - 1;
	struct decimal time;

	if (!*len || **line != '@' || !decimal_read(&at, &left, &time) || !left || *at != ' ' ||
	    !decimal_scale(&time, SECONDS, ns))
		return false;
	*line = at + 1;
	*len = left - 1;
	return true;
}

/* The beginning of a line's last word, if it is a number that follows a stack; else NULL. */
static const char *last_number(const char *line, size_t len)
{
	const char *blank = len ? memrchr(line, ' ', len) : NULL, *at;
	struct decimal number;
	size_t left;

	if (!blank || blank == line)
		return NULL;
	at = blank + 1;
	left = (size_t)(line + len - at);
	return decimal_read(&at, &left, &number) && !left ? blank + 1 : NULL;
}

/* Read the only value of most lines, a few digits after one blank: "main;read 17".  Returns false if it is otherwise. */
static bool take_digits(const char *line, size_t *len, struct text_value *value)
{
	enum { DIGITS_MAX = 18 };
	uint64_t number = 0, one = 1;
	size_t i = *len;

	for (; i && is_digit(line[i - 1]) && *len - i < DIGITS_MAX; i--, one *= 10)
		number += one * (uint64_t)(line[i - 1] - '0');
	if (i == *len || i < 2 || line[i - 1] != ' ' || line[i - 2] == ' ' || line[i - 2] == '\t')
		return false;
	*value = (struct text_value){ .whole = number };
	*len = i - 1;
	return true;
}

/* Read the values at the end of the line; *len becomes the length of the stack.  Returns NULL, or a
 * description of the error at *at. */
static const char *take_values(struct text_stacks *s, const char *line, size_t *len, struct text_value *values,
			       const char **at)
{
	const char *wrong = NULL;

	if (s->setup->value_count == 1 && take_digits(line, len, values))
		return NULL;
	for (size_t i = s->setup->value_count; i-- > 0;) {
		const char *number = memrchr(line, ' ', *len), *end = line + *len;
		size_t left;

		*at = number ? number + 1 : line;
		left = (size_t)(end - *at);
		if (!number || number == line)
			return number || s->setup->value_count - 1 == i ? "no value" : "no stack, or too few values";
		if (!text_value_read(s, at, &left, &values[i], &wrong))
			return wrong;
		if (left)
			return "no value";
		*len = (size_t)(number - line);
		trim(line, len);
	}
	return *len ? NULL : "no stack";
}

/* "main;f; 17" has no third frame, as in flamegraph.pl; an empty frame elsewhere, or a last one that is a blank, "main;  17", is
 * a frame. */
static void drop_empty_end(const char **stack, size_t *len, const char *end)
{
	if (*len + 1 < (size_t)(end - *stack) && is_blank((*stack)[*len + 1]))
		return;
	while (*len && (*stack)[*len - 1] == ';')
		--*len;
	if (!*len) {
		*stack = FRAME_NO_NAME;
		*len = strlen(FRAME_NO_NAME);
	}
}

/* The stacks of a part. */
struct stack_reader {
	struct str frames;
	size_t tried, known; /* stacks that were looked for, and found, among those seen before */
};

enum { TRIED_MIN = 256 };

/* Are most stacks new?  Then keeping their texts gains nothing. */
static bool are_new(const struct stack_reader *r)
{
	return r->tried >= TRIED_MIN && r->known < r->tried / 4;
}

static uint32_t parse_stack(struct text_stacks *s, const char *text, size_t len, struct stack_reader *r)
{
	const char *end = text + len, *stop;
	uint32_t stack, known = 0, frame;
	bool is_looked_for = !are_new(r);

	r->tried += is_looked_for;
	if (is_looked_for && text_known(s, text, len, &stack, &known)) {
		r->known++;
		return stack;
	}
	str_clear(&r->frames);
	for (; text <= end; text = stop + 1) {
		stop = memchr(text, ';', (size_t)(end - text));
		if (!stop)
			stop = end;
		frame = text_frame(s, TEXT_PLAIN, text, (size_t)(stop - text));
		str_add(&r->frames, (const char *)&frame, sizeof(frame));
	}
	stack = text_stack(s, (const uint32_t *)(const void *)r->frames.buf, r->frames.len / sizeof(frame));
	if (is_looked_for)
		text_is(s, known, stack);
	return stack;
}

/* --- the input ---------------------------------------------------------------------- */

static void parse_line(struct text_stacks *s, const char *line, size_t len, struct text_sample *sample,
		       struct stack_reader *stacks)
{
	struct text_value values[TEXT_VALUES_MAX];
	bool has_time = take_time(&line, &len, &sample->time_ns);
	const char *end = line + len, *wrong, *at;

	if (!has_time && s->setup->sums_untimed) {
		sample->time_ns = TIMES_NONE;
	} else if (has_time != s->setup->timed) {
		text_wrong(s, line, s->setup->timed ? "no time" : "a time, although earlier lines have none");
		return;
	}
	wrong = take_values(s, line, &len, values, &at);
	if (wrong) {
		text_wrong(s, at, wrong);
		return;
	}
	if (line[len - 1] == ';')
		drop_empty_end(&line, &len, end);
	if (s->setup->whole) {
		text_whole_line(s, line, len, values);
		return;
	}
	sample->values = values;
	sample->stack = parse_stack(s, line, len, stacks);
	fold_add_text(s, sample);
}

static void parse(const struct text_part *part)
{
	struct text_stacks *s = part->out;
	struct text_sample sample = { .labels = text_label(s, &TEXT_NO_LABELS) };
	const char *next = NULL, *line;
	struct stack_reader stacks = { 0 };
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		skip_marks(&line, &len);
		trim(line, &len);
		if (text_is_comment(line, len))
			text_comment(s, line, len);
		else if (len)
			parse_line(s, line, len, &sample, &stacks);
	}
	str_free(&stacks.frames);
}

/* "columns=time,count,longest": sets how many values there are, and how each is merged. */
static bool read_columns(const char *line, size_t len, struct text_setup *setup)
{
	static const char key[] = " " FOLDED_COLUMNS "=";
	const char *at = memmem(line, len, key, strlen(key)), *end = line + len;
	size_t n, count = 0;

	if (!at)
		return false;
	for (at += strlen(key); at < end && count < TEXT_VALUES_MAX; at += n + 1, count++) {
		for (n = 0; at + n < end && at[n] != ',' && at[n] != ' '; n++)
			;
		if ((n == strlen("longest") && !memcmp(at, "longest", n)) ||
		    (n == strlen("peak") && !memcmp(at, "peak", n)))
			setup->longest |= 1u << count;
		if (at + n == end || at[n] == ' ') {
			setup->value_count = count + 1;
			return true;
		}
	}
	return false;
}

/* The first stack shows whether lines have times, and how many values. */
static void begin(const char *text, size_t len, struct text_setup *setup)
{
	static const char spans[] = " " FOLDED_SPANS "=";
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line, *number;
	bool has_columns = false;
	uint64_t ns;

	setup->timed = setup->sums_untimed = false;
	while (text_line(&part, &next, &line, &len)) {
		skip_marks(&line, &len);
		trim(line, &len);
		if (len > strlen(FOLDED_HEADER) && !memcmp(line, FOLDED_HEADER, strlen(FOLDED_HEADER))) {
			has_columns = read_columns(line, len, setup);
			setup->sums_untimed = memmem(line, len, spans, strlen(spans)) != NULL;
		}
		if (text_is_comment(line, len) || !len)
			continue;
		setup->timed = take_time(&line, &len, &ns);
		setup->sums_untimed &= setup->timed;
		number = has_columns ? NULL : last_number(line, len);
		while (number && setup->value_count < 2) {
			len = (size_t)(number - line) - 1;
			number = last_number(line, len);
			setup->value_count += number != NULL;
		}
		return;
	}
}

enum { LINES_LOOKED_AT = 64 };

/* Sure are a header of ours, and lines that all end in a number of which some have a semicolon. */
static enum sniffed sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	bool stacks = false, threads = false;
	size_t lines = 0, size = len;

	if (memchr(text, '\0', len))
		return SNIFF_NO;
	while (lines < LINES_LOOKED_AT && text_line(&part, &next, &line, &len) &&
	       (next < part.text + part.len || !lines)) {
		skip_marks(&line, &len);
		trim(line, &len);
		if (!lines && len > strlen(FOLDED_HEADER) && !memcmp(line, FOLDED_HEADER, strlen(FOLDED_HEADER)))
			return samples_begin(text, size) ? SNIFF_NO : SNIFF_SURE;
		if (!len || text_is_comment(line, len))
			continue;
		if (!last_number(line, len) || austin_is_line(line, len))
			return SNIFF_NO;
		stacks |= memchr(line, ';', len) != NULL;
		threads |= !lines && asprof_names_thread(line, len);
		lines++;
	}
	return !lines ? SNIFF_NO : stacks && !threads ? SNIFF_SURE : SNIFF_MAYBE;
}

const struct input_format folded_format = {
	.name = "folded",
	.holds = "stacks and values",
	.wanted = "'frame;frame;... value'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_STAYS_TIMED | TEXT_IS_FOLDED,
	.sniff = sniff,
	.begin = begin,
	.split = text_split_lines,
	.parse = parse,
};
