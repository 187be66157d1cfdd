#include "render/states/states.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/bars/bars_text.h"
#include "render/profile/number.h"

static int by_pair(const void *a, const void *b)
{
	const struct wait *one = a, *other = b;

	return ORDER(one->by, other->by) ?: ORDER(one->row, other->row);
}

int waits_by_weight(const void *a, const void *b, void *ctx)
{
	const struct wait *one = a, *other = b;

	return ORDER(other->amount.value, one->amount.value) ?: ORDER(other->amount.count, one->amount.count) ?:
	       bars_compare_names(ctx, one->by, other->by) ?: ORDER(one->row, other->row);
}

struct waits waits_find(const struct bars *b)
{
	struct waits w = { .bars = b, .items = xcalloc(b->segment_count, sizeof(*w.items)) };
	size_t count = 0;

	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		if (!strcmp(b->kinds[s->kind].group, STATES_RUNNABLE))
			w.items[w.count++] = (struct wait){ s->row, s->by, s->amount };
	}
	if (w.count)
		qsort(w.items, w.count, sizeof(*w.items), by_pair);
	for (size_t i = 0; i < w.count; i++) {
		if (count && !by_pair(&w.items[count - 1], &w.items[i]))
			bars_amount_add(&w.items[count - 1].amount, &w.items[i].amount);
		else
			w.items[count++] = w.items[i];
	}
	w.count = count;
	if (w.count)
		qsort_r(w.items, w.count, sizeof(*w.items), waits_by_weight, (void *)b);
	return w;
}

struct row_wait *waits_sum_rows(const struct waits *w)
{
	struct row_wait *rows = xcalloc(w->bars->row_count, sizeof(*rows));

	for (size_t i = 0; i < w->count; i++) {
		const struct wait *wait = &w->items[i];
		struct row_wait *row = &rows[wait->row];

		row->value += wait->amount.value;
		if (wait->by == BARS_NOBODY || !wait->amount.value)
			continue;
		if (row->top_count < WAITS_TOP)
			row->top[row->top_count++] = wait;
		if (!bars_is_thread(w->bars, wait->by))
			continue;
		row->threads++;
		row->thread = row->thread ? row->thread : wait;
	}
	return rows;
}

/* ---- contenders ---- */

/* The table of contenders: threads that had the CPU while others waited, and these others. */

enum { CONTENDERS_MAX = 8, VICTIMS_MAX = 3 };

#define ONLY_PARTS "\xe2\x80\x93"

/* The time for which one usurper kept all rows waiting, and the first of its waits in the waits sorted by pair. */
struct contender {
	struct wait sum; /* row has no meaning */
	size_t first, count;
};

static int by_sum(const void *a, const void *b, void *ctx)
{
	return waits_by_weight(&((const struct contender *)a)->sum, &((const struct contender *)b)->sum, ctx);
}

static int states_contenders_by_usurper(const void *a, const void *b, void *ctx)
{
	const struct wait *one = a, *other = b;

	return ORDER(one->by, other->by) ?: waits_by_weight(a, b, ctx);
}

/* Sorts w by usurper.  The caller frees the result. */
static struct contender *find_contenders(struct waits *w, size_t *count)
{
	struct contender *all = xcalloc(w->count, sizeof(*all));
	size_t n = 0;

	if (w->count)
		qsort_r(w->items, w->count, sizeof(*w->items), states_contenders_by_usurper, (void *)w->bars);
	for (size_t i = 0; i < w->count; i++) {
		if (w->items[i].by == BARS_NOBODY)
			continue;
		if (!n || all[n - 1].sum.by != w->items[i].by)
			all[n++] = (struct contender){ .sum.by = w->items[i].by, .first = i };
		bars_amount_add(&all[n - 1].sum.amount, &w->items[i].amount);
		all[n - 1].count++;
	}
	if (n)
		qsort_r(all, n, sizeof(*all), by_sum, (void *)w->bars);
	*count = n;
	return all;
}

static void states_contenders_add_more(struct str *out, const char *before, size_t count)
{
	str_puts(out, before);
	number_add(out, count);
	str_puts(out, " more");
}

/* Append "spin-a-4711 4.98 s, db-12 3 ms, 4 more".  Threads of the contender's own process are shown without
 * the process name. */
static void states_contenders_add_victims(struct str *out, const struct waits *w, const struct contender *c)
{
	for (size_t i = 0; i < c->count && i < VICTIMS_MAX; i++) {
		const struct wait *wait = &w->items[c->first + i];
		const struct bars_row *row = &w->bars->rows[wait->row];

		str_puts(out, i ? ", " : "");
		if (row->members == 1)
			bars_near_add(out, w->bars, row->name, c->sum.by);
		else
			bars_row_name(out, w->bars, row);
		str_addc(out, ' ');
		bars_value_add(out, w->bars, wait->amount.value);
	}
	if (c->count > VICTIMS_MAX)
		states_contenders_add_more(out, ", ", c->count - VICTIMS_MAX);
}

/* A wait counts once, for the thread that had the CPU longest during it (bpf/charge.bpf.h). */
static void states_contenders_add_waits(struct str *out, uint64_t count)
{
	if (count)
		number_add(out, count);
	else
		str_puts(out, ONLY_PARTS);
}

static void add_contender(struct bars_table *t, const struct waits *w, const struct contender *c, uint64_t whole,
			  uint64_t largest)
{
	const struct bars *b = w->bars;
	const struct bars_amount *a = &c->sum.amount;
	struct table_row *row = table_add(t);
	size_t column = 3;

	bars_by_add(&row->cells[0], b, c->sum.by);
	bars_value_add(&row->cells[1], b, a->value);
	percentage_add(&row->cells[2], a->value, whole);
	row->share = largest ? (double)a->value / (double)largest : 0;
	if (b->has_count)
		states_contenders_add_waits(&row->cells[column++], a->count);
	if (b->has_longest)
		bars_value_add(&row->cells[column++], b, a->longest);
	states_contenders_add_victims(&row->cells[column], w, c);
}

static void states_contenders_add_column(struct bars_table *t, const char *heading, bool right, bool shared)
{
	t->columns[t->column_count++] = (struct table_column){ heading, right, shared };
}

static void explain_parts(struct bars_table *t, const struct bars *b)
{
	for (size_t i = 0; b->has_count && i < t->count; i++) {
		if (strcmp(str_text(&t->rows[i].cells[3]), ONLY_PARTS) != 0)
			continue;
		str_puts(&t->more, t->more.len ? ".  " : "");
		str_puts(&t->more,
			 ONLY_PARTS ": also ran during these waits, which count for the thread that ran longest");
		return;
	}
}

void states_contenders(struct bars_table *t, const struct bars *b)
{
	struct waits w = waits_find(b);
	struct contender *all;
	uint64_t whole = 0;
	size_t count;

	for (size_t i = 0; i < w.count; i++)
		whole += w.items[i].amount.value;
	all = find_contenders(&w, &count);
	t->id = "bars-contenders";
	t->title = "Who had the CPU while others waited for it";
	states_contenders_add_column(t, "", false, false);
	states_contenders_add_column(t, bars_in_ns(b) ? "time waited" : bars_unit(b), true, false);
	states_contenders_add_column(t, "of all waiting", true, true);
	if (b->has_count)
		states_contenders_add_column(t, "waits", true, false);
	if (b->has_longest)
		states_contenders_add_column(t, "longest", true, false);
	states_contenders_add_column(t, "who waited", false, false);
	for (size_t i = 0; i < count && i < CONTENDERS_MAX; i++)
		add_contender(t, &w, &all[i], whole, all[0].sum.amount.value);
	if (count > CONTENDERS_MAX)
		states_contenders_add_more(&t->more, "\xe2\x80\xa6 and ", count - CONTENDERS_MAX);
	explain_parts(t, b);
	free(all);
	free(w.items);
}
