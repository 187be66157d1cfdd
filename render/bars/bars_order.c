/* The order of rows, kinds and segments. */
#include "render/bars/bars.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

/* ---- names ------------------------------------------------------------------ */

/* The length of the number at the beginning of text; *zeros: the number of its leading zeros. */
static size_t digits(const char *text, size_t *zeros)
{
	size_t len = 0;

	for (*zeros = 0; text[*zeros] == '0' && isdigit((unsigned char)text[*zeros + 1]);)
		++*zeros;
	while (isdigit((unsigned char)text[*zeros + len]))
		len++;
	return len;
}

/* Compare the numbers at *a and *b, which both point at digits, and move the pointers behind them. */
static int compare_numbers(const char **a, const char **b)
{
	size_t a_zeros, b_zeros, a_len = digits(*a, &a_zeros), b_len = digits(*b, &b_zeros);
	int order = ORDER(a_len, b_len) ?: memcmp(*a + a_zeros, *b + b_zeros, a_len);

	*a += a_zeros + a_len;
	*b += b_zeros + b_len;
	return order;
}

int bars_compare_names(const struct bars *b, uint32_t one, uint32_t other)
{
	const char *x, *y;
	int order;

	if (one == other || one == BARS_NOBODY || other == BARS_NOBODY)
		return ORDER(one, other);
	for (x = intern_text(&b->names, one), y = intern_text(&b->names, other); *x && *y;) {
		if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
			order = compare_numbers(&x, &y);
			if (order)
				return order;
		} else if (*x != *y) {
			break;
		} else {
			x++;
			y++;
		}
	}
	return ORDER((unsigned char)*x, (unsigned char)*y)
		       ?: strcmp(intern_text(&b->names, one), intern_text(&b->names, other));
}

/* ---- segments --------------------------------------------------------------- */

static int bars_order_by_weight(const void *a, const void *b, void *ctx)
{
	const struct bars_segment *one = a, *other = b;
	const struct bars *bars = ctx;
	const struct bars_amount *x = &one->amount, *y = &other->amount;

	return ORDER(one->row, other->row) ?: ORDER(one->kind, other->kind) ?: ORDER(y->value, x->value) ?:
	       ORDER(y->count, x->count) ?: bars_compare_names(bars, one->by, other->by);
}

void bars_order_segments(struct bars *b)
{
	if (b->segment_count)
		qsort_r(b->segments, b->segment_count, sizeof(*b->segments), bars_order_by_weight, b);
	for (size_t i = b->segment_count; i-- > 0;) {
		struct bars_row *row = &b->rows[b->segments[i].row];

		row->first = i;
		row->count++;
	}
}

/* ---- rows, kinds ------------------------------------------------------------ */

struct ordering {
	const struct bars *bars;
	bool (*before)(const void *ctx, const struct bars_row *a, const struct bars_row *b);
	const void *ctx;
};

static int by_wish(const void *a, const void *b, void *ctx)
{
	const struct ordering *o = ctx;
	const struct bars_row *one = &o->bars->rows[*(const uint32_t *)a];
	const struct bars_row *other = &o->bars->rows[*(const uint32_t *)b];

	if (o->before(o->ctx, one, other))
		return -1;
	if (o->before(o->ctx, other, one))
		return 1;
	return bars_compare_names(o->bars, one->name, other->name);
}

void bars_sort(struct bars *b, bool (*before)(const void *ctx, const struct bars_row *a, const struct bars_row *b),
	       const void *ctx)
{
	struct ordering ordering = { b, before, ctx };
	uint32_t *order = xcalloc(b->row_count, sizeof(*order));
	uint32_t *place = xcalloc(b->row_count, sizeof(*place));
	struct bars_row *sorted = xcalloc(b->row_count, sizeof(*sorted));

	for (uint32_t i = 0; i < b->row_count; i++)
		order[i] = i;
	if (b->row_count)
		qsort_r(order, b->row_count, sizeof(*order), by_wish, &ordering);
	for (uint32_t i = 0; i < b->row_count; i++) {
		place[order[i]] = i;
		sorted[i] = b->rows[order[i]];
		sorted[i].count = 0;
	}
	free(b->rows);
	b->rows = sorted;
	for (size_t i = 0; i < b->segment_count; i++)
		b->segments[i].row = place[b->segments[i].row];
	bars_order_segments(b);
	free(order);
	free(place);
}

static int bars_order_by_order(const void *a, const void *b, void *ctx)
{
	const struct bars *bars = ctx;
	const struct bars_kind *one = &bars->kinds[*(const uint32_t *)a];
	const struct bars_kind *other = &bars->kinds[*(const uint32_t *)b];

	return ORDER(one->order, other->order) ?: bars_compare_names(bars, one->name, other->name);
}

void bars_dress(struct bars *b, void (*dress)(struct bars_kind *kind, const char *name, size_t len))
{
	uint32_t *order = xcalloc(b->kind_count, sizeof(*order));
	uint32_t *place = xcalloc(b->kind_count, sizeof(*place));
	struct bars_kind *sorted = xcalloc(b->kind_count, sizeof(*sorted));

	for (uint32_t i = 0; i < b->kind_count; i++) {
		uint32_t name = b->kinds[i].name;

		dress(&b->kinds[i], intern_text(&b->names, name), intern_len(&b->names, name));
		order[i] = i;
	}
	if (b->kind_count)
		qsort_r(order, b->kind_count, sizeof(*order), bars_order_by_order, b);
	for (uint32_t i = 0; i < b->kind_count; i++) {
		place[order[i]] = i;
		sorted[i] = b->kinds[order[i]];
	}
	free(b->kinds);
	b->kinds = sorted;
	for (size_t i = 0; i < b->segment_count; i++)
		b->segments[i].kind = place[b->segments[i].kind];
	for (size_t i = 0; i < b->row_count; i++)
		b->rows[i].count = 0;
	bars_order_segments(b);
	free(order);
	free(place);
}
