/* The texts above and below a heat map. */
#include "render/heat/heat_draw.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/flame/shown.h"
#include "render/profile/idle.h"
#include "render/profile/number.h"

enum { SAMPLES_FEW = 3, SAMPLES_MANY = 64 }; /* events in the fullest cell at which one more or less is visible */

/* ---- heading -------------------------------------------------------------- */

const char *heat_title(const struct heat_plan *p)
{
	static const char *const titles[] = {
		[HEAT_Y_OFFSET] = "Subsecond-offset heat map",
		[HEAT_Y_VALUE] = "Latency Heat Map",
		[HEAT_Y_UTILIZATION] = "CPU Utilization Heat Map",
	};

	return p->style->title ? p->style->title : titles[p->chart->axes.y];
}

/* "2026-11-21 10:15:02.000 – 10:16:02.000 UTC · " */
static void heat_heading_add_window(struct str *out, const struct heat_plan *p)
{
	const struct zone *zone = &p->style->zone;
	struct str dates[2] = { { 0 }, { 0 } };
	uint64_t from, to;

	if (p->chart->heat->relative || !heat_window(p->chart->heat, &from, &to))
		return;
	zone_date_add(&dates[0], zone, from);
	zone_date_add(&dates[1], zone, to);
	str_addf(out, "%s ", dates[0].buf);
	zone_clock_add(out, zone, from, 3);
	str_puts(out, " \xe2\x80\x93 ");
	if (strcmp(dates[0].buf, dates[1].buf))
		str_addf(out, "%s ", dates[1].buf);
	zone_clock_add(out, zone, to, 3);
	str_addf(out, " %s \xc2\xb7 ", zone->label);
	str_free(&dates[0]);
	str_free(&dates[1]);
}

static void heat_heading_add_total(struct str *out, const struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;

	heat_count_add(out, h->event_count - h->idle_events, p->style->names_unit);
}

void heat_idle_note(struct str *out, const struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	const struct heat_style *style = p->style;
	struct unit unit = { style->names_unit, 0, 1 };
	uint64_t idle = h->idle_events, all = h->event_count;

	if (!idle || p->chart->axes.y == HEAT_Y_UTILIZATION)
		return;
	if (h->spans) {
		unit = heat_unit(style, h);
		idle = all = 0;
		for (size_t i = 0; i < h->event_count; i++) {
			all += heat_value(h, i);
			idle += h->stacks[h->stack[i]].idle ? heat_value(h, i) : 0;
		}
	}
	idle_words_add(out, h->idle_of_threads, idle, all, &unit);
	str_puts(out, style->format->cairo || style->no_script ? " (--idle shows them)" : " (Y shows them)");
}

void heat_say(struct heat_plan *p, enum text_role role, struct str *text)
{
	heading_add_text(&p->heading, role, &p->style->font, p->w - 2 * HEAT_PAD, str_text(text));
	str_clear(text);
}

static bool has_alarm(const struct heading *h)
{
	for (size_t i = 0; i < h->count; i++) {
		if (h->lines[i].role == TEXT_ALARM)
			return true;
	}
	return false;
}

static int heat_heading_by_place(const void *a, const void *b)
{
	const struct heat_gap *x = a, *y = b;

	return ORDER(x->recording, y->recording) ?: ORDER(x->cpu, y->cpu) ?: ORDER(x->start_ns, y->start_ns);
}

/* How many CPUs a gap affects. */
static size_t heat_heading_cpus_of(const struct heat *h, const struct heat_gap *g)
{
	size_t count = h->recordings[g->recording].cpu_count;

	return g->cpu < 0 && count ? count : 1;
}

/* The length of all gaps, in time or in CPU time.  If gaps of a CPU overlap, the time counts only once. */
static uint64_t gaps_ns(const struct heat *h, bool of_cpus)
{
	struct heat_gap *gaps = xcalloc(h->gap_count + 1, sizeof(*gaps));
	uint64_t sum = 0, end = 0;

	for (size_t i = 0; i < h->gap_count; i++)
		gaps[i] = h->gaps[i];
	qsort(gaps, h->gap_count, sizeof(*gaps), heat_heading_by_place);
	for (size_t i = 0; i < h->gap_count; i++) {
		const struct heat_gap *g = &gaps[i];

		if (!i || g->recording != g[-1].recording || g->cpu != g[-1].cpu)
			end = 0;
		end = end > g->start_ns ? end : g->start_ns;
		sum += g->end_ns > end ? (g->end_ns - end) * (of_cpus ? heat_heading_cpus_of(h, g) : 1) : 0;
		end = g->end_ns > end ? g->end_ns : end;
	}
	free(gaps);
	return sum;
}

/* Append "throttled 3, lost 1", in the order of the first gaps. */
static void heat_heading_add_reasons(struct str *out, const struct heat *h)
{
	uint64_t *counts = xcalloc(h->names.count + 1, sizeof(*counts));
	const char *before = "";

	for (size_t i = 0; i < h->gap_count; i++)
		counts[h->gaps[i].why]++;
	for (size_t i = 0; i < h->gap_count; i++) {
		uint32_t why = h->gaps[i].why;

		if (!counts[why])
			continue;
		str_addf(out, "%s%s ", before, intern_text(&h->names, why));
		number_add(out, counts[why]);
		counts[why] = 0;
		before = ", ";
	}
	free(counts);
}

/* The time that all recordings observed, for each CPU if of_cpus. */
static uint64_t wanted_ns(const struct heat *h, bool of_cpus)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (r->to_ns > r->from_ns)
			sum += (r->to_ns - r->from_ns) * (of_cpus && r->cpu_count ? r->cpu_count : 1);
	}
	return sum;
}

/* Note "Not seen: 1.2 s in 4 gaps (throttled 3, lost 1), hatched": red if it is much, unless another red line reports
 * what was lost in these gaps. */
static void heat_heading_tell_gaps(struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	bool of_cpus = false;
	struct str text = { 0 };
	uint64_t ns;

	if (!h->gap_count)
		return;
	for (size_t i = 0; i < h->gap_count; i++)
		of_cpus |= h->gaps[i].cpu >= 0;
	ns = gaps_ns(h, of_cpus);
	str_puts(&text, "Not seen: ");
	duration_add(&text, ns);
	str_puts(&text, of_cpus ? " of CPU time in " : " in ");
	heat_count_add(&text, h->gap_count, "gaps");
	str_puts(&text, " (");
	heat_heading_add_reasons(&text, h);
	str_puts(&text, "), hatched");
	heat_say(p, heat_is_much(ns, wanted_ns(h, of_cpus)) && !has_alarm(&p->heading) ? TEXT_ALARM : TEXT_DOUBT,
		 &text);
	str_free(&text);
}

static bool several_hosts(const struct heat *h)
{
	for (size_t i = 1; i < h->recording_count; i++) {
		if (strcmp(h->recordings[i].host, h->recordings[0].host))
			return true;
	}
	return false;
}

/* A wrong clock matters if hosts are compared. */
static void tell_clocks(struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	enum text_role role = several_hosts(h) ? TEXT_ALARM : TEXT_DOUBT;
	struct str text = { 0 };

	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (!r->clock_note)
			continue;
		str_addf(&text, "%s%s%s", r->host, *r->host ? ": " : "", r->clock_note);
		heat_say(p, role, &text);
	}
	str_free(&text);
}

/* As flame graphs say it. */
static void tell_left_out(struct heat_plan *p, struct str *text)
{
	uint64_t part, all;

	if (!source_ratio(&p->chart->heat->source, FOLDED_LEFT_OUT, &part, &all))
		return;
	shown_words(text, SHOWN_WORK, part, all, &(struct unit){ "ns", 0, 1 });
	str_puts(text, ", left out by collapse (--waits all keeps them)");
	text->buf[0] = (char)toupper((unsigned char)text->buf[0]);
	heat_say(p, TEXT_NOTE, text);
}

/* Sums and unfinished waits are red if they change what the map shows. */
static void heat_heading_tell_doubts(struct heat_plan *p)
{
	bool of_values = p->chart->axes.y == HEAT_Y_VALUE;
	const struct heat *h = p->chart->heat;
	uint64_t sums = 0, lines = 0, open;
	struct str text = { 0 };

	heat_doubt_sums(&text, h);
	source_ratio(&h->source, FOLDED_SUMS, &sums, &lines);
	heat_say(p, heat_is_much(sums, lines) ? TEXT_ALARM : TEXT_DOUBT, &text);
	heat_doubt_short(&text, h);
	heat_say(p, TEXT_NOTE, &text);
	strays_say(&h->strays, "events", &text);
	heat_say(p, TEXT_DOUBT, &text);
	tell_left_out(p, &text);
	open = heat_doubt_open(&text, h, of_values);
	heat_say(p, of_values && heat_is_much(open, h->event_count) ? TEXT_ALARM : TEXT_DOUBT, &text);
	str_free(&text);
}

void heat_heading_make(struct heat_plan *p)
{
	const struct heat_style *style = p->style;
	struct str total = { 0 };
	struct folded_source source;

	heat_source_make(&source, p->chart->heat);
	heat_heading_add_window(&total, p);
	heat_heading_add_total(&total, p);
	heading_make(&p->heading, &style->font, p->w - 2 * HEAT_PAD,
		     &(struct heading_words){ heat_title(p), style->headline, style->subtitle }, total.buf, &source);
	str_clear(&total);
	heat_idle_note(&total, p);
	if (total.len)
		heat_say(p, TEXT_NOTE, &total);
	heat_heading_tell_gaps(p);
	tell_clocks(p);
	heat_heading_tell_doubts(p);
	heading_add_text(&p->heading, TEXT_NOTE, &style->font, p->w - 2 * HEAT_PAD, str_text(&p->chart->remarks));
	heading_add_text(&p->heading, TEXT_NOTE, &style->font, p->w - 2 * HEAT_PAD, str_text(&p->chart->warning));
	heat_tell_stacks(p);
	source_free(&source);
	str_free(&total);
}

/* ---- details -------------------------------------------------------------- */

static void heat_heading_note(struct heat_plan *p, struct str *text)
{
	if (text->len)
		heading_add_text(&p->details, TEXT_NOTE, &p->style->font, p->w - 2 * HEAT_PAD, text->buf);
	str_clear(text);
}

/* Append "2026-11-21 UTC · 1 column = 1 s, 1 row = 20 ms". */
static void tell_cells(struct heat_plan *p, struct str *text)
{
	const struct heat_axes *a = &p->chart->axes;

	if (p->chart->heat->relative) {
		str_puts(text, "Times count from the start");
	} else {
		zone_date_add(text, &p->style->zone, heat_column_ns(a, 0));
		str_addf(text, " %s", p->style->zone.label);
	}
	str_puts(text, " \xc2\xb7 1 column = ");
	heat_span_add(text, a->period_ns * a->per_column);
	if (a->y == HEAT_Y_OFFSET) {
		str_puts(text, ", 1 row = ");
		heat_span_add(text, a->period_ns / a->rows);
		if (a->per_column > 1) {
			str_puts(text, " of each ");
			heat_span_add(text, a->period_ns);
		}
	} else if (a->y == HEAT_Y_VALUE && !a->logarithmic) {
		str_puts(text, ", 1 row = ");
		heat_value_add(text, p, a->step);
	} else if (a->y == HEAT_Y_VALUE && a->high > a->low) {
		str_addf(text, ", 1 row = \xc3\x97 %.3g", pow((double)a->high / (double)a->low, 1.0 / a->rows));
	} else if (a->y == HEAT_Y_UTILIZATION) {
		str_puts(text, ": a cell counts the CPUs with that utilization");
	}
	if (p->chart->heat->spans && a->weigh != HEAT_PAINTED && a->y != HEAT_Y_UTILIZATION) {
		const char *many = p->style->names_unit;

		str_addf(text, " \xc2\xb7 each %.*s at its start", (int)strlen(many) - 1, many);
	}
	heading_add_text(&p->cells, TEXT_NOTE, &p->style->font, p->w - 2 * HEAT_PAD, text->buf);
	str_clear(text);
}

/* "3 spans below 1 us and 1 span above 5 ms are in no row." */
static void add_events_outside(struct str *text, const struct heat_plan *p, uint64_t below, uint64_t above)
{
	const struct heat_axes *axes = &p->chart->maps[0].grid.axes;

	if (below) {
		heat_count_add(text, below, p->style->names_unit);
		str_puts(text, " below ");
		heat_value_add(text, p, axes->low);
	}
	if (above) {
		str_puts(text, below ? " and " : "");
		heat_count_add(text, above, p->style->names_unit);
		str_puts(text, " above ");
		heat_value_add(text, p, axes->high);
	}
	str_puts(text, below + above == 1 ? " is in no row." : " are in no row.");
}

/* "What is below 1 us or above 5 ms is in no row: 12 ms in all." */
static void add_amounts_outside(struct str *text, const struct heat_plan *p, uint64_t below, uint64_t above)
{
	const struct heat_axes *axes = &p->chart->maps[0].grid.axes;
	enum heat_weigh weigh = p->chart->axes.weigh;

	str_puts(text, "What is ");
	if (below) {
		str_puts(text, "below ");
		heat_value_add(text, p, axes->low);
		str_puts(text, above ? " or " : "");
	}
	if (above) {
		str_puts(text, "above ");
		heat_value_add(text, p, axes->high);
	}
	str_puts(text, weigh == HEAT_LONGEST ? " is in no row: at most " : " is in no row: ");
	if (weigh == HEAT_PAINTED)
		duration_add(text, below + above);
	else if (weigh == HEAT_LONGEST)
		heat_value_add(text, p, above > below ? above : below);
	else
		heat_value_add(text, p, below + above);
	str_puts(text, weigh == HEAT_LONGEST ? "." : " in all.");
}

static void tell_outside(struct heat_plan *p, struct str *text)
{
	enum heat_weigh weigh = p->chart->axes.weigh;
	uint64_t below = 0, above = 0;

	for (size_t i = 0; i < p->chart->map_count; i++) {
		const struct heat_grid *g = &p->chart->maps[i].grid;

		if (weigh == HEAT_LONGEST) {
			below = g->below > below ? g->below : below;
			above = g->above > above ? g->above : above;
		} else {
			below += g->below;
			above += g->above;
		}
	}
	if (!below && !above)
		return;
	if (weigh == HEAT_EVENTS)
		add_events_outside(text, p, below, above);
	else
		add_amounts_outside(text, p, below, above);
	heat_heading_note(p, text);
}

/* Note events of value 0, which are in no cell. */
static void tell_weightless(struct heat_plan *p, struct str *text)
{
	const struct heat *h = p->chart->heat;
	const struct heat_axes *a = &p->chart->axes;
	uint64_t count = 0;

	for (size_t i = 0; i < h->event_count && a->weigh != HEAT_EVENTS && a->y != HEAT_Y_UTILIZATION; i++)
		count += !heat_value(h, i) && !h->stacks[h->stack[i]].idle;
	if (!count)
		return;
	heat_count_add(text, count, p->style->names_unit);
	str_addf(text, " %s the value 0, which no cell shows.", count == 1 ? "has" : "have");
	heat_heading_note(p, text);
}

/* Note a pattern that comes from sampling alone. */
static void tell_sampling(struct heat_plan *p, struct str *text)
{
	const struct heat *h = p->chart->heat;
	const struct heat_axes *a = &p->chart->axes;

	if (!heat_is_sampled(h) || a->y != HEAT_Y_OFFSET || a->weigh != HEAT_EVENTS ||
	    p->chart->scale_of.largest < SAMPLES_FEW || p->chart->scale_of.largest > SAMPLES_MANY)
		return;
	str_puts(text, "Differences of one sample are noise.");
	heat_heading_note(p, text);
}

void heat_details_make(struct heat_plan *p)
{
	const struct heat_chart *c = p->chart;
	struct str text = { 0 };

	tell_cells(p, &text);
	tell_sampling(p, &text);
	tell_outside(p, &text);
	tell_weightless(p, &text);
	if (c->maps_left_out) {
		number_add(&text, c->maps_left_out);
		str_addf(&text, " more %s%s, with fewer %s each, not shown (--maps).", c->per,
			 c->maps_left_out == 1 ? "" : "s", p->style->names_unit);
		heat_heading_note(p, &text);
	}
	heat_lanes_tell(p, &text);
	heat_heading_note(p, &text);
	if (p->style->zone.changes) {
		str_addf(&text, "The offset from UTC changes within this time; all times are %s.",
			 p->style->zone.label);
		heat_heading_note(p, &text);
	}
	if (p->style->notes) {
		str_puts(&text, p->style->notes);
		heat_heading_note(p, &text);
	}
	str_free(&text);
}
