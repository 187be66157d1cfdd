#include "render/flame_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static const struct flame_options defaults = {
	.nametype = "Function:", .minwidth = "0.1", .colors = "hot", .bgcolors = "white",
	.fonttype = "Verdana, 'DejaVu Sans', sans-serif", .height = 16, .fontsize = 12,
	.factor = 1, .detail = 16 << 20,
};

static const struct manual manual = {
	"[options] [FILE...]",
	"Reads folded lines (stdin without FILE) and writes a flame graph to stdout.",
	"  pyrograph collapse rec.data | pyrograph render flame >cpu.svg\n"
	"  pyrograph render flame --color=java --title 'db1, noon' -o cpu.png rec.folded\n"
	"  pyrograph render flame --split thread -o threads rec-by-thread.folded\n",
	false
};

int flame_options_parse(struct flame_options *o, int argc, char **argv)
{
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "write to FILE; with --split, a directory [stdout]", .text = &o->output },
		{ 'f', "format", "svg|png", "[by FILE's name, else svg]", .text = &o->format },
		{ 't', "title", "TEXT", "heading [Flame Graph]", .text = &o->title },
		{ 0, "subtitle", "TEXT", "second line", .text = &o->subtitle },
		{ 0, "notes", "TEXT", "remarks, kept in the file", .text = &o->notes },
		{ 'w', "width", "PX", "width [the window's; 1200 without scripts]", .num = &o->width, .min = 100, .max = 100000 },
		{ 0, "height", "PX", "height of a frame [16]", .num = &o->height, .min = 4, .max = 1000 },
		{ 0, "minwidth", "PX|N%", "leave out narrower frames at first [0.1]", .text = &o->minwidth },
		{ 0, "fonttype", "FONT", "font family [Verdana]", .text = &o->fonttype },
		{ 0, "fontsize", "PX", "[12]", .real = &o->fontsize },
		{ 'c', "colors", "NAME", "hot, java, mem, io [hot]", .text = &o->colors },
		{ 0, "bgcolors", "NAME", "white, yellow, blue, green, grey, #rrggbb [white]", .text = &o->bgcolors },
		{ 0, "countname", "TEXT", "what is counted [the input's unit, or samples]", .text = &o->countname },
		{ 0, "nametype", "TEXT", "what a frame is [Function:]", .text = &o->nametype },
		{ 'i', "inverted", NULL, "root on top: an icicle graph", .flag = &o->inverted },
		{ 0, "icicle", NULL, NULL, .flag = &o->inverted },
		{ 'r', "reverse", NULL, "merge stacks from their leaves", .flag = &o->reverse },
		{ 0, "chart", NULL, "in order of time, nothing merged but neighbours", .flag = &o->chart },
		{ 0, "flamechart", NULL, NULL, .flag = &o->chart },
		{ 0, "detail", "SIZE", "fold narrow frames of a larger file [16M]", .bytes = &o->detail },
		{ 0, "include", "REGEXP", "only lines that match (repeatable: any of them)", .list = &o->include },
		{ 0, "exclude", "REGEXP", "no lines that match", .list = &o->exclude },
		{ 0, "split", "thread", "a picture for each first frame, in directory -o", .text = &o->split },
		{ 0, "factor", "N", "multiply shown counts [1]", .real = &o->factor },
		{ 0, "total", "N", "the sum that is 100% [what is there]", .real = &o->total },
		{ 0, "script", "URL", "refer to a script instead of embedding it", .text = &o->script },
		{ 0, "strict", NULL, "a bad line is an error", .flag = &o->strict },
		{0}
	};

	*o = defaults;
	return opts_parse(opts, &manual, argc, argv);
}

/* ---- checks --------------------------------------------------------------- */

/* "0.1" is pixels, "0.5%" a share of the whole. */
static double parse_minwidth(const char *text, int32_t inner_px)
{
	char *end;
	double n = strtod(text, &end);
	bool percent = *end == '%';

	if (end == text || end[percent] || !isfinite(n) || n < 0 || (percent && n > 100))
		die_usage("--minwidth wants pixels or a share such as 0.5%%, not '%s'", text);
	return percent ? n / 100 * inner_px : n;
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcasecmp(text + len - end_len, end);
}

static enum picture_format find_format(const struct flame_options *o)
{
	if (!o->format)
		return o->output && ends_in(o->output, ".png") ? FORMAT_PNG : FORMAT_SVG;
	if (!strcmp(o->format, "png"))
		return FORMAT_PNG;
	if (strcmp(o->format, "svg"))
		die_usage("--format wants svg or png, not '%s'", o->format);
	return FORMAT_SVG;
}

void flame_style_make(struct flame_style *style, const struct flame_options *o)
{
	if (o->fontsize < 4 || o->fontsize > 100)
		die_usage("--fontsize wants a number from 4 to 100");
	if (!o->factor)
		die_usage("--factor 0 leaves nothing to show");
	if (o->split && strcmp(o->split, "thread"))
		die_usage("--split wants 'thread', not '%s'", o->split);
	if (o->split && (!o->output || !strcmp(o->output, "-")))
		die_usage("--split wants a directory: -o DIR");
	*style = (struct flame_style){
		.title = o->title ? o->title : o->chart ? "Flame Chart" :
			 o->inverted ? "Icicle Graph" : "Flame Graph",
		.subtitle = o->subtitle, .notes = o->notes, .nametype = o->nametype,
		.script_url = o->script,
		.width_px = o->width ? (int32_t)o->width : 1200, .fluid = !o->width,
		.frame_height_px = (int32_t)o->height, .inverted = o->inverted,
		.font = font_make(o->fonttype, o->fontsize),
		.palette = palette_find(o->colors),
		.background = background_find(o->bgcolors),
		.unit = { .name = o->countname, .factor = o->factor },
		.format = find_format(o),
	};
	style->min_width_px = parse_minwidth(o->minwidth, style->width_px - 2 * FLAME_PAD / CPX);
}

void flame_options_free(struct flame_options *o)
{
	free(o->include.items);
	free(o->exclude.items);
}
