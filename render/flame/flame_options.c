#include "render/flame/flame_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "render/drawing/chart_options.h"

static const struct flame_options defaults = {
	.common = CHART_OPTIONS,
	.nametype = "Function:",
	.minwidth = "0.1",
	.factor = 1,
	.detail = 16 << 20,
	.max_depth = 250, /* 4,000 pixels: what viewers and printers take */
};

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Reads folded lines (stdin without FILE) and writes a flame graph to stdout.",
	.examples = "  pyrograph collapse rec.data | pyrograph render flame >cpu.svg\n"
		    "  pyrograph render flame --color=java --title 'db1, noon' -o cpu.png rec.folded\n"
		    "  pyrograph render flame --split thread -o threads rec-by-thread.folded\n",
	.one_dash = true,
	.more = "More options, as in flamegraph.pl and inferno (see man pyrograph-render):\n"
		"  words: --headline --subtitle --notes --countname --nametype --factor --total\n"
		"  looks: --theme --height --fonttype --fontsize --truncate --bgcolors --uicolor\n"
		"  colours: --vector --hash --random --colordiffusion --cp --palette-map\n"
		"  attributes of frames: --nameattr\n",
};

int flame_options_parse(struct flame_options *o, int argc, char **argv)
{
	const struct opt rows[] = {
		{ .name = "output", .help = "write to FILE; with --split, a directory [stdout]" },
		{ .name = "format" },
		{ .name = "scale" },
		{ .name = "title", .help = "heading [Flame Graph]" },
		{ .name = "headline" },
		{ .name = "subtitle" },
		{ .name = "notes" },
		{ .name = "width", .min = 100, .max = 100000 },
		{ 0, "height", "PX", NULL, .num = &o->height, .min = 4, .max = 1000 },
		{ 0, "minwidth", "PX|N%", "leave out narrower frames at first [0.1]", .text = &o->minwidth },
		{ 0, "max-depth", "N", NULL, .num = &o->max_depth, .min = 0, .max = 1000000 },
		{ .name = "fonttype" },
		{ .name = "fontsize" },
		{ .name = "colors", .help = "palette: hot, java, js, rust, safe, ... [hot]", .choice = scheme_name },
		{ 0, "bgcolors", "NAME", NULL, .text = &o->bgcolors },
		{ 0, "countname", "TEXT", NULL, .text = &o->countname },
		{ 0, "nametype", "TEXT", NULL, .text = &o->nametype },
		{ 'i', "inverted", NULL, "root on top: an icicle graph", .flag = &o->inverted },
		{ 0, "icicle", NULL, NULL, .flag = &o->inverted },
		{ 'r', "reverse", NULL, "merge stacks from their leaves", .flag = &o->reverse },
		{ 0, "chart", NULL, "in order of time; only neighbours are merged", .flag = &o->chart },
		{ 0, "flamechart", NULL, NULL, .flag = &o->chart },
		{ 0, "idle", NULL, "show idle CPUs, and threads that wait for work", .flag = &o->idle },
		{ 0, "detail", "SIZE", "fold narrow frames of a larger file [16M]", .bytes = &o->detail },
		{ .name = "include" },
		{ .name = "exclude" },
		{ 0, "split", "ROOT", "a picture for each pid, thread, ... in directory -o", .text = &o->split },
		{ 0, "split-least", "PERCENT", "... those with less share one picture [0]", .real = &o->split_least },
		{ 0, "diff", "BASE", "the difference to BASE; repeated: a panel for each", .list = &o->diff },
		{ 0, "delta", "total|self", "color by what subtrees or frames changed [total]", .text = &o->delta },
		{ 0, "normalize", "WAY", NULL, .text = &o->normalize },
		{ 0, "threshold", "PERCENT", NULL, .text = &o->threshold },
		{ 0, "pids", NULL, NULL, .flag = &o->pids },
		{ 0, "chance", "PERCENT", NULL, .text = &o->chance },
		{ 0, "delta-colors", "PAIR", NULL, .text = &o->delta_colors },
		{ 0, "negate", NULL, NULL, .flag = &o->negate },
		{ 0, "elided", NULL, "with --diff: only frames that are gone", .flag = &o->elided },
		{ 0, "multiples", NULL, "a panel for each FILE, compared with the first", .flag = &o->multiples },
		{ 0, "animate", "STEP", "a picture for each STEP of time (collapse --timed)", .text = &o->animate },
		{ 0, "width-by", "EVENT", "with several events (collapse --root event): widths", .text = &o->width_by },
		{ 0, "color-by", "A[/B]", "... and colors: the share of an event, or a ratio", .text = &o->color_by },
		{ 0, "factor", "N", NULL, .real = &o->factor },
		{ 0, "total", "N", NULL, .real = &o->total },
		{ 0, "self-contained", NULL, "with --split: the script in each picture", .flag = &o->self_contained },
		{ .name = "script" },
		{ .name = "siblings" },
		{ .name = "strict" },
		{ 0, "base", "NAME", "cut stacks to begin at that frame (repeatable)", .list = &o->base },
		{ 0, "order", "HOW", "order of siblings: name, width, arrival [name]", .text = &o->order,
		  .choices = "name width arrival" },
		{ 0, "no-sort", NULL, NULL, .flag = &o->no_sort },
		{ 0, "rules", "FILE", "colours and legend by regular expression or module", .text = &o->rules },
		{ 0, "cp", NULL, NULL, .flag = &o->cp },
		{ 0, "palette-map", "FILE", NULL, .text = &o->palette_map },
		{ 0, "vector", "NAME", NULL, .text = &o->vector },
		{ 0, "hash", NULL, NULL, .flag = &o->hash },
		{ 0, "deterministic", NULL, NULL, .flag = &o->deterministic },
		{ 0, "random", NULL, NULL, .flag = &o->random },
		{ 0, "colordiffusion", NULL, NULL, .flag = &o->colordiffusion },
		{ 0, "theme", "auto|light|dark", NULL, .text = &o->theme },
		{ 0, "uicolor", "#rrggbb", NULL, .text = &o->uicolor },
		{ 0, "search-color", "#rrggbb", NULL, .text = &o->search_color },
		{ 0, "stroke-color", "#rrggbb|none", NULL, .text = &o->stroke_color },
		{ 0, "truncate", "middle|right|left", NULL, .text = &o->truncate },
		{ 0, "truncate-text-right", NULL, NULL, .flag = &o->truncate_right },
		{ 0, "fontwidth", "N", NULL, .real = &o->fontwidth },
		{ 0, "nameattr", "FILE", NULL, .text = &o->nameattr },
		{ 0, "encoding", "NAME", NULL, .text = &o->encoding },
		{ 0, "pretty-xml", NULL, NULL, .flag = &o->pretty_xml },
		{ .name = "no-javascript" },
		{ 'v', "verbose", NULL, NULL, .flag = &o->verbose },
		{ 0 }
	};

	*o = defaults;
	return chart_options_parse(&o->common, rows, &manual, argc, argv);
}

/* ---- checks --------------------------------------------------------------- */

/* Parse "0.1" (pixels) or "0.5%" (a share of the whole) to pixels. */
static double parse_minwidth(const char *text, int32_t inner_px)
{
	char *end;
	double n = strtod(text, &end);
	bool percent = *end == '%';

	if (end == text || end[percent] || !isfinite(n) || n < 0 || (percent && n > 100))
		die_usage("--minwidth needs pixels or a share such as 0.5%%, not '%s'", text);
	n = percent ? n / 100 * inner_px : n;
	return ceil(n * FLAME_WIDTH_GRAIN - 1e-6) / FLAME_WIDTH_GRAIN; /* 1e-6, so that 5.9 does not become 5.9001 */
}

static const char *default_title(const struct flame_options *o)
{
	if (o->chart)
		return "Flame Chart";
	return o->inverted ? "Icicle Graph" : "Flame Graph";
}

/* Rows are 16 pixels high for text of 12 pixels, and in proportion for other sizes. */
static int32_t row_height_px(const struct flame_options *o)
{
	return o->height ? (int32_t)o->height : (int32_t)lround(o->common.fontsize * 4 / 3);
}

void flame_style_make(struct flame_style *style, const struct flame_options *o)
{
	chart_options_check(&o->common);
	if (!o->factor)
		die_usage("--factor 0 leaves nothing to show");
	if (o->factor < 1e-9 || o->factor > 1e9)
		die_usage("--factor needs a number from 1e-9 to 1e9");
	if (o->split && (!o->common.output || !strcmp(o->common.output, "-")))
		die_usage("--split needs a directory: -o DIR");
	if (o->split_least && (!o->split || o->chart))
		die_usage("--split-least belongs to --split, without --chart");
	if (o->split_least > 100)
		die_usage("--split-least needs a share in percent, up to 100");
	if (o->fontwidth < 0 || o->fontwidth > 10)
		die_usage("--fontwidth needs a number up to 10");
	*style = (struct flame_style){
		.title = o->common.title ? o->common.title : default_title(o),
		.headline = headline_join(&o->common.headline),
		.subtitle = o->common.subtitle,
		.notes = o->common.notes,
		.nametype = o->nametype,
		.script_url = o->common.script,
		.siblings_url = o->common.siblings,
		.no_script = o->common.no_script,
		.width_px = o->common.width ? (int32_t)o->common.width : 1200,
		.fluid = !o->common.width,
		.frame_height_px = row_height_px(o),
		.max_depth = (uint32_t)o->max_depth,
		.inverted = o->inverted,
		.reversed = o->reverse,
		.font = font_make(o->common.fonttype, o->common.fontsize),
		.unit = { .name = o->countname, .factor = o->factor },
		.format = picture_format_find(o->common.format, o->split ? NULL : o->common.output),
		.scale = o->common.scale,
	};
	look_make(&style->look, o);
	style->palette = &style->look.palette;
	style->theme = &style->look.colours;
	style->background = o->bgcolors ? background_find(o->bgcolors) : style->theme->background;
	style->font.fixed_advance = (uint32_t)lround(o->fontwidth * 1000);
	style->font.metrics = format_metrics(style->format, &style->font, style->scale);
	style->min_width_px = parse_minwidth(o->minwidth, style->width_px - 2 * FLAME_PAD / CPX);
}

void flame_style_free(struct flame_style *style)
{
	free(style->headline);
	style->headline = NULL;
	format_metrics_free(style->font.metrics);
	style->font.metrics = NULL;
}

void flame_options_free(struct flame_options *o)
{
	chart_options_free(&o->common);
	free(o->diff.items);
	free(o->base.items);
}
