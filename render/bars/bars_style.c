#include "render/bars/bars_style.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/str.h"
#include "render/bars/bars_text.h"
#include "render/drawing/chart_options.h"
#include "render/drawing/format.h"

static bool has_row(const struct opt *rows, const char *name)
{
	while (rows->name && strcmp(rows->name, name))
		rows++;
	return rows->name;
}

/* Appends own, and the options of all bar charts except those in without. */
static int bars_style_options_parse(struct bars_options *o, const struct opt *own, const struct opt *without,
				    const struct manual *manual, int argc, char **argv)
{
	const struct opt shared[] = {
		{ .name = "output" },
		{ .name = "format" },
		{ .name = "scale" },
		{ .name = "title" },
		{ .name = "headline" },
		{ .name = "subtitle" },
		{ .name = "notes", .help = "kept in the picture" },
		{ .name = "width", .help = "width [1200]" },
		{ 0, "height", "PX", "height of a row, 14 or more [20]", .num = &o->height, .min = 14, .max = 200 },
		{ .name = "colors",
		  .help = "states, or safe: for the red-green colour-blind",
		  .choices = "states safe" },
		{ .name = "theme" },
		{ 0, "count", NULL, "bars are counts, not time", .flag = &o->by_count },
		{ 0, "row", "ROOTS", "a row for each comm, host,comm, ...", .text = &o->row },
		{ 0, "pools", NULL, "names that differ in their last number: one row", .flag = &o->pools },
		{ 0, "fold", "REGEXP", "names that match are one row (repeatable)", .list = &o->fold },
		{ 0, "top", "N", "draw N rows, and the others as one; 0: all [500]", .num = &o->top, .max = 50000 },
		{ 0, "min-share", "N%", "draw rows below that share of all as one", .text = &o->min_share },
		{ .name = "include" },
		{ .name = "exclude" },
		{ .name = "script" },
		{ .name = "siblings" },
		{ .name = "no-script" },
		{ .name = "no-javascript" },
		{ .name = "strict" },
		{ 0 },
	};
	struct opt_table table = { 0 };
	int left;

	opt_table_add(&table, own);
	opts_complete(table.rows, shared);
	for (const struct opt *row = shared; row->name; row++) {
		if (!has_row(own, row->name) && !has_row(without, row->name))
			opt_table_add(&table, (const struct opt[]){ *row, { 0 } });
	}
	left = chart_options_parse(&o->common, table.rows, manual, argc, argv);
	opt_table_free(&table);
	return left;
}

int bars_options_parse(struct bars_options *o, const struct opt *own, const struct manual *manual, int argc,
		       char **argv)
{
	static const struct opt none = { 0 };

	return bars_style_options_parse(o, own, &none, manual, argc, argv);
}

int bars_options_parse_timed(struct bars_options *o, const struct opt *own, const struct manual *manual, int argc,
			     char **argv)
{
	static const struct opt sums[] = { { .name = "count" }, { .name = "row" },       { .name = "pools" },
					   { .name = "fold" },  { .name = "min-share" }, { 0 } };

	return bars_style_options_parse(o, own, sums, manual, argc, argv);
}

/* ---- checks ----------------------------------------------------------------- */

/* "0.5%" as 0.005. */
static double parse_share(const char *text)
{
	char *end;
	double n;

	if (!text)
		return 0;
	n = strtod(text, &end);
	if (end == text || strcmp(end, "%") || !(n >= 0 && n <= 100))
		die_usage("--min-share needs a share such as 0.5%%, not '%s'", text);
	return n / 100;
}

static bool parse_colors(const char *name)
{
	if (name && strcmp(name, "safe") && strcmp(name, "states"))
		die_usage("--colors needs states or safe, not '%s'", name);
	return name && !strcmp(name, "safe");
}

static bool parse_color_by(const char *name)
{
	if (name && strcmp(name, "state") && strcmp(name, "longest"))
		die_usage("--color-by needs state or longest, not '%s'", name);
	return name && !strcmp(name, "longest");
}

void bars_style_make(struct bars_style *s, const struct bars_options *o)
{
	const char *theme = o->common.theme ? o->common.theme : "auto";

	chart_options_check(&o->common);
	*s = (struct bars_style){
		.title = o->common.title,
		.headline = headline_join(&o->common.headline),
		.subtitle = o->common.subtitle,
		.notes = o->common.notes,
		.script_url = o->common.script,
		.siblings_url = o->common.siblings,
		.theme_name = theme,
		.no_script = o->common.no_script,
		.fluid = !o->common.width,
		.by_count = o->by_count,
		.safe = parse_colors(o->common.colors),
		.by_longest = parse_color_by(o->color_by),
		.width_px = o->common.width ? (int32_t)o->common.width : 1200,
		.row_px = (int32_t)o->height,
		.top = (uint64_t)o->top,
		.min_share = parse_share(o->min_share),
		.scale = o->common.scale,
		.font = font_make(o->common.fonttype, o->common.fontsize),
		.theme = strcmp(theme, "auto") ? theme_find(theme) : theme_default(),
		.format = picture_format_find(o->common.format, o->common.output),
		.folding = { .pools = o->pools, .texts = o->fold.items, .pattern_count = o->fold.count },
		.lines = { .include_count = o->common.include.count, .exclude_count = o->common.exclude.count },
	};
	s->folding.patterns = regexps_compile(&o->fold, "--fold");
	s->lines.include = regexps_compile(&o->common.include, "--include");
	s->lines.exclude = regexps_compile(&o->common.exclude, "--exclude");
	s->font.metrics = format_metrics(s->format, &s->font, s->scale);
}

void bars_style_free(struct bars_style *s)
{
	regexps_free(s->lines.include, s->lines.include_count);
	regexps_free(s->lines.exclude, s->lines.exclude_count);
	regexps_free(s->folding.patterns, s->folding.pattern_count);
	format_metrics_free(s->font.metrics);
	free(s->headline);
	*s = (struct bars_style){ 0 };
}

void bars_options_free(struct bars_options *o)
{
	chart_options_free(&o->common);
	free(o->fold.items);
}

/* ---- input ------------------------------------------------------------------ */

void bars_note_filters(struct folded_source *source, const struct bars_options *o)
{
	struct str text = { 0 };

	chart_options_filters(&o->common, &text);
	if (text.len)
		source_join(source, FOLDED_FILTER, text.buf);
	str_free(&text);
}

int bars_read_all(struct bars *b, const struct bars_style *style, const struct bars_options *o, struct bars_wish *wish,
		  char **argv, int count)
{

	wish->rows = o->row;
	wish->lines = style->lines;
	argv = inputs_or_stdin(argv, &count);
	for (int i = 0; i < count; i++) {
		if (bars_read(b, argv[i], wish) < 0)
			return -1;
	}
	if (report_bad_lines(b->bad_lines, b->lines, o->common.strict) < 0)
		return -1;
	bars_note_filters(&b->source, o);
	bars_group(b, &style->folding);
	return 0;
}

bool bars_is_small(const struct bars *b, const struct bars_style *style, const struct bars_row *row)
{
	uint64_t whole = bars_measure(&b->amount, style->by_count);

	return style->min_share &&
	       (double)bars_measure(&row->amount, style->by_count) < style->min_share * (double)whole;
}

const char *bars_why_no_lines(uint64_t lines, uint64_t filtered, uint64_t bad)
{
	if (!lines)
		return "the input is empty";
	if (filtered == lines)
		return "no line passes the filters";
	if (bad > (lines - filtered) / 2)
		return bad + filtered == lines ? "no line of the input is usable for this chart"
					       : "most lines of the input are unusable for this chart";
	return NULL;
}

const char *bars_why_nothing(const struct bars *b, const struct bars_style *style)
{
	const char *why = bars_why_no_lines(b->lines, b->filtered_lines, b->bad_lines);

	if (why)
		return why;
	if (style->by_count && !b->has_count)
		return "the input has no column named count";
	if (style->by_longest && !b->has_longest)
		return "the input has no column named longest";
	if (style->by_count ? !b->amount.count : !b->amount.value)
		return "all values are zero";
	return NULL;
}

struct drawing bars_drawing(const struct bars_style *style, const struct page *page, const struct folded_source *source)
{
	return (struct drawing){
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.picture = { .title = style->title,
			     .headline = style->headline,
			     .notes = style->notes,
			     .source = source },
		.page = style->no_script ? NULL : page,
		.script_url = style->script_url,
		.siblings_url = style->siblings_url,
	};
}

int bars_write_nothing(const struct bars_style *style, const char *kind, const char *reason, const char *path)
{
	const struct nothing nothing = {
		.kind = kind,
		.unit = "ns",
		.width_px = style->width_px,
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.format = style->format,
	};

	return nothing_write(&nothing, reason, path);
}
