#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/processes/processes_draw.h"
#include "render/profile/number.h"

enum {
	EDGE = 8 * CPX,
	GAP = 10 * CPX,
	AXIS_H = 22 * CPX,
	NAME_MOST_PERCENT = 32,
	BAR_LEAST = 100 * CPX,
	LANE_H = 4 * CPX,       /* the height of simultaneous processes in a row is at least this, ... */
	LANE_MOST_H = 18 * CPX, /* ... and at most this, so that their bars have words, ... */
	PAGE_H = 560 * CPX,     /* ... as long as all rows together are no higher than this */
	TOTALS = 12,
	LEGEND = 8,
};

/* ---- words ---- */

uint32_t process_rgb(const char *name, size_t len)
{
	uint32_t hash = 2166136261u; /* FNV-1a: the same on every machine, and simple enough for a script */
	double h, f;
	const double low = 0.52, high = 0.90;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	h = (double)(hash >> 8 & 0xffff) / 65536 * 6;
	f = h - (double)(int)h;
	switch ((int)h) {
	case 0: return hue_rgb(hue_part(255, high), hue_part(255, low + (high - low) * f), hue_part(255, low));
	case 1: return hue_rgb(hue_part(255, high - (high - low) * f), hue_part(255, high), hue_part(255, low));
	case 2: return hue_rgb(hue_part(255, low), hue_part(255, high), hue_part(255, low + (high - low) * f));
	case 3: return hue_rgb(hue_part(255, low), hue_part(255, high - (high - low) * f), hue_part(255, high));
	case 4: return hue_rgb(hue_part(255, low + (high - low) * f), hue_part(255, low), hue_part(255, high));
	default: return hue_rgb(hue_part(255, high), hue_part(255, low), hue_part(255, high - (high - low) * f));
	}
}

void process_row_name(const struct processes *p, const struct process_row *row, struct str *out)
{
	const struct process_life *q = &p->list[p->order[row->first]];

	str_puts(out, process_text(p, q->name));
	if (row->count == 1) {
		str_addf(out, " %u", q->pid);
	} else {
		str_puts(out, " \303\227 ");
		number_add(out, row->count);
	}
}

void process_row_note(const struct processes *p, const struct process_row *row, struct str *out)
{
	uint64_t cpu_ns = 0;

	for (size_t i = 0; i < row->count; i++)
		cpu_ns += p->list[p->order[row->first + i]].cpu_ns;
	duration_add(out, cpu_ns);
	str_puts(out, " CPU");
}

/* ---- where ---- */

int32_t process_row_height(const struct processes_plan *plan, const struct process_row *row)
{
	int32_t lanes = (int32_t)row->lanes * plan->lane_h + 4 * CPX;

	return row->lanes > 1 && lanes > plan->row_h ? lanes : plan->row_h;
}

/* The height of the first rows, at most `top` of them; stops adding once the sum is too high. */
static int64_t processes_plan_height(const struct processes_plan *plan, uint64_t top)
{
	int64_t high = 0;

	for (size_t i = 0; i < plan->p->row_count && top && high <= PAGE_H; i++) {
		if (plan->p->rows[i].quiet)
			continue;
		high += process_row_height(plan, &plan->p->rows[i]);
		top--;
	}
	return high;
}

static void processes_plan_place_rows(struct processes_plan *plan)
{
	const struct processes *p = plan->p;
	uint64_t top = plan->style->top ? plan->style->top : UINT64_MAX;
	int32_t y = plan->rows_y;

	plan->lane_h = LANE_MOST_H;
	while (plan->lane_h > LANE_H && processes_plan_height(plan, top) > PAGE_H)
		plan->lane_h -= CPX;
	plan->shown = xcalloc(p->row_count + 1, sizeof(*plan->shown));
	plan->tops = xcalloc(p->row_count + 1, sizeof(*plan->tops));
	for (size_t i = 0; i < p->row_count && plan->shown_count < top && y < INT32_MAX / 4; i++) {
		if (p->rows[i].quiet)
			continue;
		plan->tops[plan->shown_count] = y;
		plan->shown[plan->shown_count++] = i;
		y += process_row_height(plan, &p->rows[i]);
	}
	plan->rows_h = y - plan->rows_y;
}

static void processes_plan_place_columns(struct processes_plan *plan)
{
	const struct processes *p = plan->p;
	const struct font *font = &plan->style->font;
	int64_t most = font_width(font, "0000-00-00 UTC", 14), limit = (int64_t)plan->w * NAME_MOST_PERCENT / 100;
	int32_t note_w = font_width(font, "0000.0 ms CPU", 13);

	for (size_t i = 0; i < p->row_count; i++) {
		struct str name = { 0 };
		int64_t wide;

		if (p->rows[i].quiet)
			continue;
		process_row_name(p, &p->rows[i], &name);
		wide = font_width(font, name.buf, name.len) + (int64_t)p->rows[i].depth * PROCESSES_INDENT;
		most = wide > most ? wide : most;
		str_free(&name);
	}
	plan->name_w = (int32_t)(most < limit ? most : limit) + CPX;
	plan->note_x = PROCESSES_PAD + plan->name_w + GAP;
	plan->axis.x = plan->note_x + note_w + GAP;
	plan->axis.w = (plan->w - PROCESSES_PAD - plan->axis.x) / CPX * CPX;
	plan->axis.w = plan->axis.w < BAR_LEAST ? BAR_LEAST : plan->axis.w;
	plan->axis.date_x = PROCESSES_PAD;
}

/* ---- below ---- */

static void make_table(struct processes_plan *plan)
{
	const struct processes *p = plan->p;
	struct bars_table *t = &plan->table;
	double all = 0; /* made-up times may exceed 64 bits */

	*t = (struct bars_table){ .id = "totals",
				  .title = "By command",
				  .column_count = 6,
				  .columns = { { "command", false, false },
					       { "programs", true, false },
					       { "elapsed", true, false },
					       { "CPU", true, true },
					       { "most memory", true, false },
					       { "failed", false, false } } };
	for (size_t i = 0; i < p->total_count; i++)
		all += (double)p->totals[i].cpu_ns;
	for (size_t i = 0; i < p->total_count && i < TOTALS; i++) {
		const struct process_total *total = &p->totals[i];
		struct table_row *row = table_add(t);

		str_puts(&row->cells[0], process_text(p, total->name));
		number_add(&row->cells[1], total->runs);
		duration_add(&row->cells[2], total->ns);
		duration_add(&row->cells[3], total->cpu_ns);
		size_add(&row->cells[4], total->peak);
		if (total->wrong)
			number_add(&row->cells[5], total->wrong);
		row->share = all > 0 ? (double)total->cpu_ns / all : 0;
	}
	if (p->total_count > TOTALS)
		str_addf(&t->more, "and %zu more", p->total_count - TOTALS);
}

static void make_legend(struct processes_plan *plan)
{
	const struct processes *p = plan->p;

	for (size_t i = 0; i < p->total_count && i < LEGEND; i++) {
		const char *name = process_text(p, p->totals[i].name);

		legend_add(&plan->legend, process_rgb(name, intern_len(&p->texts, p->totals[i].name)), name);
	}
	if (p->path_count)
		legend_add(&plan->legend, PROCESSES_PATH_RGB, "critical path: what was waited for");
}

static void processes_plan_make_details(struct processes_plan *plan)
{
	const struct processes *p = plan->p;
	size_t left = p->row_count - p->quiet_rows - plan->shown_count;
	struct str text = { 0 };

	str_puts(&text,
		 "Pale: a copy of the parent, before its exec. A mark above a bar: an exec that failed; a dark end: "
		 "another exit status than 0, or a signal.");
	if (left)
		str_addf(&text, " %zu more %s in a browser (--top).", left, left == 1 ? "row" : "rows");
	if (p->quiet_rows)
		str_addf(&text, " %zu %s of processes that were there all the time, idle, %s left out.", p->quiet_rows,
			 p->quiet_rows == 1 ? "row" : "rows", p->quiet_rows == 1 ? "is" : "are");
	heading_add_text(&plan->details, TEXT_DETAILS, &plan->style->font, plan->w - 2 * PROCESSES_PAD, text.buf);
	str_free(&text);
}

void processes_plan_make(struct processes_plan *plan, const struct processes *p, const struct bars_style *style)
{
	struct heading_words words = { style->title, style->headline, style->subtitle };
	struct str total = { 0 };
	int32_t y = EDGE;

	*plan = (struct processes_plan){
		.p = p,
		.style = style,
		.w = style->width_px * CPX,
		.row_h = style->row_px * CPX,
		.axis = { .start_ns = p->in.start_ns, .end_ns = p->in.end_ns, .relative = p->in.relative },
	};
	number_add(&total, p->count);
	str_puts(&total, p->count == 1 ? " process" : " processes");
	heading_make(&plan->heading, &style->font, plan->w - 2 * PROCESSES_PAD, &words, total.buf, &p->in.source);
	str_free(&total);
	processes_plan_place_columns(plan);
	y += heading_height(&plan->heading, &style->font) + EDGE / 2;
	plan->axis.y = y;
	time_axis_make(&plan->axis, &style->font);
	plan->rows_y = y + AXIS_H;
	processes_plan_place_rows(plan);
	make_legend(plan);
	make_table(plan);
	processes_plan_make_details(plan);
	plan->legend_y = plan->rows_y + plan->rows_h + EDGE;
	plan->details_y = plan->legend_y + legend_height(&plan->legend, &style->font, plan->w - 2 * PROCESSES_PAD);
	plan->table_y = plan->details_y + heading_height(&plan->details, &style->font) + EDGE;
	plan->h = plan->table_y + table_height(&plan->table, &style->font) + EDGE;
}

void processes_plan_free(struct processes_plan *plan)
{
	heading_free(&plan->heading);
	heading_free(&plan->details);
	legend_free(&plan->legend);
	table_free(&plan->table);
	free(plan->shown);
	free(plan->tops);
}
