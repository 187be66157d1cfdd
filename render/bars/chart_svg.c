/* The data in an SVG of bars besides the picture: its origin, and all numbers for the script and for "render folded":
 *
 *     <metadata id="bars">{
 *     "kind":"states","unit":"ns","decimals":0,"columns":["time","count","longest"],
 *     "window":10000000000,            length of a full bar, in the measure drawn
 *     "measure":"time"|"count","many":"threads","safe":false,"theme":"auto",
 *     "roots":"thread,state,by",       those of rows (one or more), kind and by
 *     "source":{"host":"db1",...},     the folded header
 *     "names":["spin-a-4711/spin-a",...],
 *     "color_by":"state"|"longest","steps":[{"from":0,"text":"under 1 us","rgb":..,"safe":..},...],
 *                                      colours by the longest (chart.h), if there are any
 *     "full":N,"full_group":"noise",   instead of window: see struct bars_chart
 *     "kinds":[{"name":"running","label":...,"word":...,"group":"running","rgb":"#7db3e8","safe":"#56b4e9"},...],
 *                                      in drawing order; label only if it differs from the name, about if set,
 *                                      graded if its steps count
 *     "rows":[{"name":0,"members":1,"note":"4.98 s spin-b"},...], in the order of the picture
 *     "segments":[row,kind,by,time,count,longest,...], by: an index in names or -1; then a value
 *                                      for each column
 *     "layout":{"name_x":..,"name_width":..,"row_height":..,"bar_x":..,"bar_width":..,"top":..,
 *               "note_x":..,"note_width":..,"totals_top":..,"tables_top":..,"shown":..}}</metadata>
 *
 * Lengths are px.  The first `shown` rows are drawn one by one, in #bars-rows; the sum of the
 * others is in #bars-more, the sum of all rows in #bars-totals.  A row with several members that is longer than the
 * window is drawn as wide as the window.  XML parsers refuse runs of text
 * of more than 10 MB, so comments (<!---->) may stand between items. */
#include "render/bars/chart.h"

#include <stdlib.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/profile/sample.h"

enum { CHUNK_BYTES = 4 * 1000 * 1000 };

/* ---- names ------------------------------------------------------------------ */

/* Add a comment if the text has become long; *chunk: where the last comment was added. */
static void break_text(struct str *out, size_t *chunk)
{
	if (out->len - *chunk < CHUNK_BYTES)
		return;
	str_puts(out, "<!---->");
	*chunk = out->len;
}

/* Write the names that rows and bys have, and number them from 0. */
static uint32_t *number_names(const struct bars *b, struct str *out)
{
	uint32_t *number = xmalloc((b->names.count + 1) * sizeof(*number)), count = 0;
	size_t chunk = out->len;

	for (size_t i = 0; i <= b->names.count; i++)
		number[i] = UINT32_MAX;
	for (size_t i = 0; i < b->row_count + b->segment_count; i++) {
		uint32_t name = i < b->row_count ? b->rows[i].name : b->segments[i - b->row_count].by;

		if (name == BARS_NOBODY || number[name] != UINT32_MAX)
			continue;
		number[name] = count;
		str_puts(out, count++ ? "," : "");
		json_add(out, intern_text(&b->names, name), intern_len(&b->names, name));
		break_text(out, &chunk);
	}
	return number;
}

/* ---- data ------------------------------------------------------------------- */

static void chart_svg_add_kinds(struct str *out, const struct bars *b)
{
	for (size_t i = 0; i < b->kind_count; i++) {
		const struct bars_kind *k = &b->kinds[i];

		str_puts(out, i ? ",\n{\"name\":" : "{\"name\":");
		json_add(out, intern_text(&b->names, k->name), intern_len(&b->names, k->name));
		if (k->label) {
			str_puts(out, ",\"label\":");
			json_puts(out, k->label);
		}
		if (k->word) {
			str_puts(out, ",\"word\":");
			json_puts(out, k->word);
		}
		if (k->about) {
			str_puts(out, ",\"about\":");
			json_puts(out, k->about);
		}
		if (k->graded)
			str_puts(out, ",\"graded\":true");
		str_puts(out, ",\"group\":");
		json_puts(out, k->group);
		str_puts(out, ",\"rgb\":\"");
		rgb_add(out, k->rgb);
		str_puts(out, "\",\"safe\":\"");
		rgb_add(out, k->safe);
		str_puts(out, "\"}");
	}
}

static void chart_svg_add_rows(struct str *out, const struct bars_chart *chart, const uint32_t *number)
{
	const struct bars *b = chart->bars;
	size_t chunk = out->len;

	for (size_t i = 0; i < b->row_count; i++) {
		break_text(out, &chunk);
		str_addf(out, "%s{\"name\":%u,\"members\":%u", i ? "," : "", number[b->rows[i].name],
			 b->rows[i].members);
		if (chart->note_heading) {
			str_puts(out, ",\"note\":");
			json_add(out, str_text(&chart->notes[i]), chart->notes[i].len);
		}
		str_puts(out, i % 16 == 15 ? "}\n" : "}");
	}
}

static void chart_svg_add_number(struct str *out, bool wanted, uint64_t n)
{
	if (!wanted)
		return;
	str_addc(out, ',');
	str_add_u64(out, n);
}

static void add_segments(struct str *out, const struct bars *b, const uint32_t *number)
{
	size_t chunk = out->len;

	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		str_addf(out, "%s%u,%u,", i ? "," : "", s->row, s->kind);
		if (s->by == BARS_NOBODY)
			str_puts(out, "-1");
		else
			str_add_u64(out, number[s->by]);
		chart_svg_add_number(out, true, s->amount.value);
		chart_svg_add_number(out, b->has_count, s->amount.count);
		chart_svg_add_number(out, b->has_longest, s->amount.longest);
		chart_svg_add_number(out, b->has_migrations, s->amount.migrations);
		str_puts(out, i % 16 == 15 ? "\n" : "");
		break_text(out, &chunk);
	}
}

static void chart_svg_add_px(struct str *out, const char *key, int32_t cpx)
{
	str_addf(out, "\"%s\":", key);
	px_add(out, cpx);
	str_addc(out, ',');
}

static void chart_svg_add_layout(struct str *out, const struct bars_plan *plan)
{
	str_puts(out, "\"layout\":{");
	chart_svg_add_px(out, "name_x", BARS_PAD);
	chart_svg_add_px(out, "name_width", plan->name_w);
	chart_svg_add_px(out, "row_height", plan->row_height);
	chart_svg_add_px(out, "bar_x", plan->bar_x);
	chart_svg_add_px(out, "bar_width", plan->bar_w);
	chart_svg_add_px(out, "top", plan->rows_y);
	chart_svg_add_px(out, "note_x", plan->note_x);
	chart_svg_add_px(out, "note_width", plan->note_w);
	chart_svg_add_px(out, "totals_top", plan->totals_y);
	chart_svg_add_px(out, "tables_top", plan->tables_y);
	str_addf(out, "\"fluid\":%s,\"shown\":%zu}", plan->chart->style->fluid ? "true" : "false", plan->shown);
}

/* Write the whole header, since picture_add() may shorten it. */
static void chart_svg_add_source(struct str *out, const struct folded_source *source)
{
	str_puts(out, ",\n\"source\":{");
	for (size_t i = 0; i < source->count; i++) {
		str_puts(out, i ? "," : "");
		json_puts(out, source->pairs[i].key);
		str_addc(out, ':');
		json_puts(out, source->pairs[i].value);
	}
	str_puts(out, "},\n");
}

/* Write the colours by the longest time, so that a script can change to them. */
static void chart_svg_add_steps(struct str *out, const struct bars_chart *chart)
{
	struct str text = { 0 };

	str_addf(out, ",\n\"color_by\":\"%s\",\"steps\":[", chart->style->by_longest ? "longest" : "state");
	for (size_t i = 0; i < BARS_STEPS; i++) {
		str_clear(&text);
		bars_step_add(&text, chart->bars, i);
		str_puts(out, i ? ",\n{\"from\":" : "\n{\"from\":");
		str_add_u64(out, bars_step_from(chart->bars, i));
		str_puts(out, ",\"text\":");
		json_puts(out, text.buf);
		str_puts(out, ",\"rgb\":\"");
		rgb_add(out, bars_step_rgb(i, false));
		str_puts(out, "\",\"safe\":\"");
		rgb_add(out, bars_step_rgb(i, true));
		str_puts(out, "\"}");
	}
	str_addc(out, ']');
	str_free(&text);
}

/* Write the settings that are not lists. */
static void chart_svg_add_settings(struct str *out, const struct bars_plan *plan)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars_style *style = chart->style;
	const struct bars *b = chart->bars;

	str_puts(out, "\"kind\":");
	json_puts(out, chart->kind);
	str_puts(out, ",\"unit\":");
	json_puts(out, bars_unit(b));
	str_addf(out, ",\"decimals\":%u,\"columns\":[\"time\"%s%s%s],\"window\":", b->decimals,
		 b->has_count ? ",\"count\"" : "", b->has_longest ? ",\"longest\"" : "",
		 b->has_migrations ? ",\"migrations\"" : "");
	str_add_u64(out, chart->full ? 0 : plan->scale);
	if (chart->full) {
		str_puts(out, ",\"full\":");
		str_add_u64(out, chart->full);
		str_puts(out, ",\"full_group\":");
		json_puts(out, chart->full_group);
	}
	str_addf(out, ",\"measure\":\"%s\",\"many\":", style->by_count ? "count" : "time");
	json_puts(out, chart->many);
	str_puts(out, ",\"note_heading\":");
	json_puts(out, chart->note_heading ? chart->note_heading : "");
	str_addf(out, ",\"safe\":%s,\"theme\":\"%s\",\n\"roots\":", style->safe ? "true" : "false", style->theme_name);
	json_puts(out, str_text(&b->roots));
	if (bars_have_steps(b))
		chart_svg_add_steps(out, chart);
	chart_svg_add_source(out, &b->source);
}

static void chart_svg_add_data(const void *chart_plan, struct str *out)
{
	const struct bars_plan *plan = chart_plan;
	const struct bars *b = plan->chart->bars;
	uint32_t *number;

	str_puts(out, "<metadata id=\"bars\">{");
	chart_svg_add_settings(out, plan);
	str_puts(out, "\"names\":[");
	number = number_names(b, out);
	str_puts(out, "],\n\"kinds\":[");
	chart_svg_add_kinds(out, b);
	str_puts(out, "],\n\"rows\":[");
	chart_svg_add_rows(out, plan->chart, number);
	str_puts(out, "],\n\"segments\":[");
	add_segments(out, b, number);
	str_puts(out, "],\n");
	chart_svg_add_layout(out, plan);
	str_puts(out, "}</metadata>\n");
	free(number);
}

/* ---- the file --------------------------------------------------------------- */

/* The longest single wait of all, 0 when there is none. */
static uint64_t chart_svg_longest_wait(const struct bars *b)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		if (b->kinds[s->kind].wait && s->amount.longest > longest)
			longest = s->amount.longest;
	}
	return longest / decimal_shift(1, b->decimals);
}

struct drawing bars_chart_drawing(const struct bars_plan *plan)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars *b = chart->bars;
	struct drawing d = bars_drawing(chart->style, &bars_page, &b->source);

	d.w = plan->w;
	d.h = plan->h;
	d.picture.kind = chart->kind;
	d.picture.title = chart->title;
	d.picture.unit = bars_unit(b);
	d.picture.total = b->amount.value / decimal_shift(1, b->decimals);
	d.picture.longest = chart_svg_longest_wait(b);
	d.picture.plot = (struct plot){ .top = plan->legend_y, .end = plan->details_y };
	d.summary = chart->headline;
	d.draw = bars_draw;
	d.data = chart_svg_add_data;
	d.chart = plan;
	return d;
}

int bars_chart_write(const struct bars_chart *chart, const char *path)
{
	struct bars_plan plan;
	struct drawing d;
	int status;

	bars_plan_make(&plan, chart);
	d = bars_chart_drawing(&plan);
	status = drawing_write(&d, chart->style->format, path);
	bars_plan_free(&plan);
	return status;
}
