/* The data in an SVG heat map besides the picture, for the script and for "render folded":
 *
 *     <metadata id="heat">{
 *     "origin":"1795342502000000000", of tick 0, ns since the epoch
 *     "tick":[1000000,1],             ns of a tick: num, den
 *     "group":2,                      heat_code.h
 *     "events":11880,"stacks":412,"idleEvents":9012,
 *     "idleWhat":"idle CPUs","idleNote":"Idle hidden: ...",   what is idle; as the picture says it; if it hides any
 *     "window":[0,60000000000],       from, to: ns since the origin
 *     "period":"1000000000","perColumn":1,"rows":50,"columns":60,
 *     "y":"offset",                   or "value", "utilization"
 *     "weigh":"events",               or "values", "painted", "longest"
 *     "value":["0","1000",false],     y value: low, high, logarithmic; with "step":"20"
 *     "same":1,                       every event's value; left out if they differ
 *     "decimals":0,"unit":"samples","event":"samples","spans":false,
 *     "rate":99,                      Hz; 0: not sampled at a rate
 *     "zone":["UTC","UTC",0],         name, label, offset in ns (as a number)
 *     "relative":false,"inverted":false,"theme":"auto","fluid":true,
 *     "ramp":"ember","coloring":"linear",
 *     "ramps":[["ember","description",["#ffffff",...9],["#1a1a1a",...9],false,[0.5,0.5]],...],
 *     "percentiles":[50,99],"lines":false,   whether percentiles are drawn
 *     "grid":false,                   a line every ten cells
 *     "dimensions":[["thread",1],["host",0],...],   name, place of its frame in the
 *                                     stack (-1: by recording, or of regexps)
 *     "regexps":[["label","source"],...],   of the dimension called "regexp"
 *     "hues":{"dimension":"thread","keys":["java-1/a"],"isolate":false,"exclude":false},
 *     "per":"host",
 *     "recordings":[{"host":"db1","from":0,"to":60000000000,"rate":99,"cpus":[0,1],
 *                    "places":[1,0], "clock":"...",
 *                    "fromOpen":true, "toOpen":true,   the header does not say when it began or ended
 *                    "source":{...the header}},...],  from, to as "window"; places: of
 *                                     each dimension's frame in its stacks
 *     "gaps":[[from,to,recording,cpu,lost,"throttled"],...],  ns since the origin
 *     "warning":"...",
 *     "flame":{...}                   flame-settings as in flame_svg.c, of the whole
 *                                     profile: names, frames, unit, decimals, ...
 *     "box":8,"width":1200,"fontSize":12}</metadata>
 *     <metadata class="flame-names">, "flame-colours", "flame-tree"    as in a flame graph
 *     <metadata class="heat-stacks">, "heat-events"   in as many parts as it takes
 *     <metadata id="heat-lanes">, "lanes-data"        lanes below the map, if there are any (lanes_strip.c)
 *
 * The picture that C draws stands in groups: #heading, #legend, one .map for each map (with
 * data-map="0"), in it an <image>, axes; #lanes-names, #lanes-rows; #cells, what columns and rows are; #details. */
#include "render/heat/heat_draw.h"

#include "core/error.h"
#include "core/format/folded.h"
#include "core/markup.h"
#include "render/colours/waits.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/encoding/encode.h"
#include "render/heat/heat_code.h"
#include "render/profile/idle.h"
#include "render/profile/sample.h"
#include "render/profile/tree.h"

enum { FRAME_PX = 16, FLAME_PAD = 10 * CPX };

/* Append a time as ns since the origin; times before the origin are negative. */
static void heat_svg_add_time(struct str *out, uint64_t ns, uint64_t origin_ns)
{
	if (ns < origin_ns)
		str_addc(out, '-');
	str_add_u64(out, ns < origin_ns ? origin_ns - ns : ns - origin_ns);
}

static void add_quoted(struct str *out, const char *key, uint64_t n)
{
	str_addf(out, ",\"%s\":\"", key);
	str_add_u64(out, n);
	str_addc(out, '"');
}

/* ---- axes ----------------------------------------------------------------- */

static void heat_svg_add_rows(const struct heat_axes *a, struct str *out)
{
	static const char *const ys[] = { "offset", "value", "utilization" };
	static const char *const weighs[] = { "events", "values", "painted", "longest" };

	add_quoted(out, "period", a->period_ns);
	setting_u64(out, "perColumn", a->per_column);
	setting_u64(out, "rows", a->rows);
	setting_u64(out, "columns", a->columns);
	setting_text(out, "y", ys[a->y]);
	setting_text(out, "weigh", weighs[a->weigh]);
	if (a->y != HEAT_Y_VALUE)
		return;
	str_puts(out, ",\"value\":[\"");
	str_add_u64(out, a->low);
	str_puts(out, "\",\"");
	str_add_u64(out, a->high);
	str_addf(out, "\",%s]", a->logarithmic ? "true" : "false");
	if (!a->logarithmic)
		add_quoted(out, "step", a->step);
}

static void heat_svg_add_times(const struct heat_plan *p, const struct heat_ticks *t, struct str *out)
{
	const struct heat *h = p->chart->heat;
	const struct zone *zone = &p->style->zone;
	uint64_t from = t->origin_ns, to = t->origin_ns + 1;

	heat_window(h, &from, &to);
	str_puts(out, "\"origin\":\"");
	str_add_u64(out, t->origin_ns);
	str_puts(out, "\",\"tick\":[");
	str_add_u64(out, t->num);
	str_addc(out, ',');
	str_add_u64(out, t->den);
	str_addf(out, "],\"group\":%u,\"window\":[", t->group);
	heat_svg_add_time(out, from, t->origin_ns);
	str_addc(out, ',');
	heat_svg_add_time(out, to, t->origin_ns);
	str_puts(out, "],\"zone\":[");
	json_puts(out, zone->name);
	str_addc(out, ',');
	json_puts(out, zone->label);
	str_addf(out, ",%lld]", (long long)p->chart->axes.zone_ns);
	setting_bool(out, "relative", h->relative);
}

/* ---- events --------------------------------------------------------------- */

static void heat_svg_add_events(const struct heat_plan *p, struct str *out)
{
	const struct heat *h = p->chart->heat;
	struct str idle = { 0 };

	setting_u64(out, "events", h->event_count);
	setting_u64(out, "stacks", h->stack_count);
	setting_u64(out, "idleEvents", h->idle_events);
	heat_idle_note(&idle, p);
	if (idle.len) {
		setting_text(out, "idleWhat", idle_what(h->idle_of_threads));
		setting_text(out, "idleNote", idle.buf);
	}
	str_free(&idle);
	if (!h->value)
		setting_u64(out, "same", h->same_value);
	setting_u64(out, "decimals", h->decimals);
	setting_text(out, "unit", p->style->unit);
	setting_text(out, "event", p->style->names_unit);
	setting_bool(out, "spans", h->spans);
	str_addf(out, ",\"rate\":%.17g", h->recording_count ? h->recordings[0].rate_hz : 0);
}

static void heat_svg_add_cpus(const struct heat_recording *r, struct str *out)
{
	str_puts(out, ",\"cpus\":[");
	for (size_t i = 0; i < r->cpu_count; i++)
		str_addf(out, "%s%u", i ? "," : "", r->cpus[i]);
	str_addc(out, ']');
}

static void add_recordings(const struct heat *h, uint64_t origin_ns, struct str *out)
{
	size_t places = sizeof(h->recordings[0].places) / sizeof(h->recordings[0].places[0]);

	str_puts(out, ",\n\"recordings\":[");
	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		str_puts(out, i ? ",\n{\"host\":" : "{\"host\":");
		json_puts(out, r->host);
		str_puts(out, ",\"from\":");
		heat_svg_add_time(out, r->from_ns, origin_ns);
		str_puts(out, ",\"to\":");
		heat_svg_add_time(out, r->to_ns, origin_ns);
		if (r->from_open)
			setting_bool(out, "fromOpen", true);
		if (r->to_open)
			setting_bool(out, "toOpen", true);
		str_addf(out, ",\"rate\":%.17g", r->rate_hz);
		heat_svg_add_cpus(r, out);
		if (r->clock_note)
			setting_text(out, "clock", r->clock_note);
		str_puts(out, ",\"places\":[");
		for (size_t d = 0; d < h->dimension_count && d < places; d++)
			str_addf(out, "%s%d", d ? "," : "", r->places[d]);
		str_puts(out, "],\"source\":");
		source_json(out, &r->source);
		str_addc(out, '}');
	}
	str_addc(out, ']');
}

static void heat_svg_add_gaps(const struct heat *h, uint64_t origin_ns, struct str *out)
{
	str_puts(out, ",\n\"gaps\":[");
	for (size_t i = 0; i < h->gap_count; i++) {
		const struct heat_gap *g = &h->gaps[i];

		str_puts(out, !i ? "[" : i % 16 ? ",[" : ",\n[");
		heat_svg_add_time(out, g->start_ns, origin_ns);
		str_addc(out, ',');
		heat_svg_add_time(out, g->end_ns, origin_ns);
		str_addf(out, ",%u,%d,", g->recording, g->cpu);
		str_add_u64(out, g->lost);
		str_addc(out, ',');
		json_add(out, intern_text(&h->names, g->why), intern_len(&h->names, g->why));
		str_addc(out, ']');
	}
	str_addc(out, ']');
}

/* ---- colours and keys ----------------------------------------------------- */

static void add_colours(struct str *out, const uint32_t *rgb, size_t count)
{
	str_puts(out, ",[");
	for (size_t i = 0; i < count; i++) {
		str_puts(out, i ? ",\"" : "\"");
		rgb_add(out, rgb[i]);
		str_addc(out, '"');
	}
	str_addc(out, ']');
}

static void add_ramps(struct str *out)
{
	size_t count;
	const struct heat_ramp *ramps = heat_ramps(&count);

	str_puts(out, ",\n\"ramps\":[");
	for (size_t i = 0; i < count; i++) {
		size_t steps = ramps[i].counts ? 5 : 9;

		str_puts(out, i ? ",\n[" : "[");
		json_puts(out, ramps[i].name);
		str_addc(out, ',');
		json_puts(out, ramps[i].description);
		add_colours(out, ramps[i].light, steps);
		add_colours(out, ramps[i].dark, steps);
		str_addf(out, ",%s,[%.17g,%.17g]]", ramps[i].counts ? "true" : "false", ramps[i].least[0],
			 ramps[i].least[1]);
	}
	str_addc(out, ']');
}

static void add_dimensions(const struct heat *h, struct str *out)
{
	size_t places = sizeof(h->recordings[0].places) / sizeof(h->recordings[0].places[0]);

	str_puts(out, ",\n\"dimensions\":[");
	for (size_t i = 0; i < h->dimension_count; i++) {
		bool known = h->recording_count && i < places;

		str_puts(out, i ? ",[" : "[");
		json_puts(out, h->dimensions[i].name);
		str_addf(out, ",%d]", known ? h->recordings[0].places[i] : -1);
	}
	str_addc(out, ']');
}

static void heat_svg_add_hues(const struct heat_chart *c, struct str *out)
{
	const struct heat_hues *hues = &c->hues;

	if (c->per)
		setting_text(out, "per", c->per);
	if (!hues->dimension || !hues->key_count)
		return;
	str_puts(out, ",\"hues\":{\"dimension\":");
	json_puts(out, hues->dimension->name);
	str_puts(out, ",\"keys\":[");
	for (size_t i = 0; i < hues->key_count; i++) {
		str_puts(out, i ? "," : "");
		json_puts(out, intern_text(&c->heat->names, hues->dimension->keys[hues->keys[i]].name));
	}
	str_addc(out, ']');
	setting_bool(out, "isolate", hues->isolate);
	setting_bool(out, "exclude", hues->exclude);
	str_addc(out, '}');
}

static void add_regexps(const struct heat_style *style, struct str *out)
{
	str_puts(out, ",\"regexps\":[");
	for (size_t i = 0; i < style->regexp_count; i++) {
		str_puts(out, i ? ",[" : "[");
		json_puts(out, style->regexps[i].label);
		str_addc(out, ',');
		json_puts(out, style->regexps[i].source);
		str_addc(out, ']');
	}
	str_addc(out, ']');
}

static void add_look(const struct heat_plan *p, struct str *out)
{
	static const char *const colorings[] = { "linear", "rank", "log" };
	const struct heat_style *style = p->style;

	setting_bool(out, "inverted", style->inverted);
	setting_text(out, "theme", style->theme_name);
	setting_bool(out, "fluid", style->fluid);
	setting_bool(out, "grid", style->grid);
	setting_text(out, "ramp", style->ramp->name);
	setting_text(out, "coloring", colorings[style->coloring]);
	str_puts(out, ",\"percentiles\":[");
	for (size_t i = 0; i < style->percentile_count; i++)
		str_addf(out, "%s%.17g", i ? "," : "", style->percentiles[i]);
	str_addc(out, ']');
	setting_bool(out, "lines", style->lines);
	setting_u64(out, "box", (uint64_t)style->box_px);
	setting_u64(out, "width", (uint64_t)style->width_px);
	setting_px(out, "fontSize", style->font.size_cpx);
	setting_text(out, "warning", str_text(&p->chart->warning));
}

/* ---- the flame graph ------------------------------------------------------ */

static void add_flame(const struct heat_plan *p, const struct tree *tree, const struct encoded *e, struct str *out)
{
	const struct heat_style *style = p->style;
	struct frame_settings settings = {
		.names = e->name_count,
		.frames = e->frame_count,
		.rows = tree->levels,
		.boxes_max = format_boxes_max(style->format, style->width_px),
		.unit = heat_unit(style, p->chart->heat),
		.nametype = "Function:",
		.fluid = true,
		.whole = true,
		.pad = FLAME_PAD,
		.height_px = FRAME_PX,
		.least_px = 0.1,
		.font = &style->font,
		.root_rgb = style->theme->root,
		.folded = tree->folded,
	};

	str_puts(out, ",\n\"flame\":{");
	frame_settings_add(out, &settings);
	if (style->by_wait)
		wait_kinds_settings(out);
	str_addc(out, '}');
}

/* ---- the file ------------------------------------------------------------- */

/* The longest block off the CPU; 0 if the map does not show blocks. */
static uint64_t heat_svg_longest_wait(const struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	uint64_t longest = 0;
	const char *event = source_get(&h->source, FOLDED_EVENT);

	if (!h->spans || !event || strcmp(event, "offcpu") != 0)
		return 0;
	for (size_t i = 0; i < h->event_count; i++) {
		if (!h->stacks[h->stack[i]].idle && heat_value(h, i) > longest)
			longest = heat_value(h, i);
	}
	return longest / decimal_shift(1, h->decimals);
}

static void heat_svg_add_settings(const struct heat_plan *p, const struct heat_ticks *ticks, const struct tree *tree,
				  const struct encoded *e, struct str *out)
{
	const struct heat *h = p->chart->heat;

	str_puts(out, "<metadata id=\"heat\">{");
	heat_svg_add_times(p, ticks, out);
	heat_svg_add_events(p, out);
	heat_svg_add_rows(&p->chart->axes, out);
	add_look(p, out);
	add_ramps(out);
	add_dimensions(h, out);
	add_regexps(p->style, out);
	heat_svg_add_hues(p->chart, out);
	add_recordings(h, ticks->origin_ns, out);
	heat_clocks_json(h, out);
	heat_svg_add_gaps(h, ticks->origin_ns, out);
	add_flame(p, tree, e, out);
	str_puts(out, "}</metadata>\n");
}

/* Append all data from which the picture was made. */
static void heat_svg_add_data(const void *plan, struct str *out)
{
	const struct heat_plan *p = plan;
	const struct heat *h = p->chart->heat;
	struct tree_wish wish = { .order = ORDER_NAME, .frame_of = true };
	struct heat_ticks ticks;
	struct str data = { 0 };
	struct encoded e = { 0 };
	struct tree tree = { 0 };

	if (h->event_count)
		tree_build_as(&tree, &h->profile, &wish);
	if (tree.count)
		encode(&e, &h->profile, &tree, 0, p->style->palette);
	if (!heat_ticks_choose(&ticks, h, &p->chart->axes, p->style->bytes, p->style->tick_ns) && p->style->bytes)
		warn("--detail: the events need more than that, however coarse their times; to make the file smaller, "
		     "draw fewer events (--from, --to) or fewer --rows");
	heat_svg_add_settings(p, &ticks, &tree, &e, out);
	metadata_add(out, "flame-names", &e.names);
	metadata_add(out, "flame-colours", &e.colours);
	metadata_add(out, "flame-tree", &e.tree);
	encoded_free(&e);
	heat_encode_stacks(h, tree.frame_of, &data);
	metadata_add(out, "heat-stacks", &data);
	tree_free(&tree);
	str_clear(&data);
	heat_encode_events(h, &ticks, &data);
	metadata_add(out, "heat-events", &data);
	str_free(&data);
	if (p->chart->lanes)
		lanes_strip_data(&p->lanes, HEAT_LANES, "", out);
}

struct drawing heat_drawing(const struct heat_plan *p)
{
	const struct heat_style *style = p->style;
	const struct heat *h = p->chart->heat;

	return (struct drawing){
		.w = p->w,
		.h = p->h,
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.picture = { .kind = "heat",
			     .title = heat_title(p),
			     .unit = style->names_unit,
			     .total = h->event_count,
			     .has_idle = heat_is_sampled(h) && !h->with_idle,
			     .idle = h->idle_events,
			     .longest = heat_svg_longest_wait(p),
			     .plot = { .top = p->legend_y, .end = p->plot_end, .whole = true },
			     .headline = style->headline,
			     .notes = style->notes,
			     .source = &h->source },
		.page = style->no_script ? NULL : &heat_page,
		.script_url = style->script_url,
		.siblings_url = style->siblings_url,
		.draw = heat_draw,
		.data = heat_svg_add_data,
		.chart = p,
	};
}

int heat_write(struct heat_chart *c, const struct heat_style *style, const char *path)
{
	struct heat_plan plan;
	struct drawing d;
	int status;

	heat_plan_make(&plan, c, style);
	d = heat_drawing(&plan);
	status = drawing_write(&d, style->format, path);
	heat_plan_free(&plan);
	return status;
}
