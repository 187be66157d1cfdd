/* points: text of two columns, "time value", as trace2heatmap.pl reads it.
 *
 *     ENDTIME(us) LATENCY(us)      a first line with letters that is not such a pair is a heading
 *     329797210338 1834
 *     329797212301,  0.25          a comma may separate them; values may have fractions
 *
 * becomes timed folded text, by time:
 *
 *     # pyrograph: event=points clock=monotonic root=none unit=us
 *     @329797.210338000 points 1834
 *
 * Times are in --unitstime since the epoch or, if they are less than 10^9 s, since an unknown start.
 * Empty lines and those that begin with '#' are skipped. */
#include <ctype.h>
#include <string.h>

#include "collapse/parse/format.h"

static size_t points_skip_blanks(const char **text, size_t *len)
{
	size_t n = 0;

	while (n < *len && strchr(" \t\r", (*text)[n]) && (*text)[n])
		n++;
	*text += n;
	*len -= n;
	return n;
}

/* Skip the separator of the columns: blanks, or a comma with blanks around it. */
static bool skip_separator(const char **text, size_t *len)
{
	bool blanks = points_skip_blanks(text, len);

	if (!*len || **text != ',')
		return blanks;
	++*text;
	--*len;
	points_skip_blanks(text, len);
	return true;
}

/* Read "329797210338 1834" at *text.  Returns NULL, or a description of the error at *text. */
static const char *read_point(struct text_stacks *s, const char **text, size_t len, struct text_sample *sample,
			      struct text_value *value)
{
	const char *start = *text, *wrong;
	struct decimal time;

	if (len && **text == '-')
		return "a negative time";
	if (!decimal_read(text, &len, &time))
		return "no time";
	if (!skip_separator(text, &len))
		return len ? "no time" : "no value";
	if (!text_value_read(s, text, &len, value, &wrong))
		return wrong;
	points_skip_blanks(text, &len);
	if (len)
		return "more than a time and a value";
	if (decimal_scale(&time, s->setup->time_power, &sample->time_ns))
		return NULL;
	*text = start;
	return "a time that is too large (--unitstime?)";
}

static bool has_letters(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (isalpha((unsigned char)text[i]))
			return true;
	}
	return false;
}

static void points_parse(const struct text_part *part)
{
	struct text_stacks *s = part->out;
	uint32_t frame = text_frame(s, TEXT_PLAIN, "points", strlen("points"));
	struct text_value value;
	struct text_sample sample = { .values = &value,
				      .stack = text_stack(s, &frame, 1),
				      .labels = text_label(s, &TEXT_NO_LABELS) };
	const char *next = NULL, *line, *wrong;
	bool heading = !part->number;
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		const char *at = line;

		points_skip_blanks(&at, &len);
		if (!len || *at == '#')
			continue;
		line = at;
		wrong = read_point(s, &at, len, &sample, &value);
		if (!wrong)
			fold_add_text(s, &sample);
		else if (!heading || !has_letters(line, len))
			text_wrong(s, at, wrong);
		heading = false;
	}
}

static enum sniffed points_sniff(const char *text, size_t len)
{
	struct decimal number;

	points_skip_blanks(&text, &len);
	if (!decimal_read(&text, &len, &number) || !skip_separator(&text, &len))
		return SNIFF_NO;
	return decimal_read(&text, &len, &number) ? SNIFF_MAYBE : SNIFF_NO;
}

const struct input_format points_format = {
	.name = "points",
	.holds = "times and values",
	.wanted = "'time value'",
	.has = TEXT_HAS_TIMES | TEXT_STAYS_TIMED | TEXT_HAS_UNITS,
	.sniff = points_sniff,
	.split = text_split_lines,
	.parse = points_parse,
};
