#include "render/states_words.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/folded.h"
#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/profile/line.h"
#include "render/profile/number.h"
#include "render/states_kinds.h"

enum {
	CONTENDERS_MAX = 8, VICTIMS_MAX = 3,
	WORTH_PERMILLE = 10,       /* of a thread's time: less is no news */
};

/* ---- waits ------------------------------------------------------------------ */

/* What one usurper took from one row. */
struct wait {
	uint32_t row, by;          /* by may be BARS_NOBODY: it is not known who */
	struct bars_amount amount;
};

struct waits {
	const struct bars *bars;
	struct wait *items;
	size_t count;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_pair(const void *a, const void *b)
{
	const struct wait *one = a, *other = b;
	int order = compare(one->by, other->by);

	return order ? order : compare(one->row, other->row);
}

/* The largest first; rows and names decide where they are alike. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct wait *one = a, *other = b;
	int order = compare(other->amount.value, one->amount.value);

	if (!order)
		order = compare(other->amount.count, one->amount.count);
	if (!order)
		order = bars_compare_names(ctx, one->by, other->by);
	return order ? order : compare(one->row, other->row);
}

/* The waits of all rows, put together by usurper and row, the largest first; freed by the
 * caller.  per_row: by row first. */
static struct waits find_waits(const struct bars *b)
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
		qsort_r(w.items, w.count, sizeof(*w.items), by_weight, (void *)b);
	return w;
}

/* By row: what it waited in all, and for whom to name: the thread that took most of it,
 * unless more than half was by no thread (NULL: nothing is known). */
struct row_wait {
	uint64_t value;
	const struct wait *largest, *largest_thread;
};

static bool is_called(const struct bars *b, uint32_t name, const char *text)
{
	return !strcmp(intern_text(&b->names, name), text);
}

static bool is_thread(const struct bars *b, uint32_t by)
{
	return by != BARS_NOBODY && !is_called(b, by, FOLDED_BY_IDLE) &&
	       !is_called(b, by, FOLDED_BY_OTHERS);
}

static struct row_wait *sum_rows(const struct waits *w)
{
	struct row_wait *rows = xcalloc(w->bars->row_count, sizeof(*rows));

	for (size_t i = 0; i < w->count; i++) {
		const struct wait *wait = &w->items[i];
		struct row_wait *row = &rows[wait->row];

		row->value += wait->amount.value;
		if (!row->largest)
			row->largest = wait;
		if (!row->largest_thread && is_thread(w->bars, wait->by))
			row->largest_thread = wait;
	}
	for (size_t i = 0; i < w->bars->row_count; i++) {
		struct row_wait *row = &rows[i];

		if (row->largest_thread && row->largest->amount.value <= row->value / 2)
			row->largest = row->largest_thread;
	}
	return rows;
}

/* ---- words ------------------------------------------------------------------ */

void states_tell_by(struct str *out, const struct bars *b, uint32_t by)
{
	if (is_called(b, by, FOLDED_BY_IDLE)) {
		str_puts(out, "nobody had the CPU: it came out of idleness");
	} else if (is_called(b, by, FOLDED_BY_OTHERS)) {
		str_puts(out, "more threads had the CPU than were told apart");
	} else {
		bars_name_add(out, b, by);
		str_puts(out, " had the CPU");
	}
}

/* ", 99.1% of it for spin-b-4712" */
static void add_usurper(struct str *out, const struct bars *b, const struct row_wait *row)
{
	uint32_t by = row->largest ? row->largest->by : BARS_NOBODY;

	if (by == BARS_NOBODY || !row->largest->amount.value)
		return;
	str_puts(out, ", ");
	bars_share_add(out, row->largest->amount.value, row->value);
	str_puts(out, " of it ");
	if (is_called(b, by, FOLDED_BY_IDLE)) {
		str_puts(out, "while the CPU came out of idleness");
	} else if (is_called(b, by, FOLDED_BY_OTHERS)) {
		str_puts(out, "for more threads than were told apart");
	} else {
		str_puts(out, "for ");
		bars_name_add(out, b, by);
	}
}

static bool is_worth_it(const struct bars *b, size_t row, uint64_t waited)
{
	return waited && waited / WORTH_PERMILLE * 1000 >= b->rows[row].amount.value;
}

static void add_headline(struct str *out, const struct bars *b, const struct row_wait *rows)
{
	size_t worst = 0, others = 0;

	for (size_t i = 1; i < b->row_count; i++)
		worst = rows[i].value > rows[worst].value ? i : worst;
	if (!rows[worst].value) {
		str_puts(out, "Nobody waited for a CPU.");
		return;
	}
	for (size_t i = 0; i < b->row_count; i++)
		others += i != worst && is_worth_it(b, i, rows[i].value);
	if (!is_worth_it(b, worst, rows[worst].value))
		str_puts(out, "Nobody waited long for a CPU. The worst: ");
	bars_row_name(out, b, &b->rows[worst]);
	str_puts(out, " waited ");
	bars_share_add(out, rows[worst].value, b->rows[worst].amount.value);
	str_puts(out, " of ");
	bars_value_add(out, b, b->rows[worst].amount.value);
	str_puts(out, " for a CPU");
	add_usurper(out, b, &rows[worst]);
	str_addc(out, '.');
	if (others) {
		str_addc(out, ' ');
		number_add(out, others);
		str_addf(out, " more waited for 1%% of %s time or longer.",
			 others > 1 ? "their" : "its");
	}
}

static void add_note(struct str *out, const struct bars *b, const struct row_wait *row)
{
	if (!row->value)
		return;
	bars_value_add(out, b, row->value);
	if (row->largest->by != BARS_NOBODY) {
		str_addc(out, ' ');
		bars_name_add(out, b, row->largest->by);
	}
}

void states_words_make(struct states_words *w, const struct bars *b)
{
	struct waits waits = find_waits(b);
	struct row_wait *rows = sum_rows(&waits);

	w->notes = xcalloc(b->row_count, sizeof(*w->notes));
	add_headline(&w->headline, b, rows);
	for (size_t i = 0; i < b->row_count; i++)
		add_note(&w->notes[i], b, &rows[i]);
	free(rows);
	free(waits.items);
}

void states_words_free(struct states_words *w, size_t row_count)
{
	str_free(&w->headline);
	for (size_t i = 0; w->notes && i < row_count; i++)
		str_free(&w->notes[i]);
	free(w->notes);
}

const char *states_many(const struct bars *b)
{
	const char *roots = source_get(&b->source, FOLDED_ROOT);

	if (!roots || line_column(roots, "thread") >= 0 || line_column(roots, "tid") >= 0)
		return "threads";
	return "rows";
}

/* ---- contenders ------------------------------------------------------------- */

/* What one usurper took from all, and where its waits begin in those sorted by pair. */
struct contender {
	struct wait sum;           /* row is of no meaning */
	size_t first, count;
};

static int by_sum(const void *a, const void *b, void *ctx)
{
	return by_weight(&((const struct contender *)a)->sum, &((const struct contender *)b)->sum, ctx);
}

static int by_usurper(const void *a, const void *b, void *ctx)
{
	const struct wait *one = a, *other = b;
	int order = compare(one->by, other->by);

	return order ? order : by_weight(a, b, ctx);
}

/* Sorts w by usurper.  Freed by the caller. */
static struct contender *find_contenders(struct waits *w, size_t *count)
{
	struct contender *all = xcalloc(w->count, sizeof(*all));
	size_t n = 0;

	if (w->count)
		qsort_r(w->items, w->count, sizeof(*w->items), by_usurper, (void *)w->bars);
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

static void add_more(struct str *out, const char *before, size_t count)
{
	str_puts(out, before);
	number_add(out, count);
	str_puts(out, " more");
}

/* "spin-a-4711 4.98 s, db-12 3 ms, 4 more" */
static void add_victims(struct str *out, const struct waits *w, const struct contender *c)
{
	for (size_t i = 0; i < c->count && i < VICTIMS_MAX; i++) {
		const struct wait *wait = &w->items[c->first + i];

		str_puts(out, i ? ", " : "");
		bars_row_name(out, w->bars, &w->bars->rows[wait->row]);
		str_addc(out, ' ');
		bars_value_add(out, w->bars, wait->amount.value);
	}
	if (c->count > VICTIMS_MAX)
		add_more(out, ", ", c->count - VICTIMS_MAX);
}

static void add_contender(struct bars_table *t, const struct waits *w, const struct contender *c,
			  uint64_t whole, uint64_t largest)
{
	const struct bars *b = w->bars;
	const struct bars_amount *a = &c->sum.amount;
	struct table_row *row = table_add(t);
	size_t column = 3;

	bars_name_add(&row->cells[0], b, c->sum.by);
	bars_value_add(&row->cells[1], b, a->value);
	bars_share_add(&row->cells[2], a->value, whole);
	row->share = largest ? (double)a->value / (double)largest : 0;
	if (b->has_count)
		number_add(&row->cells[column++], a->count);
	if (b->has_longest)
		bars_value_add(&row->cells[column++], b, a->longest);
	add_victims(&row->cells[column], w, c);
}

static void add_column(struct bars_table *t, const char *heading, bool right, bool shared)
{
	t->columns[t->column_count++] = (struct table_column){ heading, right, shared };
}

void states_contenders(struct bars_table *t, const struct bars *b)
{
	struct waits w = find_waits(b);
	struct contender *all;
	uint64_t whole = 0;
	size_t count;

	for (size_t i = 0; i < w.count; i++)
		whole += w.items[i].amount.value;
	all = find_contenders(&w, &count);
	t->id = "bars-contenders";
	t->title = "Who had the CPU while others waited for it";
	add_column(t, "", false, false);
	add_column(t, bars_in_ns(b) ? "time waited" : bars_unit(b), true, false);
	add_column(t, "of all waiting", true, true);
	if (b->has_count)
		add_column(t, "waits", true, false);
	if (b->has_longest)
		add_column(t, "longest", true, false);
	add_column(t, "who waited", false, false);
	for (size_t i = 0; i < count && i < CONTENDERS_MAX; i++)
		add_contender(t, &w, &all[i], whole, all[0].sum.amount.value);
	if (count > CONTENDERS_MAX)
		add_more(&t->more, "\xe2\x80\xa6 and ", count - CONTENDERS_MAX);
	free(all);
	free(w.items);
}
