/* The data in an SVG timeline besides the picture: its origin, and all spans and stacks for the
 * script and "render folded" (timeline_code.h):
 *
 *     <metadata id="timeline">{
 *     "start":"1795342502000000000",  since the epoch, in ns
 *     "window":10000000000,           ns
 *     "spans":25013,
 *     "byCpu":false,"kindsAreCpus":true,"kindsAreStates":false,"migrations":false,
 *     "hidden":0,                     how many of the last rows are not drawn: idle time
 *     "process":"java-8513/",         most threads belong to it (timeline_skipped()); omitted if none
 *     "byPlace":2,                    the place of the usurper's frame in a stack (states only)
 *     "safe":false,"theme":"auto","merged":0,
 *     "rows":[["spin-a-4711","49.80% · 123 moves",25013],...],  name, note, number of spans
 *     "kinds":[["CPU 0","#6ca8d8","#56b4e9","package 0, core 0, node 0"],...],  some have a
 *                                     fifth item: "idle", "waiting", "running", "dull"
 *     "quiet":40,                     how many of the drawn rows were hardly active: the last ones
 *     "cap":30,                       how many rows are drawn at first
 *     "samples":[12,...],             how many samples each row has
 *     "sums":[[17,4711000,312,97000],...],  stack, time, count, longest (and migrations) of spans that have no
 *                                     place in time
 *     "stalls":[[1000,200,3,"3 threads waited ...",3,...],...],  start (since the window's), length, row or -1,
 *                                     words, and the pairs of the comment
 *     "groups":[[0,"node 0, package 0"],...],  row, and the label above it
 *     "source":{"host":"db1",...},  the header
 *     "layout":{"nameX":..,...}}</metadata>
 *     <metadata class="timeline-stacks">...</metadata>   both in as many parts as it takes
 *     <metadata class="timeline-spans">...</metadata> */
#include "render/timeline/timeline_draw.h"

#include "core/markup.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/flame/flame.h"
#include "render/timeline/timeline_code.h"

static const char *const timeline_scripts[] = { "common/clock.js",
						"common/time_part.js",
						"common/time_axis.js",
						"common/rows_panel.js",
						"common/rows_toolbar.js",
						"timeline/data.js",
						"timeline/raster.js",
						"timeline/address.js",
						"timeline/moment.js",
						"timeline/view.js",
						"timeline/panel.js",
						"timeline/flame.js",
						"timeline/details.js",
						"timeline/actions.js",
						"timeline/toolbar.js",
						"timeline/stage.js",
						"timeline/export.js",
						"timeline/timeline.js",
						NULL };

/* A timeline contains a flame graph, of the shown time. */
const struct page timeline_page = { .base = &flame_page,
				    .scripts = timeline_scripts,
				    .style = "timeline/timeline.css" };

static void timeline_svg_add_px(struct str *out, const char *key, int32_t cpx, bool first)
{
	str_addf(out, "%s\"%s\":", first ? "" : ",", key);
	px_add(out, cpx);
}

static void timeline_svg_add_rows(const struct timeline_plan *p, struct str *out)
{
	str_puts(out, ",\"rows\":[");
	for (size_t i = 0; i < p->t->row_count; i++) {
		str_puts(out, i ? ",\n[" : "[");
		json_add(out, str_text(&p->names[i]), p->names[i].len);
		str_addc(out, ',');
		json_add(out, str_text(&p->notes[i]), p->notes[i].len);
		str_addf(out, ",%zu]", p->t->rows[i].count);
	}
	str_puts(out, "],\"groups\":[");
	for (size_t i = 0, row = 0; i < p->group_count; i++) {
		struct str text = { 0 };

		while (p->row_y[row] < p->groups[i].y)
			row++;
		topology_place_add(&text, p->groups[i].cpu);
		str_addf(out, "%s[%zu,", i ? "," : "", row);
		json_add(out, text.buf, text.len);
		str_addc(out, ']');
		str_free(&text);
	}
	str_addc(out, ']');
}

static const char *kind_flag(const struct timeline_kind *kind)
{
	return kind->idle ? "idle" : kind->waiting ? "waiting" : kind->running ? "running" : kind->dull ? "dull" : NULL;
}

static void timeline_svg_add_kinds(const struct timeline *t, struct str *out)
{
	str_puts(out, ",\"kinds\":[");
	for (size_t i = 0; i < t->kind_count; i++) {
		const struct timeline_kind *kind = &t->kinds[i];
		struct str text = { 0 };

		timeline_kind_add(&text, t, kind);
		str_puts(out, i ? ",\n[" : "[");
		json_add(out, str_text(&text), text.len);
		str_puts(out, ",\"");
		rgb_add(out, kind->rgb);
		str_puts(out, "\",\"");
		rgb_add(out, kind->safe);
		str_puts(out, "\",");
		str_clear(&text);
		if (kind->cpu)
			topology_words_add(&text, kind->cpu);
		json_add(out, str_text(&text), text.len);
		if (kind_flag(kind))
			str_addf(out, ",\"%s\"", kind_flag(kind));
		str_addc(out, ']');
		str_free(&text);
	}
	str_addc(out, ']');
}

/* [start, length, row or -1, words, and the pairs of the comment] */
static void timeline_svg_add_stall(const struct timeline *t, const struct timeline_stall *s, struct str *out)
{
	const uint32_t names[] = { s->what, s->by, s->in, s->did };
	struct str words = { 0 };

	str_addf(out, "[%llu,%llu,%d,", (unsigned long long)(s->start_ns - t->in.start_ns),
		 (unsigned long long)(s->end_ns - s->start_ns), s->row == UINT32_MAX ? -1 : (int)s->row);
	timeline_stall_add(&words, t, s, STALL_WHOLE);
	json_add(out, words.buf, words.len);
	str_addf(out, ",%llu,%llu,%llu", (unsigned long long)s->threads, (unsigned long long)s->longest_ns,
		 (unsigned long long)s->waits_ns);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		str_addc(out, ',');
		if (names[i] == UINT32_MAX)
			str_puts(out, "null");
		else
			json_add(out, intern_text(&t->names, names[i]), intern_len(&t->names, names[i]));
	}
	str_addc(out, ']');
	str_free(&words);
}

static void timeline_svg_add_sums(const struct timeline *t, struct str *out)
{
	str_puts(out, ",\n\"sums\":[");
	for (size_t i = 0; i < t->sum_count; i++) {
		const struct timeline_values *v = &t->sums[i].values;

		str_addf(out, "%s[%u,%llu,%llu,%llu", i ? "," : "", t->rank[t->sums[i].stack],
			 (unsigned long long)v->time, (unsigned long long)v->count, (unsigned long long)v->longest);
		if (t->has_migrations)
			str_addf(out, ",%llu", (unsigned long long)v->migrations);
		str_addc(out, ']');
	}
	str_addc(out, ']');
}

/* For each row: [kind, part of SHORT_WHOLE, from, to], in ns since the window's start; or 0. */
static void timeline_svg_add_gaps(const struct timeline *t, struct str *out)
{
	bool any = false;

	for (size_t i = 0; i < t->row_count; i++)
		any |= t->rows[i].short_kind != UINT32_MAX;
	if (!any)
		return;
	str_puts(out, ",\n\"gaps\":[");
	for (size_t i = 0; i < t->row_count; i++) {
		const struct timeline_row *row = &t->rows[i];

		str_puts(out, i ? "," : "");
		if (row->short_kind == UINT32_MAX)
			str_addc(out, '0');
		else
			str_addf(out, "[%u,%u,%llu,%llu]", row->short_kind, row->short_part,
				 (unsigned long long)(row->short_from_ns - t->in.start_ns),
				 (unsigned long long)(row->short_to_ns - t->in.start_ns));
	}
	str_addc(out, ']');
}

static void timeline_svg_add_waits(const struct timeline_plan *p, struct str *out)
{
	const struct timeline *t = p->t;

	setting_u64(out, "quiet", timeline_rows(t) - timeline_busy_rows(t));
	setting_u64(out, "cap", p->shown);
	str_puts(out, ",\"samples\":[");
	for (size_t i = 0; i < t->row_count; i++)
		str_addf(out, "%s%zu", i ? "," : "", t->rows[i].sample_count);
	str_addc(out, ']');
	timeline_svg_add_sums(t, out);
	timeline_svg_add_gaps(t, out);
	str_puts(out, ",\n\"stalls\":[");
	for (size_t i = 0; i < t->stall_count; i++) {
		str_puts(out, i ? ",\n" : "");
		timeline_svg_add_stall(t, &t->stalls[i], out);
	}
	str_addc(out, ']');
}

static void timeline_svg_add_layout(const struct timeline_plan *p, struct str *out)
{
	str_puts(out, ",\"layout\":{");
	timeline_svg_add_px(out, "nameX", p->name_x, true);
	timeline_svg_add_px(out, "nameWidth", p->name_w, false);
	timeline_svg_add_px(out, "noteX", p->note_x, false);
	timeline_svg_add_px(out, "noteWidth", p->note_w, false);
	timeline_svg_add_px(out, "barX", p->bar_x, false);
	timeline_svg_add_px(out, "barWidth", p->bar_w, false);
	timeline_svg_add_px(out, "pad", TIMELINE_PAD, false);
	timeline_svg_add_px(out, "axisY", p->axis_y, false);
	timeline_svg_add_px(out, "rowsY", p->rows_y, false);
	if (p->stalls_h)
		timeline_svg_add_px(out, "stallsHeight", p->stalls_h, false);
	timeline_svg_add_px(out, "detailsY", p->details_y, false);
	timeline_svg_add_px(out, "fontSize", p->style->font.size_cpx, false);
	str_addf(out, ",\"rowHeight\":%d", p->style->row_px);
	setting_bool(out, "fluid", p->style->fluid);
	str_addc(out, '}');
}

static void timeline_svg_add_settings(const struct timeline_plan *p, struct str *out)
{
	const struct timeline *t = p->t;

	str_puts(out, "<metadata id=\"timeline\">{\"start\":\"");
	str_add_u64(out, t->in.start_ns);
	str_puts(out, "\",\"window\":");
	str_add_u64(out, t->in.end_ns - t->in.start_ns);
	str_puts(out, ",\"spans\":");
	str_add_u64(out, t->span_count);
	setting_bool(out, "byCpu", t->by_cpu);
	setting_bool(out, "whole", t->whole);
	setting_bool(out, "relative", t->in.relative);
	setting_bool(out, "kindsAreCpus", t->kinds_are_cpus);
	setting_bool(out, "kindsAreStates", t->kinds_are_states);
	setting_bool(out, "migrations", t->has_migrations);
	str_addf(out, ",\"hidden\":%zu", t->row_count - timeline_rows(t));
	if (t->process_len) {
		str_puts(out, ",\"process\":");
		json_add(out, intern_text(&t->names, t->process), t->process_len);
	}
	if (t->has_by && t->kinds_are_states)
		str_addf(out, ",\"byPlace\":%d", t->by_place);
	setting_bool(out, "safe", p->style->safe);
	str_addf(out, ",\"theme\":\"%s\"", p->style->theme_name);
	str_puts(out, ",\"merged\":");
	str_add_u64(out, t->merged);
	timeline_svg_add_rows(p, out);
	timeline_svg_add_kinds(t, out);
	if (t->has_waits)
		timeline_svg_add_waits(p, out);
	else if (t->sum_count)
		timeline_svg_add_sums(t, out);
	str_puts(out, ",\n\"source\":");
	source_json(out, &t->in.source);
	timeline_svg_add_layout(p, out);
	str_puts(out, "}</metadata>\n");
}

/* In a recording of one thread, a wait for another thread may just mean that there is nothing to do. */
static bool timeline_svg_is_held_up(const struct timeline *t, const struct timeline_stack *s)
{
	static const char *const words[] = { "[lock]", "[GIL]", "[I/O]", "[page fault]", "[pause]" };

	for (size_t i = 0; s->state != UINT32_MAX && i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(intern_text(&t->names, s->state), words[i]))
			return true;
	}
	return false;
}

/* The longest wait of several threads for one thread, or of one thread for a lock, a device or its JVM. */
static uint64_t timeline_svg_longest_wait(const struct timeline *t)
{
	uint64_t longest = 0, ns;

	for (size_t i = 0; i < t->stall_count; i++)
		longest = t->stalls[i].longest_ns > longest ? t->stalls[i].longest_ns : longest;
	for (size_t i = 0; t->has_waits && i < t->span_count; i++) {
		const struct timeline_span *s = &t->spans[i];

		ns = s->more == TIMELINE_PLAIN ? s->time_ns : t->extras[s->more].longest;
		if (ns > longest && timeline_svg_is_held_up(t, &t->stacks[s->stack]))
			longest = ns;
	}
	return longest;
}

static void timeline_svg_add_data(const void *plan, struct str *out)
{
	const struct timeline_plan *p = plan;
	struct str data = { 0 };

	timeline_svg_add_settings(p, out);
	timeline_encode_stacks(p->t, &data);
	metadata_add(out, "timeline-stacks", &data);
	str_clear(&data);
	timeline_encode(p->t, &data);
	metadata_add(out, "timeline-spans", &data);
	if (p->t->has_waits) {
		str_clear(&data);
		timeline_encode_traces(p->t, &data);
		metadata_add(out, "timeline-traces", &data);
		str_clear(&data);
		timeline_encode_samples(p->t, &data);
		metadata_add(out, "timeline-samples", &data);
	}
	str_free(&data);
}

struct drawing timeline_drawing(const struct timeline_plan *p)
{
	struct drawing d = bars_drawing(p->style, &timeline_page, &p->t->in.source);

	d.w = p->w;
	d.h = p->h;
	d.picture.kind = p->kind;
	d.picture.unit = "ns";
	d.picture.total = p->t->time_ns;
	d.picture.longest = timeline_svg_longest_wait(p->t);
	d.picture.plot = (struct plot){ .top = p->legend_y, .end = p->details_y };
	d.summary = str_text(&p->summary);
	d.draw = timeline_draw;
	d.data = timeline_svg_add_data;
	d.chart = p;
	return d;
}

int timeline_write(const struct timeline *t, const struct bars_style *style, const char *kind, const char *path)
{
	struct timeline_plan plan;
	struct drawing d;
	int status;

	timeline_plan_make(&plan, t, style, kind);
	d = timeline_drawing(&plan);
	status = drawing_write(&d, style->format, path);
	timeline_plan_free(&plan);
	return status;
}
