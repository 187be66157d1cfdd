#include "render/heat/heat_options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/memory.h"
#include "render/colours/palette.h"
#include "render/drawing/canvas.h"
#include "render/drawing/chart_options.h"

enum { ROWS_MAX = 4096, DAY = 86400, SPAN_LEAST = 1000 };

#define SPAN_MOST_D 400ull

static const struct heat_options defaults = {
	.common = CHART_OPTIONS,
	.maps = 12,
};

static const struct manual manual = {
	.usage = "[options] [FILE...]",
	.about = "Draws timed folded lines as a heat map: time on both axes, or time and value.",
	.examples = "  pyrograph collapse --heat rec.data | pyrograph render heat >heat.svg\n"
		    "  pyrograph render heat --by thread --select java-8513/lbm -o a.svg rec.folded\n"
		    "  pyrograph render heat --y value --log --percentiles 50,99 -o io.svg io.folded\n"
		    "  pyrograph render heat --y utilization --per host -o fleet.svg db*.folded\n",
	.one_dash = true,
	.more = "In man pyrograph-render: --subtitle --notes --fonttype --fontsize --theme\n"
		"  --lane --scale --unitslabel --script --no-script --detail --resolution --maps\n  --headline "
		"--strict\n",
};

int heat_options_parse(struct heat_options *o, int argc, char **argv)
{
	const struct opt rows[] = {
		{ .name = "output" },
		{ .name = "format",
		  .help = "svg, svgz, png, pdf, tsv [by FILE's name, else svg]",
		  .choices = "svg svgz png pdf tsv" },
		{ .name = "title" },
		{ .name = "width" },
		{ 0, "span", "TIME", "length of a column: 1s, 1m, 1h, 1d, 250ms [as fits]", .text = &o->span },
		{ 0, "stepsec", "TIME", NULL, .text = &o->span },
		{ 0, "rows", "N", "rows [about 50]", .num = &o->rows, .min = 1, .max = ROWS_MAX },
		{ 0, "columns", "N", "at most N columns, of several spans each", .num = &o->columns, .min = 1,
		  .max = 1000000 },
		{ 0, "maxcol", "N", NULL, .num = &o->columns, .min = 1, .max = 1000000 },
		{ 'y', "y", "WHAT", "rows: offset in the span, value, utilization", .text = &o->y,
		  .choices = "offset value utilization" },
		{ 0, "min", "VALUE", "--y value: the least [0; with --log the data's]", .text = &o->low,
		  .preferred = true },
		{ 0, "minlat", "VALUE", NULL, .text = &o->low },
		{ 0, "max", "VALUE", "... the largest: 20ms, 4096 [the data's]", .text = &o->high, .preferred = true },
		{ 0, "maxlat", "VALUE", NULL, .text = &o->high },
		{ 0, "step", "VALUE", "... height of a row [(max - min) / rows]", .text = &o->step, .preferred = true },
		{ 0, "steplat", "VALUE", NULL, .text = &o->step },
		{ 0, "log", NULL, "... logarithmic rows", .flag = &o->logarithmic },
		{ 0, "percentiles", "LIST", "draw as lines, of values or CPUs: 50,99,99.9", .text = &o->percentiles },
		{ 0, "weights", "WAY", "of a cell: count, value (the sum), longest [count]", .text = &o->weights,
		  .choices = "count value longest" },
		{ 0, "paint", NULL, "spans of time fill all cells from start to end", .flag = &o->paint },
		{ 0, "idle", NULL, "count idle samples as well", .flag = &o->idle },
		{ 0, "by", "ROOT", "hues by thread, comm, cpu, host, ...", .text = &o->by },
		{ 0, "by-regexp", "LABEL=RE", "... by the first regexp that matches (repeatable)",
		  .list = &o->regexps },
		{ 0, "select", "KEY", "only this thread, cpu, ... has a hue (repeatable)", .list = &o->select },
		{ 0, "isolate", "KEY", "draw only this one (repeatable)", .list = &o->isolate },
		{ 0, "without", "KEY", "draw all but this one (repeatable)", .list = &o->without },
		{ 0, "rainbow", NULL, "all threads, CPUs, ... have hues", .flag = &o->rainbow },
		{ 0, "per", "ROOT", "a map for each host, comm, ..., with one scale", .text = &o->per },
		{ 0, "maps", "N", NULL, .num = &o->maps, .min = 1, .max = 1000 },
		{ 0, "coloring", "WAY", "linear, rank, log [linear; of values log]", .text = &o->coloring,
		  .choices = "linear rank log" },
		{ .name = "colors",
		  .help = "ember, viridis, cividis, flamescope, ... [ember]",
		  .choice = heat_ramp_name },
		{ 0, "tz", "ZONE", "UTC, local, Europe/Berlin, +05:30, ... [UTC]", .text = &o->zone },
		{ .name = "from", .help = "from that time on: 10:15:02.5, 2s, -10s, ..." },
		{ .name = "to" },
		{ .name = "include", .help = "only stacks that match (repeatable: any of them)" },
		{ .name = "exclude", .help = "no stacks that match" },
		{ 0, "boxsize", "PX", "size of a cell [as fits]", .num = &o->box, .min = 1, .max = 100 },
		{ 0, "lanes", "FILE", "lanes of collapse --lanes below the map; -: stdin", .text = &o->lanes },
		{ 0, "lane", "REGEXP", NULL, .list = &o->lane },
		{ 0, "grid", NULL, "a line every ten cells", .flag = &o->grid },
		{ 'i', "inverted", NULL, "0 on top", .flag = &o->inverted },
		{ .name = "headline" },
		{ .name = "subtitle" },
		{ .name = "notes" },
		{ .name = "fonttype" },
		{ .name = "fontsize" },
		{ 0, "unitslabel", "TEXT", NULL, .text = &o->unitslabel },
		{ 0, "palette", "NAME", NULL, .text = &o->palette },
		{ .name = "theme", .help = "" },
		{ .name = "scale", .help = "" },
		{ 0, "detail", "SIZE", NULL, .bytes = &o->detail },
		{ 0, "resolution", "TIME", NULL, .ns = &o->resolution_ns },
		{ .name = "script", .help = "" },
		{ .name = "siblings" },
		{ .name = "no-script", .help = "" },
		{ .name = "no-javascript" },
		{ .name = "strict", .help = "" },
		/* Options of trace2heatmap.pl, with what we tell users to use instead. */
		{ 0, "unitstime", "UNIT", NULL, .text = &o->unitstime },
		{ 0, "accstats", NULL, NULL, .flag = &o->accstats },
		{ 0 }
	};

	*o = defaults;
	return chart_options_parse(&o->common, rows, &manual, argc, argv);
}

/* ---- words ------------------------------------------------------------------ */

enum heat_y heat_options_y(const struct heat_options *o)
{
	if (!o->y || !strcmp(o->y, "offset"))
		return HEAT_Y_OFFSET;
	if (!strcmp(o->y, "value") || !strcmp(o->y, "latency"))
		return HEAT_Y_VALUE;
	if (!strcmp(o->y, "utilization") || !strcmp(o->y, "utilisation"))
		return HEAT_Y_UTILIZATION;
	die_usage("--y needs offset, value or utilization, not '%s'", o->y);
}

enum heat_weigh heat_options_weigh(const struct heat_options *o)
{
	if (o->paint)
		return HEAT_PAINTED;
	if (!o->weights || !strcmp(o->weights, "count"))
		return HEAT_EVENTS;
	if (!strcmp(o->weights, "value"))
		return HEAT_VALUES;
	if (!strcmp(o->weights, "longest"))
		return HEAT_LONGEST;
	die_usage("--weights needs count, value or longest, not '%s'", o->weights);
}

uint64_t heat_options_span(const struct heat_options *o)
{
	struct str hours = { 0 };
	uint64_t ns = 0, times = 1;
	size_t len = o->span ? strlen(o->span) : 0;
	bool good;

	if (!o->span)
		return 0;
	if (len > 1 && strchr("dw", o->span[len - 1])) { /* not units of durations */
		times = o->span[len - 1] == 'd' ? 24 : 7 * 24;
		str_add(&hours, o->span, len - 1);
		str_puts(&hours, "h");
	}
	good = parse_duration(times > 1 ? hours.buf : o->span, &ns) && ns < UINT64_MAX / times;
	ns *= times;
	str_free(&hours);
	if (!good || ns < SPAN_LEAST || ns > SPAN_MOST_D * DAY * NS_PER_SEC)
		die_usage("--span needs a time from 1us to %llud such as 250ms, 1s, 1m, 1h, 1d or 1w, not '%s'",
			  SPAN_MOST_D, o->span);
	return ns;
}

/* Of latencies, the rare ones matter. */
static enum heat_coloring parse_coloring(const char *name, enum heat_y y)
{
	if (!name)
		return y == HEAT_Y_VALUE ? HEAT_LOG : HEAT_LINEAR;
	if (!strcmp(name, "linear"))
		return HEAT_LINEAR;
	if (!strcmp(name, "rank"))
		return HEAT_RANK;
	if (!strcmp(name, "log"))
		return HEAT_LOG;
	die_usage("--coloring needs linear, rank or log, not '%s'", name);
}

static const struct heat_ramp *parse_ramp(const char *name)
{
	const struct heat_ramp *ramps, *found;
	struct str names = { 0 };
	size_t count;

	ramps = heat_ramps(&count);
	if (!name)
		return ramps;
	found = heat_ramp_find(name);
	for (size_t i = 0; !found && i < count; i++)
		str_addf(&names, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", ramps[i].name);
	if (!found)
		die_usage("--colors needs %s, not '%s'", names.buf, name);
	return found;
}

/* Parse "50,99,99.9".  Percentiles that were not requested are not drawn, but a browser can show them. */
static void parse_percentiles(struct heat_style *s, const struct heat_options *o)
{
	size_t max = sizeof(s->percentiles) / sizeof(s->percentiles[0]);
	const char *text = o->percentiles;

	if (!text)
		text = heat_options_y(o) == HEAT_Y_VALUE ? "50,99" : "";
	if (o->percentiles && *text && heat_options_y(o) == HEAT_Y_OFFSET)
		die_usage("--percentiles needs --y value or --y utilization");
	while (*text && strcmp(text, "none")) {
		char *end;
		double percent = strtod(text, &end);

		if (!isdigit((unsigned char)*text) || !(percent >= 0 && percent <= 100) || (*end && *end != ',') ||
		    (*end && !end[1]))
			die_usage("--percentiles needs numbers from 0 to 100 such as 50,99,99.9, or none, not '%s'",
				  o->percentiles);
		if (s->percentile_count == max)
			die_usage("--percentiles: at most %zu of them", max);
		s->percentiles[s->percentile_count++] = percent;
		text = *end ? end + 1 : end;
	}
	s->lines = o->percentiles && s->percentile_count;
}

/* picture_format_find() only knows formats of pictures, not tsv. */
static void check_format(const struct heat_options *o)
{
	static const char *const names[] = { "svg", "svgz", "png", "pdf", "tsv" };
	const char *dot = o->common.output ? strrchr(o->common.output, '.') : NULL,
		   *slash = o->common.output ? strrchr(o->common.output, '/') : NULL;
	const char *name = o->common.format;

	if (!name && dot && dot > (slash ? slash + 1 : o->common.output) && isalpha((unsigned char)dot[1]))
		name = dot + 1;
	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcasecmp(name, names[i]))
			return;
	}
	if (o->common.format)
		die_usage("--format needs svg, svgz, png, pdf or tsv, not '%s'", name);
	if (name)
		die_usage("%s: the name must end in svg, svgz, png, pdf or tsv, or give --format", o->common.output);
}

/* Options of trace2heatmap.pl: tell what to use instead. */
static void check_foreign(const struct heat_options *o)
{
	if (o->unitstime)
		die_usage("--unitstime belongs to reading numbers: "
			  "pyrograph collapse --format points --unitstime %s",
			  o->unitstime);
	if (o->accstats)
		die_usage("for --accstats use --percentiles 50,90,99, which draws lines; in a browser the details of a "
			  "selection show its distribution");
}

static void check_words(const struct heat_options *o)
{
	struct zone zone;

	check_foreign(o);
	check_format(o);
	chart_options_check(&o->common);
	if (o->zone && !zone_find(&zone, o->zone, 0, 1))
		die_usage("--tz needs UTC, local, a zone such as Europe/Berlin or +05:30, not '%s'", o->zone);
	heat_options_span(o);
}

/* Refuse options that have no meaning together. */
static void check_together(const struct heat_options *o)
{
	enum heat_y y = heat_options_y(o);

	if (y != HEAT_Y_VALUE && (o->low || o->high || o->step || o->logarithmic))
		die_usage("--min, --max, --step and --log need --y value");
	if (y == HEAT_Y_UTILIZATION && (o->weights || o->paint))
		die_usage("--weights and --paint do not go with --y utilization");
	if (o->lane.count && !o->lanes)
		die_usage("--lane needs --lanes FILE");
	if (o->lanes && heat_options_is_table(o))
		die_usage("--lanes needs a picture: a table has no place for lanes");
	if (o->paint && o->weights)
		die_usage("--paint adds up time: --weights does not apply");
	if (o->logarithmic && o->step)
		die_usage("--step makes rows of equal size: not with --log");
	if (!!o->select.count + !!o->isolate.count + !!o->without.count + o->rainbow > 1)
		die_usage("give only one of --select, --isolate, --without and --rainbow");
	if (!o->by && !o->regexps.count && (o->select.count || o->isolate.count || o->without.count || o->rainbow))
		die_usage("--select, --isolate, --without and --rainbow need --by thread, comm, ...");
	if (o->by && o->regexps.count && strcmp(o->by, "regexp"))
		die_usage("--by and --by-regexp exclude each other");
}

/* Parse "--by-regexp 'GC=^VM_|G1'". */
static void parse_regexps(struct heat_style *s, const struct heat_options *o)
{
	struct heat_regexp *regexps = xcalloc(o->regexps.count + 1, sizeof(*regexps));

	for (size_t i = 0; i < o->regexps.count; i++) {
		const char *text = o->regexps.items[i], *equals = strchr(text, '=');

		if (!equals || equals == text || !equals[1])
			die_usage("--by-regexp needs LABEL=REGEXP, such as 'gc=^G1|VM_GC', not '%s'", text);
		regexps[i].label = xstrndup(text, (size_t)(equals - text));
		regexps[i].source = equals + 1;
	}
	s->regexps = regexps;
	s->regexp_count = o->regexps.count;
}

bool heat_options_is_table(const struct heat_options *o)
{
	size_t len = o->common.output ? strlen(o->common.output) : 0;

	if (o->common.format)
		return !strcasecmp(o->common.format, "tsv");
	return len > 4 && !strcasecmp(o->common.output + len - 4, ".tsv");
}

void heat_style_make(struct heat_style *s, const struct heat_options *o)
{
	const char *theme = o->common.theme ? o->common.theme : "auto";

	check_words(o);
	check_together(o);
	heat_options_weigh(o);
	*s = (struct heat_style){
		.title = o->common.title,
		.headline = headline_join(&o->common.headline),
		.subtitle = o->common.subtitle,
		.notes = o->common.notes,
		.script_url = o->common.script,
		.siblings_url = o->common.siblings,
		.unit = o->unitslabel,
		.width_px = o->common.width ? (int32_t)o->common.width : 1200,
		.fluid = !o->common.width,
		.box_px = (int32_t)o->box,
		.grid = o->grid,
		.no_script = o->common.no_script,
		.inverted = o->inverted,
		.font = font_make(o->common.fonttype, o->common.fontsize),
		.scale = o->common.scale,
		.theme_name = theme,
		.theme = strcmp(theme, "auto") ? theme_find(theme) : theme_default(),
		.format = heat_options_is_table(o) ? picture_format_find("svg", NULL)
						   : picture_format_find(o->common.format, o->common.output),
		.ramp = parse_ramp(o->common.colors),
		.coloring = parse_coloring(o->coloring, heat_options_y(o)),
		.palette = o->palette ? palette_find(o->palette) : NULL,
		.bytes = o->detail,
		.tick_ns = o->resolution_ns,
	};
	parse_percentiles(s, o);
	parse_regexps(s, o);
	s->font.metrics = format_metrics(s->format, &s->font, s->scale);
}

void heat_style_free(struct heat_style *s)
{
	for (size_t i = 0; i < s->regexp_count; i++)
		free((char *)s->regexps[i].label);
	free((void *)s->regexps);
	free(s->headline);
	format_metrics_free(s->font.metrics);
	*s = (struct heat_style){ 0 };
}

void heat_options_free(struct heat_options *o)
{
	struct text_list *lists[] = { &o->select, &o->isolate, &o->without, &o->regexps, &o->lane };

	chart_options_free(&o->common);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]->items);
}
