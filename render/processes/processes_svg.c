/* The SVG of processes: the picture, and all spans, for the script and "render folded":
 *
 *     <metadata id="processes">{
 *     "start":"1795342502000000000",  since the epoch, in ns
 *     "window":10000000000,           ns
 *     "relative":false,"theme":"auto","layout":{...},
 *     "names":[["cc1","#7fb2e5"],...],            of programs, and their colours
 *     "kinds":["exec;exit:0;awaited",...],        how spans began and ended
 *     "rows":[[processes,depth,lanes,quiet],...], in their order
 *     "path":[[process,from,to],...],             numbers of processes in their order, ns from the start
 *     "source":{"host":"db1",...}}</metadata>     the header
 *     <metadata class="processes-data">   a line for each span, those of a process together, by row: numbers as in
 *                                         digits.h, then the arguments
 *
 * The numbers are: 1 if the span continues the process of the previous line, else 0, followed by the pid and the lane;
 * the parent; the name; the kind; how much later it began than the previous process, or than the previous span of the
 * same process; its length; its CPU time (all in ns); its peak; how many of the arguments' first bytes are the same as
 * in the previous line. */
#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/encoding/digits.h"
#include "render/processes/processes_draw.h"

static const char *const processes_scripts[] = {
	"common/clock.js",      "common/time_part.js",    "common/time_axis.js",
	"common/rows_panel.js", "common/rows_toolbar.js", "common/rows_stage.js",
	"processes/data.js",    "processes/address.js",   "processes/view.js",
	"processes/panel.js",   "processes/details.js",   "processes/actions.js",
	"processes/toolbar.js", "processes/stage.js",     "processes/aside.js",
	"processes/export.js",  "processes/processes.js", NULL
};

const struct page processes_page = { .base = &common_page,
				     .scripts = processes_scripts,
				     .style = "processes/processes.css" };

/* A picture should have at most 5 MB, of which the scripts take this much. */
enum { PICTURE_MOST = 5000000, SCRIPTS_BYTES = 250000, ARGS_LEAST = 32, ARGS_MOST = 4096 };

/* ---- spans ---- */

struct encoder {
	const struct processes *p;
	uint32_t *names; /* [texts.count]: their numbers, + 1 */
	size_t name_count, args_most;
	const char *before; /* the arguments of the span before */
	size_t before_len;  /* length of `before` */
	struct str out, list;
};

static void processes_svg_put(struct str *out, uint64_t n)
{
	char text[NUMBER_BYTES];

	str_add(out, text, (size_t)(digits_put(text, n) - text));
}

static uint32_t name_number(struct encoder *e, uint32_t name)
{
	const char *text = process_text(e->p, name);

	if (!e->names[name]) {
		str_puts(&e->list, e->name_count ? ",[" : "[");
		json_puts(&e->list, text);
		str_puts(&e->list, ",\"");
		rgb_add(&e->list, process_rgb(text, intern_len(&e->p->texts, name)));
		str_puts(&e->list, "\"]");
		e->names[name] = (uint32_t)++e->name_count;
	}
	return e->names[name] - 1;
}

/* The common beginning of two texts.  Only printable ASCII counts, which has the same length in bytes and in a script's
 * units, and is written unchanged. */
static size_t shared(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t n = 0;

	while (n < a_len && n < b_len && a[n] == b[n] && a[n] >= ' ' && a[n] <= '~')
		n++;
	return n;
}

static void processes_svg_add_args(struct encoder *e, uint32_t args)
{
	const char *text = process_text(e->p, args);
	size_t len = intern_len(&e->p->texts, args), kept = len < e->args_most ? len : e->args_most, same;

	while (kept < len && kept && (text[kept] & 0xc0) == 0x80)
		kept--;
	same = shared(text, kept, e->before, e->before_len);
	processes_svg_put(&e->out, same);
	xml_add(&e->out, text + same, kept - same);
	if (kept < len)
		str_puts(&e->out, "...");
	str_addc(&e->out, '\n');
	e->before = text;
	e->before_len = kept;
}

static void processes_svg_add_span(struct encoder *e, const struct process_life *q, const struct process_span *s,
				   uint64_t before_ns)
{
	bool goes_on = s != &e->p->spans[q->first];

	processes_svg_put(&e->out, goes_on);
	if (!goes_on) {
		processes_svg_put(&e->out, s->pid);
		processes_svg_put(&e->out, q->lane);
	}
	processes_svg_put(&e->out, s->parent);
	processes_svg_put(&e->out, name_number(e, s->name));
	processes_svg_put(&e->out, s->kind);
	processes_svg_put(&e->out, s->time_ns - before_ns);
	processes_svg_put(&e->out, s->ns);
	processes_svg_put(&e->out, s->cpu_ns);
	processes_svg_put(&e->out, s->peak);
	processes_svg_add_args(e, s->args);
}

static void processes_svg_encode(struct encoder *e)
{
	const struct processes *p = e->p;

	for (size_t r = 0; r < p->row_count; r++) {
		uint64_t begin_ns = p->in.start_ns;

		for (size_t i = 0; i < p->rows[r].count; i++) {
			const struct process_life *q = &p->list[p->order[p->rows[r].first + i]];
			uint64_t before_ns = begin_ns;

			for (size_t k = 0; k < q->count; k++) {
				processes_svg_add_span(e, q, &p->spans[q->first + k], before_ns);
				before_ns = p->spans[q->first + k].time_ns;
			}
			begin_ns = q->begin_ns;
		}
	}
}

/* Arguments are cut until the picture is small enough. */
static void encode_all(struct encoder *e, const struct processes *p, size_t drawn)
{
	size_t most = PICTURE_MOST - SCRIPTS_BYTES;

	most = drawn < most / 2 ? most - drawn : most / 2;
	*e = (struct encoder){ .p = p, .args_most = ARGS_MOST, .before = "" };
	e->names = xcalloc(p->texts.count + 1, sizeof(*e->names));
	for (processes_svg_encode(e); e->out.len > most && e->args_most > ARGS_LEAST; processes_svg_encode(e)) {
		e->args_most = e->args_most * 3 / 4;
		e->before_len = 0;
		str_clear(&e->out);
	}
}

/* ---- settings ---- */

static void processes_svg_add_layout(const struct processes_plan *plan, struct str *out)
{
	str_puts(out, ",\"layout\":{\"pad\":");
	px_add(out, PROCESSES_PAD);
	setting_px(out, "nameWidth", plan->name_w);
	setting_px(out, "noteX", plan->note_x);
	setting_px(out, "indent", PROCESSES_INDENT);
	setting_px(out, "barX", plan->axis.x);
	setting_px(out, "rowHeight", plan->row_h);
	setting_px(out, "laneHeight", plan->lane_h);
	setting_px(out, "fontSize", plan->style->font.size_cpx);
	setting_bool(out, "fluid", plan->style->fluid);
	str_addc(out, '}');
}

static void processes_svg_add_rows(const struct processes *p, struct str *out)
{
	str_puts(out, ",\n\"rows\":[");
	for (size_t i = 0; i < p->row_count; i++)
		str_addf(out, "%s[%zu,%u,%u,%d]", i ? "," : "", p->rows[i].count, p->rows[i].depth, p->rows[i].lanes,
			 p->rows[i].quiet);
	str_addc(out, ']');
}

static void processes_svg_add_path(const struct processes *p, struct str *out)
{
	uint32_t *place = xcalloc(p->count + 1, sizeof(*place)); /* by process: its place in order */

	for (size_t i = 0; i < p->count; i++)
		place[p->order[i]] = (uint32_t)i;
	str_puts(out, ",\n\"path\":[");
	for (size_t i = p->path_count; i-- > 0;) {
		str_addf(out, "[%u,", place[p->path[i].process]);
		str_add_u64(out, p->path[i].from_ns - p->in.start_ns);
		str_addc(out, ',');
		str_add_u64(out, p->path[i].to_ns - p->in.start_ns);
		str_puts(out, i ? "]," : "]");
	}
	str_addc(out, ']');
	free(place);
}

static void processes_svg_add_kinds(const struct processes *p, struct str *out)
{
	str_puts(out, ",\n\"kinds\":[");
	for (size_t i = 0; i < p->kind_texts.count; i++) {
		str_puts(out, i ? "," : "");
		json_puts(out, intern_text(&p->kind_texts, (uint32_t)i));
	}
	str_addc(out, ']');
}

static void processes_svg_add_data(const void *chart_plan, struct str *out)
{
	const struct processes_plan *plan = chart_plan;
	const struct processes *p = plan->p;
	struct encoder e;

	encode_all(&e, p, out->len);
	str_puts(out, "<metadata id=\"processes\">{\"start\":\"");
	str_add_u64(out, p->in.start_ns);
	str_puts(out, "\",\"window\":");
	str_add_u64(out, p->in.end_ns - p->in.start_ns);
	setting_bool(out, "relative", p->in.relative);
	setting_text(out, "theme", plan->style->theme_name);
	setting_bool(out, "cut", e.args_most < ARGS_MOST);
	processes_svg_add_layout(plan, out);
	str_puts(out, ",\n\"names\":[");
	str_add(out, str_text(&e.list), e.list.len);
	str_addc(out, ']');
	processes_svg_add_kinds(p, out);
	processes_svg_add_rows(p, out);
	processes_svg_add_path(p, out);
	str_puts(out, ",\n\"source\":");
	source_json(out, &p->in.source);
	str_puts(out, "}</metadata>\n");
	metadata_add(out, "processes-data", &e.out);
	str_free(&e.out);
	str_free(&e.list);
	free(e.names);
}

struct drawing processes_drawing(const struct processes_plan *plan)
{
	struct drawing d = bars_drawing(plan->style, &processes_page, &plan->p->in.source);

	d.w = plan->w;
	d.h = plan->h;
	d.picture.kind = "processes";
	d.picture.unit = "processes";
	d.picture.total = plan->p->count;
	d.picture.plot = (struct plot){ .top = plan->axis.y, .end = plan->details_y };
	d.draw = processes_draw;
	d.data = processes_svg_add_data;
	d.chart = plan;
	return d;
}

int processes_write(const void *processes, const struct bars_style *style, const char *path)
{
	struct processes_plan plan;
	struct drawing d;
	int status;

	processes_plan_make(&plan, processes, style);
	d = processes_drawing(&plan);
	status = drawing_write(&d, style->format, path);
	processes_plan_free(&plan);
	return status;
}
