/* samples: the output of collapse --out samples, and of stores (core/format/samples.h): samples refer to stacks and
 * labels by number.
 *
 *     # pyrograph: host=db1 ... root=comm,cpu unit=samples
 *     l 0 comm=java<TAB>cpu=cpu1
 *     s 0 main;read
 *     @1475682078.014325678 0 0 1
 *
 * A definition holds for all lines after it, so one thread parses all parts. */
#include "core/format/samples.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/folded_shape.h"
#include "core/memory.h"

enum { SECONDS = 9 };

/* The definitions, which are kept from part to part. */
struct defined {
	uint32_t *labels, *stacks; /* by number: that of text_label(), text_stack() */
	size_t label_count, label_cap, stack_count, stack_cap;
	uint32_t *frames; /* of the current stack */
	size_t frame_cap;
};

static void defined_free(void *own)
{
	struct defined *d = own;

	free(d->labels);
	free(d->stacks);
	free(d->frames);
	free(d);
}

static struct defined *defined_of(struct text_stacks *s)
{
	if (!s->own) {
		s->own = xcalloc(1, sizeof(struct defined));
		s->own_free = defined_free;
	}
	return s->own;
}

/* Take a number and the blank after it. */
static bool samples_take_number(const char **at, const char *end, uint64_t *n)
{
	const char *start = *at;

	for (*n = 0; *at < end && is_digit(**at) && *n < UINT64_MAX / 10 - 1; ++*at)
		*n = *n * 10 + (uint64_t)(**at - '0');
	if (*at == start || (*at < end && **at != ' '))
		return false;
	*at += *at < end;
	return true;
}

static bool samples_define_labels(struct text_stacks *s, struct defined *d, const char *text, const char *end)
{
	struct text_labels labels = TEXT_NO_LABELS;
	uint64_t number;

	if (!samples_take_number(&text, end, &number) || number != d->label_count)
		return false;
	labels.given = text_name(s, text, (size_t)(end - text));
	d->labels = xgrow(d->labels, &d->label_cap, d->label_count + 1, sizeof(*d->labels));
	d->labels[d->label_count++] = text_label(s, &labels);
	return true;
}

static bool samples_define_stack(struct text_stacks *s, struct defined *d, const char *text, const char *end)
{
	uint64_t number;
	size_t count = 0;

	if (!samples_take_number(&text, end, &number) || number != d->stack_count)
		return false;
	while (text < end) {
		const char *stop = memchr(text, ';', (size_t)(end - text));

		d->frames = xgrow(d->frames, &d->frame_cap, count + 1, sizeof(*d->frames));
		d->frames[count++] = text_frame(s, TEXT_PLAIN, text, (size_t)((stop ? stop : end) - text));
		text = stop ? stop + 1 : end;
	}
	d->stacks = xgrow(d->stacks, &d->stack_cap, d->stack_count + 1, sizeof(*d->stacks));
	d->stacks[d->stack_count++] = text_stack(s, d->frames, count);
	return true;
}

/* "1475682078.014325678 " */
static bool samples_take_time(const char **at, const char *end, uint64_t *ns)
{
	size_t left = (size_t)(end - *at);
	struct decimal time;

	if (!decimal_read(at, &left, &time) || !left || **at != ' ' || !decimal_scale(&time, SECONDS, ns))
		return false;
	++*at;
	return true;
}

/* What is wrong, or NULL. */
static const char *samples_add_sample(struct text_stacks *s, const struct defined *d, const char *at, const char *end)
{
	struct text_value values[TEXT_VALUES_MAX];
	struct text_sample sample = { .values = values, .time_ns = TIMES_NONE };
	const char *wrong = NULL;
	uint64_t labels, stack;
	size_t left;

	if (*at == SAMPLES_TIME && (at++, !samples_take_time(&at, end, &sample.time_ns)))
		return "no time";
	if (*at == SAMPLES_UNTIMED[0])
		at += strlen(SAMPLES_UNTIMED);
	if (!samples_take_number(&at, end, &labels) || !samples_take_number(&at, end, &stack) ||
	    labels >= d->label_count || stack >= d->stack_count)
		return "labels or a stack that are not defined";
	for (size_t i = 0; i < s->setup->value_count; i++) {
		left = (size_t)(end - at);
		if (!text_value_read(s, &at, &left, &values[i], &wrong))
			return wrong;
		at += at < end && *at == ' ';
	}
	if (at < end)
		return "more than the values";
	sample.labels = d->labels[labels];
	sample.stack = d->stacks[stack];
	fold_add_text(s, &sample);
	return NULL;
}

/* After a header of another file, numbers count from 0 again. */
static void begin_file(struct text_stacks *s, struct defined *d, const char *header, size_t len)
{
	struct text_setup setup = *s->setup;

	shape_read_header(header, len, &setup);
	if (setup.columns != s->setup->columns)
		text_refuse(s, header, "other columns");
	d->label_count = d->stack_count = 0;
}

static void samples_parse_line(struct text_stacks *s, struct defined *d, const char *line, size_t len)
{
	const char *end = line + len, *wrong = "not a line of samples";

	if (text_is_comment(line, len)) {
		text_comment(s, line, len);
		if (shape_is_header(line, len))
			begin_file(s, d, line, len);
		return;
	}
	if (line[0] == SAMPLES_TIME || text_begins(line, len, SAMPLES_UNTIMED))
		wrong = samples_add_sample(s, d, line, end);
	else if (text_begins(line, len, SAMPLES_LABELS))
		wrong = samples_define_labels(s, d, line + strlen(SAMPLES_LABELS), end) ? NULL
											: "labels out of their order";
	else if (text_begins(line, len, SAMPLES_STACK))
		wrong = samples_define_stack(s, d, line + strlen(SAMPLES_STACK), end) ? NULL
										      : "a stack out of its order";
	if (wrong)
		text_wrong(s, line, wrong);
}

static void samples_parse(const struct text_part *part)
{
	struct defined *d = defined_of(part->out);
	const char *next = NULL, *line;
	size_t len;

	while (!part->out->refused.what && text_line(part, &next, &line, &len)) {
		if (len)
			samples_parse_line(part->out, d, line, len);
	}
}

/* The header tells what the values are; the first sample shows whether samples have times. */
static void samples_begin_format(const char *text, size_t len, struct text_setup *setup)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;

	setup->timed = setup->sums_untimed = false;
	while (text_line(&part, &next, &line, &len)) {
		if (shape_is_header(line, len)) {
			shape_read_header(line, len, setup);
		} else if (len && line[0] == SAMPLES_TIME) {
			setup->timed = true;
			return;
		} else if (text_begins(line, len, SAMPLES_UNTIMED)) {
			setup->sums_untimed = false;
			return;
		}
	}
}

/* Its header is that of folded text. */
static enum sniffed samples_sniff(const char *text, size_t len)
{
	return shape_is_header(text, len) && samples_begin(text, len) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format samples_format = {
	.name = "samples",
	.holds = "samples with labels",
	.wanted = "'@time labels stack value'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_ROOTS | TEXT_IN_ORDER,
	.sniff = samples_sniff,
	.begin = samples_begin_format,
	.split = text_split_lines,
	.parse = samples_parse,
};
