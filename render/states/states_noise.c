#include "render/states/states_noise.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/profile/number.h"
#include "render/states/states_kinds.h"

static bool states_noise_is_noise(const struct bars *b, uint32_t kind)
{
	return !strcmp(b->kinds[kind].group, STATES_NOISE);
}

bool states_have_noise(const struct bars *b)
{
	for (uint32_t i = 0; i < b->kind_count; i++) {
		if (states_noise_is_noise(b, i))
			return true;
	}
	return false;
}

/* ---- words --------------------------------------------------------------------------- */

/* The noise of each row; the caller frees it. */
static struct bars_amount *sum_rows(const struct bars *b)
{
	struct bars_amount *rows = xcalloc(b->row_count, sizeof(*rows));

	for (size_t i = 0; i < b->segment_count; i++) {
		if (states_noise_is_noise(b, b->segments[i].kind))
			bars_amount_add(&rows[b->segments[i].row], &b->segments[i].amount);
	}
	return rows;
}

uint64_t states_noise_widest(const struct bars *b, bool by_count)
{
	struct bars_amount *rows = sum_rows(b);
	uint64_t noise = 0, any = 1;

	for (size_t i = 0; i < b->row_count; i++) {
		uint64_t of_row = bars_measure(&rows[i], by_count), all = bars_measure(&b->rows[i].amount, by_count);

		noise = of_row > noise ? of_row : noise;
		any = all > any ? all : any;
	}
	free(rows);
	return noise ? noise : any;
}

static void states_noise_add_headline(struct str *out, const struct bars *b, const struct bars_amount *rows)
{
	struct bars_amount all = { 0 };
	size_t most = 0, longest = 0;

	for (size_t i = 0; i < b->row_count; i++) {
		bars_amount_add(&all, &rows[i]);
		most = rows[i].value > rows[most].value ? i : most;
		longest = rows[i].longest > rows[longest].longest ? i : longest;
	}
	bars_value_add(out, b, all.value);
	str_puts(out, " of noise in ");
	bars_value_add(out, b, bars_window(b));
	str_puts(out, ", ");
	bars_share_add(out, rows[most].value, all.value);
	str_puts(out, " of it from ");
	bars_row_name(out, b, &b->rows[most]);
	if (b->has_longest) {
		str_puts(out, "; the longest at once: ");
		bars_value_add(out, b, rows[longest].longest);
		str_puts(out, ", ");
		bars_row_name(out, b, &b->rows[longest]);
	}
	str_addc(out, '.');
}

static void states_noise_add_note(struct str *out, const struct bars *b, const struct bars_amount *amount)
{
	if (b->has_longest)
		bars_value_add(out, b, amount->longest);
	if (b->has_longest && b->has_count)
		str_puts(out, ", ");
	if (b->has_count)
		bars_measure_add(out, b, true, amount->count);
}

void states_noise_words(struct states_words *w, const struct bars *b)
{
	struct bars_amount *rows = sum_rows(b);

	w->notes = xcalloc(b->row_count, sizeof(*w->notes));
	states_noise_add_headline(&w->headline, b, rows);
	for (size_t i = 0; i < b->row_count; i++)
		states_noise_add_note(&w->notes[i], b, &b->rows[i].amount);
	free(rows);
}

/* ---- the table ----------------------------------------------------------------------- */

static int states_noise_by_value(const void *a, const void *b)
{
	const struct bars_kind *const *x = a, *const *y = b;

	return (*x)->amount.value < (*y)->amount.value   ? 1
	       : (*x)->amount.value > (*y)->amount.value ? -1
							 : (*x)->order - (*y)->order;
}

static void states_noise_add_column(struct bars_table *t, const char *heading, bool right, bool shared)
{
	t->columns[t->column_count++] = (struct table_column){ heading, right, shared };
}

static void states_noise_add_kind(struct bars_table *t, const struct bars *b, const struct bars_kind *kind,
				  uint64_t whole, uint64_t largest)
{
	struct table_row *row = table_add(t);
	size_t column = 3;

	str_puts(&row->cells[0], strchr(kind->label, ' ') + 1); /* without "noise: " */
	bars_value_add(&row->cells[1], b, kind->amount.value);
	bars_share_add(&row->cells[2], kind->amount.value, whole);
	row->share = largest ? (double)kind->amount.value / (double)largest : 0;
	if (b->has_count)
		number_add(&row->cells[column++], kind->amount.count);
	if (b->has_longest)
		bars_value_add(&row->cells[column], b, kind->amount.longest);
}

void states_noise_kinds(struct bars_table *t, const struct bars *b)
{
	const struct bars_kind **kinds = xcalloc(b->kind_count, sizeof(const struct bars_kind *));
	uint64_t whole = 0;
	size_t count = 0;

	for (uint32_t i = 0; i < b->kind_count; i++) {
		if (!states_noise_is_noise(b, i))
			continue;
		kinds[count++] = &b->kinds[i];
		whole += b->kinds[i].amount.value;
	}
	qsort(kinds, count, sizeof(const struct bars_kind *), states_noise_by_value);
	t->id = "bars-contenders";
	t->title = "What disturbed, by kind";
	states_noise_add_column(t, "", false, false);
	states_noise_add_column(t, bars_in_ns(b) ? "time" : bars_unit(b), true, false);
	states_noise_add_column(t, "of all noise", true, true);
	if (b->has_count)
		states_noise_add_column(t, "times", true, false);
	if (b->has_longest)
		states_noise_add_column(t, "longest", false, false);
	for (size_t i = 0; i < count; i++)
		states_noise_add_kind(t, b, kinds[i], whole, kinds[0]->amount.value);
	free(kinds);
}
