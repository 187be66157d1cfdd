#include "render/rows/rows.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/wallclock.h"
#include "render/drawing/chart_options.h"
#include "render/profile/strays.h"

/* 1980: earlier times are not of a wall clock. */
static const uint64_t EPOCH_LEAST_NS = 10ull * 366 * 86400 * NS_PER_SEC;

/* ---- lines ---- */

enum rows_line rows_line(struct rows_input *in, const struct line_filter *filter, const char *line, size_t len)
{
	if (line_is_blank(line, len))
		return ROWS_NOTHING;
	if (line_is_comment(line, len))
		return ROWS_COMMENT;
	in->lines++;
	if (line_passes(filter, line, len))
		return ROWS_SAMPLE;
	in->filtered_lines++;
	return ROWS_NOTHING;
}

struct rows_reader {
	void *chart;
	const struct line_filter *filter;
	rows_take *take;
};

static const char *rows_take_line(void *to, const char *line, size_t len)
{
	const struct rows_reader *r = to;

	return r->take(r->chart, r->filter, line, len);
}

int rows_read(struct rows_input *in, const char *path, const struct line_filter *filter, rows_take *take, void *chart)
{
	return lines_take(path, rows_take_line, &(struct rows_reader){ chart, filter, take }, &in->bad_lines);
}

/* ---- the window ---- */

static bool rows_header_time(const struct rows_input *in, const char *key, uint64_t *ns)
{
	const char *text = source_get(&in->source, key);
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return false;
	*ns = when.ns;
	return true;
}

bool rows_window_begin(struct rows_input *in, const char *from, const char *to)
{
	if (rows_header_time(in, from, &in->start_ns) && rows_header_time(in, to, &in->end_ns) &&
	    in->start_ns < in->end_ns)
		return true;
	in->start_ns = UINT64_MAX;
	in->end_ns = 0;
	return false;
}

void rows_window_end(struct rows_input *in)
{
	in->relative = source_get(&in->source, FOLDED_CLOCK) || in->start_ns < EPOCH_LEAST_NS;
}

const char *rows_window_part(const struct rows_input *in, const char *from, const char *to, uint64_t *start_ns,
			     uint64_t *end_ns)
{
	struct instant first = wanted_instant(from, "--from"), last = wanted_instant(to, "--to");

	*start_ns = from ? instant_resolve(&first, in->start_ns, in->end_ns) : in->start_ns;
	*end_ns = to ? instant_resolve(&last, in->start_ns, in->end_ns) : in->end_ns;
	if (*start_ns >= *end_ns)
		return "--from is not before --to";
	return *end_ns - *start_ns >= ROWS_NS_MAX ? "the lines span more than 104 days: give --from, --to" : NULL;
}

size_t rows_leave_strays(struct rows_input *in, const char *what, void *items, size_t count, size_t size)
{
	struct strays strays = { 0 };
	uint64_t from_ns, to_ns, time_ns;
	char *bytes = items;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		memcpy(&time_ns, bytes + i * size, sizeof(time_ns));
		strays_see(&strays, time_ns);
	}
	if (!strays_leave(&strays, what, &in->source, &from_ns, &to_ns))
		return count;
	for (size_t i = 0; i < count; i++) {
		memcpy(&time_ns, bytes + i * size, sizeof(time_ns));
		if (time_ns >= from_ns && time_ns < to_ns)
			memmove(bytes + kept++ * size, bytes + i * size, size);
	}
	return kept;
}

/* ---- a run ---- */

/* Returns 0, or -1 after a message. */
static int rows_read_all(const struct rows_chart *kind, void *chart, const struct line_filter *filter, bool strict,
			 char **inputs, int count)
{
	const struct rows_input *in = chart;

	inputs = inputs_or_stdin(inputs, &count);
	for (int i = 0; i < count; i++) {
		if (kind->read(chart, inputs[i], filter) < 0)
			return -1;
	}
	return report_bad_lines(in->bad_lines, in->lines, strict);
}

/* Returns the exit status. */
static int rows_draw(const struct rows_chart *kind, void *chart, const struct bars_options *o, struct bars_style *style)
{
	struct rows_input *in = chart;
	const char *wrong = bars_why_no_lines(in->lines, in->filtered_lines, in->bad_lines);

	if (!wrong)
		wrong = kind->finish(chart, o);
	if (wrong)
		return bars_write_nothing(style, kind->kind, wrong, o->common.output);
	bars_note_filters(&in->source, o);
	if (!style->title)
		style->title = kind->title;
	return kind->write(chart, style, o->common.output) < 0;
}

int rows_run(const struct rows_chart *kind, void *chart, struct bars_options *o, char **inputs, int count)
{
	struct bars_style style;
	int status = 1;

	bars_style_make(&style, o);
	if (rows_read_all(kind, chart, &style.lines, o->common.strict, inputs, count) == 0)
		status = rows_draw(kind, chart, o, &style);
	kind->free(chart);
	bars_style_free(&style);
	bars_options_free(o);
	return status;
}
