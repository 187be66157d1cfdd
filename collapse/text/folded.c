/* folded: folded text (core/format/folded.h), as collapse and FlameGraph's stackcollapse programs
 * write it: to filter it, or to merge several files.
 *
 *     # pyrograph: host=db1 ... unit=samples     comments are kept
 *     java;start_thread;write_[k] 17             columns= names several values; without it, there are two if all
 *                                                lines end in two numbers
 *     @1475682078.014325678 java;read 147000000  with times, if the first line has one; of
 *                                                spans of time, sums of short ones have none */
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/fold/times.h"
#include "collapse/jvm/asprof.h"
#include "collapse/text/austin.h"
#include "collapse/parse/format.h"
#include "collapse/parse/span.h"
#include "collapse/parse/folded_shape.h"
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

static void text_folded_trim(const char *line, size_t *len)
{
	while (*len && (line[*len - 1] == ' ' || line[*len - 1] == '\t'))
		--*len;
}

/* "@1475682078.014325678 " */
static bool text_folded_take_time(const char **line, size_t *len, uint64_t *ns)
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

/* The beginning of the last word of a line, if it is a number that follows a stack; else NULL. */
static const char *last_number(const char *line, size_t len)
{
	const char *blank = len ? memrchr(line, ' ', len) : NULL, *at;
	struct decimal number;
	size_t left;

	if (!blank || blank == line)
		return NULL;
	at = blank + 1 + (blank + 1 < line + len && blank[1] == '-');
	left = (size_t)(line + len - at);
	return decimal_read(&at, &left, &number) && !left ? blank + 1 : NULL;
}

/* Read the only value of a common line, a few digits after one blank: "main;read 17".  Returns false for any other
 * line. */
static bool text_folded_take_digits(const char *line, size_t *len, struct text_value *value)
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
static const char *text_folded_take_values(struct text_stacks *s, const char *line, size_t *len,
					   struct text_value *values, const char **at)
{
	const char *wrong = NULL;

	if (s->setup->value_count == 1 && text_folded_take_digits(line, len, values))
		return NULL;
	for (size_t i = s->setup->value_count; i-- > 0;) {
		const char *number = memrchr(line, ' ', *len), *end = line + *len;
		size_t left;

		*at = number ? number + 1 : line;
		left = (size_t)(end - *at);
		if (!number || number == line)
			wrong = number || s->setup->value_count - 1 == i ? "no value" : "no stack, or too few values";
		else if (text_signed_read(s, at, &left, &values[i], &wrong))
			wrong = left ? "no value" : NULL;
		if (wrong) {
			s->few_values |= i + 1 < s->setup->value_count && !is_digit(**at) && **at != '-';
			return wrong;
		}
		*len = (size_t)(number - line);
		text_folded_trim(line, len);
	}
	return *len ? NULL : "no stack";
}

/* "main;f; 17" has no third frame, as in flamegraph.pl.  An empty frame elsewhere, or a last frame that is a blank,
 * "main;  17", is a frame. */
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
	size_t tried, known; /* how many stacks were looked up among those seen before, and found */
};

enum { TRIED_MIN = 256 };

/* Are most stacks new?  Then keeping their texts saves nothing. */
static bool are_new(const struct stack_reader *r)
{
	return r->tried >= TRIED_MIN && r->known < r->tried / 4;
}

static uint32_t text_folded_parse_stack(struct text_stacks *s, const char *text, size_t len, struct stack_reader *r)
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

static void text_folded_parse_line(struct text_stacks *s, const char *line, size_t len, struct text_sample *sample,
				   struct stack_reader *stacks)
{
	struct text_value values[TEXT_VALUES_MAX];
	bool has_time = text_folded_take_time(&line, &len, &sample->time_ns);
	const char *end = line + len, *wrong, *at;

	if (!has_time && s->setup->sums_untimed) {
		sample->time_ns = TIMES_NONE;
	} else if (has_time != s->setup->timed) {
		text_wrong(s, line, s->setup->timed ? "no time" : "a time, although earlier lines have none");
		return;
	}
	wrong = text_folded_take_values(s, line, &len, values, &at);
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
	sample->stack = text_folded_parse_stack(s, line, len, stacks);
	fold_add_text(s, sample);
}

/* The lines from a header on. */
struct headed {
	const char *header; /* the header that was found; NULL: none, or its lines were already compared */
	struct text_setup setup;
};

static void note_header(const char *line, size_t len, struct headed *h)
{
	if (!shape_is_header(line, len))
		return;
	h->header = line;
	shape_read_header(line, len, &h->setup);
}

/* Do the lines below a header, the first of which is given, have the same form as those above? */
static void check_header(const struct text_part *part, const char *line, size_t len, struct headed *h)
{
	const char *header = h->header, *differs = "samples and their labels";
	uint64_t ns;

	h->header = NULL;
	if (!samples_begin(header, (size_t)(part->text + part->len - header))) {
		h->setup.timed = text_folded_take_time(&line, &len, &ns);
		differs = shape_difference(part->out->setup, &h->setup);
	}
	if (differs)
		text_refuse(part->out, header, differs);
}

static void text_folded_parse(const struct text_part *part)
{
	struct text_stacks *s = part->out;
	struct text_sample sample = { .labels = text_label(s, &TEXT_NO_LABELS) };
	const char *next = NULL, *line;
	struct stack_reader stacks = { 0 };
	struct headed headed = { 0 };
	size_t len;

	while (!s->refused.what && text_line(part, &next, &line, &len)) {
		skip_marks(&line, &len);
		text_folded_trim(line, &len);
		if (text_is_comment(line, len)) {
			text_comment(s, line, len);
			note_header(line, len, &headed);
			continue;
		}
		if (!len)
			continue;
		if (headed.header)
			check_header(part, line, len, &headed);
		text_folded_parse_line(s, line, len, &sample, &stacks);
	}
	str_free(&stacks.frames);
}

/* Whole lines; if there are comments, which may be a header, also the line after them. */
static size_t text_folded_split(const char *text, size_t len)
{
	size_t whole = text_split_lines(text, len);

	while (whole) {
		const char *newline = whole > 1 ? memrchr(text, '\n', whole - 1) : NULL;
		size_t start = newline ? (size_t)(newline - text) + 1 : 0;

		if (!text_is_comment(text + start, whole - 1 - start))
			break;
		whole = start;
	}
	return whole;
}

/* How many numbers (at most 2) the line ends in. */
static size_t count_numbers(const char *line, size_t len)
{
	const char *number = last_number(line, len);

	if (!number)
		return 0;
	len = (size_t)(number - line) - 1;
	text_folded_trim(line, &len);
	return last_number(line, len) ? 2 : 1;
}

/* Do all stacks from *next up to the next header end in two numbers? */
static bool all_have_two(const struct text_part *part, const char *next)
{
	const char *line;
	size_t len;

	while (text_line(part, &next, &line, &len) && (next < part->text + part->len || next[-1] == '\n')) {
		skip_marks(&line, &len);
		text_folded_trim(line, &len);
		if (shape_is_header(line, len))
			break;
		if (len && !text_is_comment(line, len) && count_numbers(line, len) == 1)
			return false;
	}
	return true;
}

/* The first stack shows whether lines have times.  If no header names the columns, there are two if all lines end in two
 * numbers: one number may belong to a frame ("at timers.js position 7095"). */
static void text_folded_begin(const char *text, size_t len, struct text_setup *setup)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	uint64_t ns;

	setup->timed = setup->sums_untimed = false;
	while (text_line(&part, &next, &line, &len)) {
		skip_marks(&line, &len);
		text_folded_trim(line, &len);
		if (shape_is_header(line, len))
			shape_read_header(line, len, setup);
		if (text_is_comment(line, len) || !len)
			continue;
		setup->timed = text_folded_take_time(&line, &len, &ns);
		setup->sums_untimed &= setup->timed;
		if (setup->columns)
			return;
		if (setup->columns_asked) {
			setup->value_count = setup->columns_asked;
		} else if (count_numbers(line, len) == 2) {
			setup->two_seen = !all_have_two(&part, next);
			setup->value_count = setup->two_seen ? 1 : 2;
		}
		return;
	}
}

enum { LINES_LOOKED_AT = 64 };

/* The format is sure if there is a header of ours, or if all lines end in a number and some have a semicolon. */
static enum sniffed text_folded_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	bool stacks = false, threads = false;
	size_t lines = 0, size = len;

	while (lines < LINES_LOOKED_AT && text_line(&part, &next, &line, &len) &&
	       (next < part.text + part.len || !lines)) {
		skip_marks(&line, &len);
		text_folded_trim(line, &len);
		if (!lines && shape_is_header(line, len))
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
	.sniff = text_folded_sniff,
	.begin = text_folded_begin,
	.split = text_folded_split,
	.parse = text_folded_parse,
};
