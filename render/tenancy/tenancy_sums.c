/* "render tenancy" for sums: a bar for each row, as long as the row ran, with parts by CPU (or by thread, and idle
 * time); and a table of the machine's CPUs. */
#include "render/tenancy/tenancy.h"

#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/bars/chart.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"
#include "render/timeline/timeline_draw.h"

enum { IDLE_RGB = 0xe6e6e6, TABLE_CPUS_MAX = 64 };

/* The data of the chart. */
struct tenancy_sums {
	const struct timeline *t;
	const struct bars_style *style;
	struct bars bars;
	uint32_t *row_of;                    /* [name in bars]: its row in t, or UINT32_MAX */
	struct str *labels, *words, *abouts; /* by kind in bars */
	struct str *notes;                   /* by row in bars */
	struct str headline;
	struct bars_table cpus;
};

/* ---- bars ------------------------------------------------------------------- */

static uint32_t bars_name(struct tenancy_sums *s, uint32_t name)
{
	return intern_add(&s->bars.names, intern_text(&s->t->names, name), intern_len(&s->t->names, name));
}

static void tenancy_sums_add_cell(struct bars *b, uint32_t who, uint32_t kind, const struct bars_amount *amount)
{
	if (!amount->value && !amount->count)
		return;
	b->cells = xgrow(b->cells, &b->cells_cap, b->cell_count + 1, sizeof(*b->cells));
	b->cells[b->cell_count++] = (struct bars_cell){ who, kind, BARS_NOBODY, *amount };
	bars_amount_add(&b->amount, amount);
}

static void copy_source(struct bars *b, const struct timeline *t)
{
	const char *columns = source_get(&t->in.source, FOLDED_COLUMNS);

	for (size_t i = 0; i < t->in.source.count; i++)
		source_join(&b->source, t->in.source.pairs[i].key, t->in.source.pairs[i].value);
	b->has_count = columns && strstr(columns, "count");
	b->has_longest = columns && strstr(columns, "longest");
	b->has_migrations = t->has_migrations;
	b->lines = t->in.lines;
	b->bad_lines = t->in.bad_lines;
	b->filtered_lines = t->in.filtered_lines;
	str_puts(&b->roots, t->by_cpu ? "cpu,thread" : t->kinds_are_states ? "thread,state" : "thread,cpu");
}

/* Add the time in which a CPU ran nothing as a part of its bar. */
static void add_idle(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;
	uint64_t window = t->in.end_ns - t->in.start_ns;
	uint32_t idle = intern_add(&s->bars.names, FOLDED_BY_IDLE, strlen(FOLDED_BY_IDLE));

	for (size_t i = 0; i < t->row_count && bars_in_ns(&s->bars); i++) {
		uint64_t busy = t->rows[i].time_ns;
		struct bars_amount rest = { .value = window > busy ? window - busy : 0 };

		tenancy_sums_add_cell(&s->bars, bars_name(s, t->rows[i].name), idle, &rest);
	}
}

static void tenancy_sums_fill(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;
	struct bars *b = &s->bars;
	bool idle_known; /* it is the rest of the window */

	copy_source(b, t);
	b->of_cpus = true;
	idle_known = !t->by_cpu || (bars_in_ns(b) && t->in.end_ns > t->in.start_ns);
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *stack = &t->stacks[i];
		uint32_t who = bars_name(s, t->rows[stack->row].name);
		uint32_t kind = bars_name(s, t->kinds[stack->kind].name);
		struct bars_amount amount = { stack->sum.time, b->has_count ? stack->sum.count : 0,
					      b->has_longest ? stack->sum.longest : 0, stack->sum.migrations };

		if (!stack->idle || !idle_known)
			tenancy_sums_add_cell(b, who, kind, &amount);
	}
	if (t->by_cpu)
		add_idle(s);
	b->row_of = xgrow(b->row_of, &b->row_of_cap, b->names.count, sizeof(*b->row_of));
	for (uint32_t n = 0; n < b->names.count; n++)
		b->row_of[n] = n;
	bars_group(b, &s->style->folding);
}

/* Find the row in t for each name in bars. */
static void find_rows(struct tenancy_sums *s)
{
	size_t count = s->bars.names.count;

	s->row_of = xmalloc((count + 1) * sizeof(*s->row_of));
	memset(s->row_of, 0xff, (count + 1) * sizeof(*s->row_of));
	for (uint32_t i = 0; i < s->t->row_count; i++) {
		uint32_t name = s->t->rows[i].name;
		uint32_t known =
			intern_find(&s->bars.names, intern_text(&s->t->names, name), intern_len(&s->t->names, name));

		if (known < count)
			s->row_of[known] = i;
	}
}

/* ---- order and colours ------------------------------------------------------ */

/* Rows folded into "other" come last.  The rest is sorted by time if threads were pooled (--pools, --fold), else as in
 * the timeline. */
static bool tenancy_sums_comes_before(const void *ctx, const struct bars_row *x, const struct bars_row *y)
{
	const struct tenancy_sums *s = ctx;
	bool x_small = bars_is_small(&s->bars, s->style, x);
	bool y_small = bars_is_small(&s->bars, s->style, y);
	uint32_t rx = s->row_of[x->name], ry = s->row_of[y->name];

	if (x_small != y_small)
		return y_small;
	if (s->style->folding.pools || s->style->folding.pattern_count)
		return x->amount.value > y->amount.value;
	return rx < ry;
}

static void tenancy_sums_keep(struct bars_kind *kind, const char *name, size_t len)
{
	(void)kind, (void)name, (void)len;
}

/* "CPU 3 (isolated)"; the tooltip and the table tell where that CPU is in the machine. */
static void tenancy_sums_label_kind(struct tenancy_sums *s, uint32_t number, struct str *out)
{
	const struct timeline *t = s->t;
	const struct timeline_kind *kind = &t->kinds[number];
	const struct topology_cpu *cpu = kind->cpu;

	timeline_label_add(out, t, kind->name);
	if (cpu && cpu->isolated)
		str_puts(out, " (isolated)");
}

/* Dress kind i of bars as kind k of the timeline. */
static void dress_kind(struct tenancy_sums *s, uint32_t i, uint32_t k)
{
	struct bars_kind *kind = &s->bars.kinds[i];
	const struct timeline *t = s->t;

	tenancy_sums_label_kind(s, k, &s->labels[i]);
	timeline_label_add(&s->words[i], t, t->kinds[k].name);
	kind->label = str_text(&s->labels[i]);
	kind->word = str_text(&s->words[i]);
	if (t->kinds[k].cpu) {
		topology_words_add(&s->abouts[i], t->kinds[k].cpu);
		kind->about = s->abouts[i].buf;
	}
	kind->order = (int)k;
	kind->rgb = t->kinds[k].rgb;
	kind->safe = t->kinds[k].safe;
}

static void dress(struct tenancy_sums *s)
{
	struct bars *b = &s->bars;
	const struct timeline *t = s->t;
	uint32_t *kind_of = xcalloc(b->names.count + 1, sizeof(*kind_of)); /* [name in b] its kind in t, + 1 */

	s->labels = xcalloc(b->kind_count + 1, sizeof(*s->labels));
	s->words = xcalloc(b->kind_count + 1, sizeof(*s->words));
	s->abouts = xcalloc(b->kind_count + 1, sizeof(*s->abouts));
	for (uint32_t i = 0; i < b->kind_count; i++) {
		kind_of[b->kinds[i].name] = i + 1;
		b->kinds[i].group = "running";
		b->kinds[i].order = INT32_MAX;
		b->kinds[i].rgb = b->kinds[i].safe = IDLE_RGB;
		b->kinds[i].label = b->kinds[i].word = timeline_idle_word(t);
	}
	for (uint32_t k = 0; k < t->kind_count; k++) {
		uint32_t name = intern_find(&b->names, intern_text(&t->names, t->kinds[k].name),
					    intern_len(&t->names, t->kinds[k].name));

		if (name != UINT32_MAX && kind_of[name] && !t->kinds[k].idle)
			dress_kind(s, kind_of[name] - 1, k);
	}
	free(kind_of);
	bars_dress(b, tenancy_sums_keep);
	bars_sort(b, tenancy_sums_comes_before, s);
}

/* ---- words ------------------------------------------------------------------ */

/* Are migrations known: from a column, or from spans? */
static bool knows_moves(const struct timeline *t)
{
	return !t->by_cpu && (t->has_migrations || t->timed);
}

static void note_rows(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;
	const struct bars *b = &s->bars;

	s->notes = xcalloc(b->row_count + 1, sizeof(*s->notes));
	for (size_t i = 0; i < b->row_count; i++) {
		uint32_t row = s->row_of[b->rows[i].name];
		struct str *out = &s->notes[i];

		if (t->by_cpu && row != UINT32_MAX) {
			if (bars_in_ns(b)) {
				percentage_add(out, t->rows[row].time_ns, bars_window(b));
				str_puts(out, ", ");
			}
			plural_add(out, t->rows[row].kinds, "thread");
			continue;
		}
		if (b->rows[i].members > 1 || row == UINT32_MAX) {
			if (t->has_migrations) {
				plural_add(out, b->rows[i].amount.migrations, "move");
				str_puts(out, ", ");
			}
			plural_add(out, b->rows[i].count, "CPU");
			continue;
		}
		if (knows_moves(t)) {
			plural_add(out, t->rows[row].moves, "move");
			str_puts(out, ", ");
		}
		plural_add(out, t->rows[row].kinds, t->kinds_are_states ? "state" : "CPU");
	}
}

static void say_busiest(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;
	const struct timeline_row *most = t->rows;

	for (size_t i = 1; i < t->row_count; i++)
		most = t->rows[i].time_ns > most->time_ns ? &t->rows[i] : most;
	if (!t->whole)
		str_puts(&s->headline, "These threads ran most on ");
	timeline_label_add(&s->headline, t, most->name);
	str_puts(&s->headline, t->whole ? " was busiest: " : ": ");
	if (bars_in_ns(&s->bars)) {
		percentage_add(&s->headline, most->time_ns, bars_window(&s->bars));
		str_puts(&s->headline, " of the time, ");
	}
	plural_add(&s->headline, most->kinds, "thread");
	str_addc(&s->headline, '.');
}

static void say_moves(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;
	const struct timeline_row *most = t->rows;
	uint64_t moves = 0;

	for (size_t i = 0; i < timeline_rows(t); i++) {
		most = t->rows[i].moves > most->moves ? &t->rows[i] : most;
		moves += t->rows[i].moves;
	}
	if (!moves) {
		str_puts(&s->headline, "No thread changed its CPU.");
		return;
	}
	timeline_label_add(&s->headline, t, most->name);
	str_puts(&s->headline, " changed its CPU most often: ");
	plural_add(&s->headline, most->moves, "time");
	str_puts(&s->headline, "; all together ");
	number_add(&s->headline, moves);
	str_addc(&s->headline, '.');
}

/* Make the table of CPUs: a line for each one, with the threads that took it. */
static void tell_cpus(struct tenancy_sums *s)
{
	const struct timeline *t = s->t;

	s->cpus = (struct bars_table){ .id = "bars-cpus",
				       .title = "CPUs",
				       .column_count = 3,
				       .columns = { { "CPU", false, false },
						    { t->whole ? "busy" : "these threads", true, true },
						    { "where", false, false } } };
	for (size_t i = 0; i < t->topology.count; i++) {
		const struct topology_cpu *cpu = &t->topology.cpus[i];
		struct table_row *row;
		uint64_t busy = 0, window = t->in.end_ns - t->in.start_ns;

		if (s->cpus.count == TABLE_CPUS_MAX) {
			str_addf(&s->cpus.more, "and %zu more", t->topology.count - i);
			break;
		}
		for (size_t k = 0; k < t->kind_count; k++)
			busy += t->kinds[k].cpu == cpu ? t->kinds[k].time_ns : 0;
		for (size_t k = 0; k < t->row_count; k++)
			busy += t->rows[k].cpu == cpu ? t->rows[k].time_ns : 0;
		row = table_add(&s->cpus);
		row->share = window ? (double)busy / (double)window : 0;
		row->share = row->share > 1 ? 1 : row->share;
		str_addf(&row->cells[0], "CPU %u", cpu->number);
		bars_value_add(&row->cells[1], &s->bars, busy);
		topology_words_add(&row->cells[2], cpu);
	}
}

/* ---- all of it -------------------------------------------------------------- */

int tenancy_draw_sums(const struct timeline *t, const struct bars_style *style, const char *path)
{
	struct tenancy_sums s = { .t = t, .style = style };
	struct bars_chart chart;
	int status;

	tenancy_sums_fill(&s);
	find_rows(&s);
	dress(&s);
	note_rows(&s);
	if (t->by_cpu)
		say_busiest(&s);
	else if (knows_moves(t) && t->kinds_are_cpus)
		say_moves(&s);
	tell_cpus(&s);
	chart = (struct bars_chart){
		.bars = &s.bars,
		.style = style,
		.kind = "tenancy",
		.title = style->title ? style->title
			 : t->by_cpu  ? "CPU Tenancy by CPU"
				      : "CPU Tenancy",
		.headline = s.headline.len ? s.headline.buf : NULL,
		.many = t->by_cpu ? "CPUs" : "threads",
		.note_heading = t->by_cpu        ? t->whole ? "Busy, with" : "Taken, by"
				: knows_moves(t) ? "CPU changes, CPUs used"
						 : "CPUs used",
		.notes = s.notes,
		.tables = &s.cpus,
		.table_count = s.cpus.count ? 1 : 0,
	};
	status = bars_chart_write(&chart, path) < 0;
	for (size_t i = 0; i < s.bars.kind_count; i++) {
		str_free(&s.labels[i]);
		str_free(&s.words[i]);
		str_free(&s.abouts[i]);
	}
	for (size_t i = 0; i < s.bars.row_count; i++)
		str_free(&s.notes[i]);
	free(s.labels);
	free(s.words);
	free(s.abouts);
	free(s.notes);
	free(s.row_of);
	str_free(&s.headline);
	table_free(&s.cpus);
	bars_free(&s.bars);
	return status;
}
