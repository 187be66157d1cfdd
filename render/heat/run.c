/* "render heat": timed folded lines on two axes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/wallclock.h"
#include "render/colours/palette.h"
#include "render/drawing/chart_entry.h"
#include "render/drawing/chart_options.h"
#include "render/drawing/format.h"
#include "render/heat/heat_code.h"
#include "render/heat/heat_draw.h"
#include "render/heat/heat_options.h"
#include "render/profile/root_places.h"

/* ---- the numbers of a heat map, for other programs ---- */

/* Map	time	offset_s	events	idle	unseen
 *     	2026-11-21T10:15:02.000000000Z	0.020000000	3	0	0.000
 *
 * Columns are separated by tabs.  There is a line for each cell that is not empty, or was not completely observed: by
 * column in order of time, and in each column by row from the bottom up. */

static void heat_table_add_heading(struct str *out, const struct heat_axes *a, bool relative)
{
	static const char *const rows[] = { "offset_s", "value", "percent" };
	static const char *const cells[] = { "events", "values", "painted_ns", "longest" };

	str_addf(out, "map\t%s\t%s\t%s\tidle\tunseen\n", relative ? "time_s" : "time", rows[a->y],
		 a->y == HEAT_Y_UTILIZATION ? "cpus" : cells[a->weigh]);
}

static void add_decimal(struct str *out, uint64_t n, unsigned decimals)
{
	uint64_t one = 1;

	for (unsigned i = 0; i < decimals; i++)
		one *= 10;
	str_add_u64(out, n / one);
	if (decimals)
		str_addf(out, ".%0*" PRIu64, (int)decimals, n % one);
}

static void add_row_name(struct str *out, const struct heat_chart *c, uint32_t row)
{
	static const unsigned decimals[] = { [HEAT_Y_OFFSET] = 9, [HEAT_Y_UTILIZATION] = 2 };

	add_decimal(out, heat_row_border(&c->axes, row),
		    c->axes.y == HEAT_Y_VALUE ? c->heat->decimals : decimals[c->axes.y]);
}

/* Map names come from the input, and a tab in a name would look like a column. */
static void heat_table_add_name(struct str *out, const char *name)
{
	for (; name && *name; name++)
		str_addc(out, (unsigned char)*name < ' ' ? ' ' : *name);
	str_addc(out, '\t');
}

/* Append the column's time; without a wall clock, in seconds since the start. */
static void heat_table_add_time(struct str *out, const struct heat_chart *c, uint32_t column)
{
	uint64_t ns = heat_column_ns(&c->axes, column);

	if (c->heat->relative)
		wallclock_add_seconds(out, ns - heat_column_ns(&c->axes, 0));
	else
		wallclock_add(out, ns);
}

static void heat_table_add_cell(struct str *out, const struct heat_chart *c, const struct heat_map *m, uint32_t column,
				uint32_t row)
{
	size_t cell = (size_t)column * c->axes.rows + row;
	bool are_values = c->axes.weigh == HEAT_VALUES || c->axes.weigh == HEAT_LONGEST;
	unsigned decimals = are_values ? c->heat->decimals : 0;
	uint64_t count = m->grid.cells[cell];
	uint64_t idle = c->axes.y == HEAT_Y_UTILIZATION ? 0 : m->idle.cells[cell];

	if (!count && !idle && !m->unseen[cell])
		return;
	heat_table_add_name(out, m->title ? m->title : "all");
	heat_table_add_time(out, c, column);
	str_addc(out, '\t');
	add_row_name(out, c, row);
	str_addc(out, '\t');
	add_decimal(out, count, decimals);
	str_addc(out, '\t');
	add_decimal(out, idle, decimals);
	str_addc(out, '\t');
	add_decimal(out, m->unseen[cell], 3);
	str_addc(out, '\n');
}

static void heat_table_write_all(const struct heat_chart *c, FILE *out)
{
	struct str text = { 0 };

	heat_table_add_heading(&text, &c->axes, c->heat->relative);
	for (size_t i = 0; i < c->map_count; i++) {
		for (uint32_t column = 0; column < c->axes.columns; column++) {
			for (uint32_t row = 0; row < c->axes.rows; row++)
				heat_table_add_cell(&text, c, &c->maps[i], column, row);
			if (text.len)
				fwrite(text.buf, 1, text.len, out);
			str_clear(&text);
		}
	}
	str_free(&text);
}

/* Write the table to path (NULL: stdout).  Returns 0, or -1 after a message. */
static int heat_table_write(const struct heat_chart *c, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	heat_table_write_all(c, out.file);
	return outfile_commit(&out);
}

/* ---- the run ---- */

/* The data of one run, from its options to the picture. */
struct run {
	struct heat_options options;
	struct heat_style style;
	struct heat_filter filter;
	struct heat heat;
	struct heat_axes axes;
	struct heat_hues hues;
	struct heat_chart chart;
	struct str title, wrong;
};

/* ---- input ------------------------------------------------------------------ */

/* Is the file at path among others, even under another name? */
static bool is_among(const char *path, char **others, int count)
{
	struct stat file, other;

	if (stat(path, &file) < 0 || !S_ISREG(file.st_mode))
		return false;
	for (int i = 0; i < count; i++) {
		if (!stat(others[i], &other) && other.st_dev == file.st_dev && other.st_ino == file.st_ino)
			return true;
	}
	return false;
}

/* "-" is standard input, which can be read only once. */
static bool heat_is_input(const char *path, char **argv, int count)
{
	for (int i = 0; i < count; i++) {
		if (!strcmp(path, argv[i]))
			return true;
	}
	return is_among(path, argv, count);
}

static int heat_run_read_all(struct run *r, char **argv, int count)
{
	argv = inputs_or_stdin(argv, &count);
	r->filter.lanes = !!r->options.lanes;
	for (int i = 0; i < count; i++) {
		if (is_among(argv[i], argv, i))
			warn("%s is given twice: its lines count twice", argv[i]);
		if (heat_read(&r->heat, argv[i], &r->filter) < 0)
			return -1;
	}
	return r->options.lanes
		       ? heat_lanes_read(&r->heat, r->options.lanes, heat_is_input(r->options.lanes, argv, count))
		       : 0;
}

static void warn_skipped(const char *what, const char *more, uint64_t count, uint64_t lines)
{
	if (count)
		warn("skipped %" PRIu64 " %s%s%s of %" PRIu64, count, what, count == 1 ? "" : "s", more, lines);
}

/* Returns 0, or -1 when bad lines are an error. */
static int heat_report_lines(const struct run *r)
{
	const struct heat *h = &r->heat;
	uint64_t bad = h->bad_lines + h->untimed_lines;

	if (bad && r->options.common.strict)
		return error("%" PRIu64 " of %" PRIu64 " lines %s bad; nothing drawn because of --strict", bad,
			     h->lines, bad == 1 ? "is" : "are");
	warn_skipped("bad line", "", h->bad_lines, h->lines);
	if (h->event_count)
		warn_skipped("line", " without a time", h->untimed_lines, h->lines);
	return 0;
}

static const char *heat_why_nothing(const struct heat *h)
{
	uint64_t wanted = h->lines - h->filtered_lines;

	if (h->recording_count && !h->lines)
		return NULL; /* observed, but nothing happened */
	if (!h->lines)
		return h->lanes.count ? "there are only lanes, and no lines for a map" : "the input is empty";
	if (h->event_count)
		return h->bad_lines + h->untimed_lines > wanted / 2
			       ? "most lines of the input are unusable for a heat map"
			       : NULL;
	if (h->untimed_lines)
		return "the lines have no times: 'pyrograph collapse --heat' makes lines with times";
	if (h->filtered_lines == h->lines)
		return "no line passes the filters";
	return "no line of the input is usable for a heat map";
}

/* ---- the time that is wanted ------------------------------------------------ */

/* As heat_window(), before heat_finish(). */
static bool heat_find_window(const struct heat *h, uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = UINT64_MAX;
	*to_ns = 0;
	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (r->from_ns && r->from_ns < *from_ns)
			*from_ns = r->from_ns;
		if (r->to_ns > *to_ns)
			*to_ns = r->to_ns;
	}
	for (size_t i = 0; i < h->event_count; i++) {
		if (h->time_ns[i] < *from_ns)
			*from_ns = h->time_ns[i];
		if (h->time_ns[i] >= *to_ns)
			*to_ns = h->time_ns[i] + 1;
	}
	return *from_ns < *to_ns;
}

/* Returns NULL, or why there is nothing to draw. */
static const char *heat_cut(struct run *r)
{
	const struct heat_options *o = &r->options;
	struct instant from = wanted_instant(o->common.from, "--from"), to = wanted_instant(o->common.to, "--to");
	uint64_t start, end;

	if (!o->common.from && !o->common.to)
		return NULL;
	if (!heat_find_window(&r->heat, &start, &end))
		return "the input is empty";
	r->filter.from_ns = o->common.from ? instant_resolve(&from, start, end) : start;
	r->filter.to_ns = o->common.to ? instant_resolve(&to, start, end) : end;
	if (o->common.from && o->common.to && r->filter.from_ns >= r->filter.to_ns)
		return "--from is not before --to";
	if (r->filter.from_ns >= end || r->filter.to_ns <= start)
		return "nothing was recorded in that time";
	return NULL;
}

/* Note in the picture which part of the input it shows. */
static void heat_note_filters(struct run *r)
{
	struct str text = { 0 };

	chart_options_filters(&r->options.common, &text);
	if (text.len)
		source_join(&r->heat.source, FOLDED_FILTER, text.buf);
	str_free(&text);
}

/* ---- words ------------------------------------------------------------------ */

/* "second", "minute", "5 minutes", "250 ms": words after "each" */
static void add_each(struct str *out, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = {
		{ 86400 * NS_PER_SEC, "day" },
		{ 3600 * NS_PER_SEC, "hour" },
		{ 60 * NS_PER_SEC, "minute" },
		{ NS_PER_SEC, "second" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t count = ns / units[i].ns;

		if (count && ns % units[i].ns == 0) {
			if (count > 1)
				str_addf(out, "%" PRIu64 " ", count);
			str_addf(out, "%s%s", units[i].name, count == 1 ? "" : "s");
			return;
		}
	}
	duration_add(out, ns);
}

static const char *heat_title_of(struct run *r)
{
	const char *unit = r->style.unit;

	switch (r->axes.y) {
	case HEAT_Y_UTILIZATION: return "CPU Utilization Heat Map";
	case HEAT_Y_VALUE: return r->heat.spans || heat_unit_ns(unit) ? "Latency Heat Map" : "Value Heat Map";
	case HEAT_Y_OFFSET: break;
	}
	str_puts(&r->title, r->axes.period_ns == NS_PER_SEC ? "Subsecond-offset" : "Offset");
	str_addf(&r->title, " heat map: %s within each ", heat_is_sampled(&r->heat) ? "CPU activity" : "activity");
	add_each(&r->title, r->axes.period_ns);
	return r->title.buf;
}

/* Does each event just count as one? */
static bool is_plain_count(const struct heat *h)
{
	return !h->value && h->same_value == 1 && !h->decimals;
}

static void heat_find_words(struct run *r)
{
	const char *unit = source_get(&r->heat.source, FOLDED_UNIT);
	struct root_places places;

	if (!r->style.unit)
		r->style.unit = unit ? unit : r->heat.spans ? "ns" : is_plain_count(&r->heat) ? "samples" : "";
	r->style.names_unit = r->heat.spans                                                  ? heat_spans_word(&r->heat)
			      : (unit ? !strcmp(unit, "samples") : is_plain_count(&r->heat)) ? "samples"
											     : "events";
	if (!r->style.title)
		r->style.title = heat_title_of(r);
	if (!r->style.palette) {
		root_places_read(&places, &r->heat.source);
		r->style.by_wait = places.wait >= 0;
		r->style.palette = palette_find(event_row_of(source_get(&r->heat.source, FOLDED_EVENT))->palette);
	}
}

/* ---- the picture ------------------------------------------------------------ */

/* Nothing can be drawn: say so in the picture and on stderr.  Returns the exit status. */
static int heat_write_nothing(const struct run *r, const char *reason)
{
	const struct heat_style *s = &r->style;
	const struct nothing nothing = {
		.kind = "heat",
		.unit = "ns",
		.width_px = s->width_px,
		.scale = s->scale,
		.font = &s->font,
		.theme = s->theme,
		.background = &s->theme->background,
		.format = s->format,
	};

	if (heat_options_is_table(&r->options)) {
		error("nothing to draw: %s", reason);
		return 2;
	}
	return nothing_write(&nothing, reason, r->options.common.output);
}

/* Count idle stacks like all others. */
static void count_idle(struct heat *h)
{
	for (size_t i = 0; i < h->stack_count; i++)
		h->stacks[i].idle = false;
	h->idle_events = 0;
	h->with_idle = true;
}

/* A sum over a second does not show how long single events took. */
static const char *why_no_values(struct run *r)
{
	struct str *why = &r->wrong;

	if (r->axes.y != HEAT_Y_VALUE || !heat_sums_add(why, &r->heat))
		return NULL;
	str_addf(why, ", whose values are not latencies: 'pyrograph collect %s' records single spans",
		 heat_singly(&r->heat));
	return why->buf;
}

/* Returns NULL, or why there can be no picture. */
static const char *heat_choose(struct run *r)
{
	const struct heat_options *o = &r->options;
	uint64_t from, to;
	const char *wrong;

	if (!heat_window(&r->heat, &from, &to))
		return "nothing was recorded in that time";
	zone_find(&r->style.zone, o->zone ? o->zone : "UTC", from, to);
	wrong = heat_wish_axes(&r->axes, &r->heat, o, &r->style.zone, from, to);
	if (!wrong)
		wrong = why_no_values(r);
	if (!wrong)
		heat_wish_hues(&r->hues, &r->heat, o);
	return wrong;
}

/* Print the warnings that the picture also contains. */
static void heat_tell_doubts(const struct run *r)
{
	bool of_values = r->axes.y == HEAT_Y_VALUE;
	struct str sums = { 0 }, open = { 0 }, shorter = { 0 }, strays = { 0 };
	uint64_t count;

	heat_doubt_sums(&sums, &r->heat);
	heat_doubt_short(&shorter, &r->heat);
	strays_say(&r->heat.strays, "events", &strays);
	if (strays.len)
		warn("%s", strays.buf);
	count = heat_doubt_open(&open, &r->heat, of_values);
	if (sums.len)
		warn("%s", sums.buf);
	if (open.len && of_values && heat_is_much(count, r->heat.event_count))
		warn("%s", open.buf);
	else if (open.len)
		inform("%s", open.buf);
	if (shorter.len)
		inform("%s", shorter.buf);
	str_free(&sums);
	str_free(&shorter);
	str_free(&strays);
	str_free(&open);
}

static int heat_run_draw(struct run *r)
{
	const struct heat_dimension *per = heat_wish_per(&r->heat, &r->options);

	heat_find_words(r);
	heat_chart_make(&r->chart, &r->heat, &r->axes, &r->hues, &r->style, per, (size_t)r->options.maps);
	if (r->options.lanes)
		heat_lanes_add(&r->chart, &r->heat.lanes, &r->options.lane);
	heat_tell_doubts(r);
	if (r->chart.remarks.len)
		warn("%s", r->chart.remarks.buf);
	if (r->chart.warning.len)
		warn("%s", r->chart.warning.buf);
	if (heat_options_is_table(&r->options))
		return heat_table_write(&r->chart, r->options.common.output);
	return heat_write(&r->chart, &r->style, r->options.common.output);
}

static void make_regexps(struct run *r)
{
	size_t count = r->style.regexp_count;
	struct regexp **res = xcalloc(count + 1, sizeof(*res));
	const char **labels = xcalloc(count + 1, sizeof(*labels));

	for (size_t i = 0; i < count; i++) {
		res[i] = regexp_compile(r->style.regexps[i].source, "--by-regexp");
		labels[i] = r->style.regexps[i].label;
	}
	if (count)
		heat_dimension_of_regexps(&r->heat, "regexp", res, labels, count);
	regexps_free(res, count);
	free(labels);
}

/* ---- all of it -------------------------------------------------------------- */

static void heat_run_make(struct run *r)
{
	heat_style_make(&r->style, &r->options);
	r->filter.stacks.include = regexps_compile(&r->options.common.include, "--include");
	r->filter.stacks.include_count = r->options.common.include.count;
	r->filter.stacks.exclude = regexps_compile(&r->options.common.exclude, "--exclude");
	r->filter.stacks.exclude_count = r->options.common.exclude.count;
}

static void heat_run_free(struct run *r)
{
	heat_chart_free(&r->chart);
	free(r->hues.keys);
	heat_free(&r->heat);
	regexps_free(r->filter.stacks.include, r->filter.stacks.include_count);
	regexps_free(r->filter.stacks.exclude, r->filter.stacks.exclude_count);
	heat_style_free(&r->style);
	heat_options_free(&r->options);
	str_free(&r->title);
	str_free(&r->wrong);
}

static int heat_run_verb(int argc, char **argv)
{
	struct run r = { 0 };
	const char *wrong;
	int status = 1;

	argc = heat_options_parse(&r.options, argc, argv);
	heat_run_make(&r);
	if (heat_run_read_all(&r, argv, argc) < 0 || heat_report_lines(&r) < 0)
		goto out;
	wrong = heat_why_nothing(&r.heat);
	if (!wrong)
		wrong = heat_cut(&r);
	if (!wrong && !heat_units_agree(&r.heat, &r.wrong))
		wrong = r.wrong.buf;
	if (!wrong && heat_finish(&r.heat, &r.filter) < 0)
		goto out;
	if (!wrong) {
		heat_note_filters(&r);
		make_regexps(&r);
		if (r.options.idle)
			count_idle(&r.heat);
		wrong = heat_choose(&r);
	}
	if (wrong)
		status = heat_write_nothing(&r, wrong);
	else
		status = heat_run_draw(&r) < 0 ? 1 : 0;
out:
	heat_run_free(&r);
	return status;
}

const struct chart_entry heat_entry = {
	.verb = { "heat", "a heat map: when things happen, or how long they take, over time", heat_run_verb },
	.page = &heat_page,
	.is_in = heat_is_in,
	.unfold = heat_unfold,
};
