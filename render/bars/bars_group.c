/* Cells become rows, kinds and segments. */
#include "render/bars/bars.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/folded.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "render/profile/sample.h"

/* ---- names that become one -------------------------------------------------- */

enum { NO_POOL = UINT32_MAX };

/* What names become, while a table of them is made. */
struct folds {
	struct bars *bars;
	const struct bars_folding *folding;
	size_t count;        /* of the names that the lines had */
	bool *used;          /* by name: it is a row's or a by's */
	uint32_t *pool;      /* by name: in keys, or NO_POOL */
	uint32_t *into;      /* by name: what it becomes */
	struct intern keys;  /* "worker-" */
	uint32_t *key_uses;  /* by key */
};

/* "java-8513/dw-20" without the number: its length, or 0 when it has none. */
static size_t pool_len(const char *name, size_t len)
{
	size_t end = len;

	while (end && isdigit((unsigned char)name[end - 1]))
		end--;
	return end < len ? end : 0;
}

static void find_pools(struct folds *f)
{
	const struct intern *names = &f->bars->names;

	f->key_uses = xcalloc(f->count + 1, sizeof(*f->key_uses));
	for (uint32_t n = 0; n < f->count; n++) {
		const char *name = intern_text(names, n);
		size_t len = pool_len(name, bars_shown_len(name, intern_len(names, n)));

		f->pool[n] = f->used[n] && len ? intern_add(&f->keys, name, len) : NO_POOL;
		if (f->pool[n] != NO_POOL)
			f->key_uses[f->pool[n]]++;
	}
}

/* prefix and "*" as a name. */
static uint32_t add_star(struct bars *b, const char *prefix, size_t len)
{
	struct str text = {0};
	uint32_t name;

	str_add(&text, prefix, len);
	str_addc(&text, '*');
	name = intern_add(&b->names, text.buf, text.len);
	str_free(&text);
	return name;
}

static void fold_pools(struct folds *f)
{
	for (uint32_t n = 0; n < f->count; n++) {
		uint32_t key = f->pool[n];

		if (key != NO_POOL && f->key_uses[key] > 1)
			f->into[n] = add_star(f->bars, intern_text(&f->keys, key),
					      intern_len(&f->keys, key));
	}
}

/* How much of a and b is the same, no character cut in half. */
static size_t shared_len(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t len = 0;

	while (len < a_len && len < b_len && a[len] == b[len])
		len++;
	while (len && len < a_len && ((unsigned char)a[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* All that match pattern number i become one. */
static void fold_pattern(struct folds *f, size_t i)
{
	struct intern *names = &f->bars->names;
	const char *text = f->folding->texts[i];
	uint32_t *matching = xcalloc(f->count, sizeof(*matching)), one;
	struct str shared = {0};
	size_t count = 0;

	for (uint32_t n = 0; n < f->count; n++) {
		const char *name = intern_text(names, n);

		if (!f->used[n] || f->into[n] != n ||
		    !regexp_match(f->folding->patterns[i], name, intern_len(names, n)))
			continue;
		if (!count)
			str_add(&shared, name, intern_len(names, n));
		shared.len = shared_len(shared.buf, shared.len, name, intern_len(names, n));
		matching[count++] = n;
	}
	if (count > 1) {
		one = shared.len ? add_star(f->bars, shared.buf, shared.len)
				 : intern_add(names, text, strlen(text));
		while (count--)
			f->into[matching[count]] = one;
	}
	str_free(&shared);
	free(matching);
}

/* What each name becomes, by name; freed by the caller. */
static uint32_t *make_folds(struct bars *b, const struct bars_folding *folding)
{
	struct folds f = { .bars = b, .folding = folding, .count = b->names.count };

	f.used = xcalloc(f.count, sizeof(*f.used));
	f.pool = xcalloc(f.count, sizeof(*f.pool));
	f.into = xcalloc(f.count, sizeof(*f.into));
	for (uint32_t n = 0; n < f.count; n++)
		f.into[n] = n;
	for (size_t i = 0; i < b->cell_count; i++) {
		const struct bars_cell *c = &b->cells[i];

		f.used[b->row_of[c->who]] = true;
		if (c->by != BARS_NOBODY)
			f.used[c->by] = true;
	}
	if (folding->pools) {
		find_pools(&f);
		fold_pools(&f);
	}
	for (size_t i = 0; i < folding->pattern_count; i++)
		fold_pattern(&f, i);
	intern_free(&f.keys);
	free(f.key_uses);
	free(f.used);
	free(f.pool);
	return f.into;
}

/* ---- rows, kinds ------------------------------------------------------------ */

/* Names get places 0, 1, ... in order of arrival. */
struct places {
	uint32_t *of;        /* by name: place + 1 */
	uint32_t *names;     /* by place */
	size_t count, cap;
};

static uint32_t place_of(struct places *p, uint32_t name)
{
	if (!p->of[name]) {
		p->names = xgrow(p->names, &p->cap, p->count + 1, sizeof(*p->names));
		p->names[p->count++] = name;
		p->of[name] = (uint32_t)p->count;
	}
	return p->of[name] - 1;
}

static void places_free(struct places *p)
{
	free(p->of);
	free(p->names);
}

static void count_members(struct bars *b)
{
	bool *seen = xcalloc(b->names.count, sizeof(*seen));

	for (size_t i = 0; i < b->cell_count; i++) {
		uint32_t who = b->cells[i].who;

		b->rows[b->segments[i].row].members += !seen[who];
		seen[who] = true;
	}
	free(seen);
}

static void make_places(struct bars *b, const struct places *rows, const struct places *kinds)
{
	free(b->rows);
	free(b->kinds);
	b->row_count = rows->count;
	b->kind_count = kinds->count;
	b->rows = xcalloc(rows->count, sizeof(*b->rows));
	b->kinds = xcalloc(kinds->count, sizeof(*b->kinds));
	for (size_t i = 0; i < rows->count; i++)
		b->rows[i].name = rows->names[i];
	for (size_t i = 0; i < kinds->count; i++)
		b->kinds[i] = (struct bars_kind){ .name = kinds->names[i], .group = "",
						  .order = (int)i };
}

/* A segment for each cell; those of one place are not yet put together. */
static void make_segments(struct bars *b, const uint32_t *into)
{
	struct places rows = { .of = xcalloc(b->names.count, sizeof(uint32_t)) };
	struct places kinds = { .of = xcalloc(b->names.count, sizeof(uint32_t)) };

	free(b->segments);
	b->segments = xcalloc(b->cell_count, sizeof(*b->segments));
	b->segment_count = b->cell_count;
	for (size_t i = 0; i < b->cell_count; i++) {
		const struct bars_cell *c = &b->cells[i];

		b->segments[i] = (struct bars_segment){
			.row = place_of(&rows, into[b->row_of[c->who]]),
			.kind = place_of(&kinds, c->kind),
			.by = c->by == BARS_NOBODY ? BARS_NOBODY : into[c->by],
			.amount = c->amount,
		};
	}
	make_places(b, &rows, &kinds);
	count_members(b);
	places_free(&rows);
	places_free(&kinds);
}

/* ---- segments --------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct bars_segment *one = a, *other = b;

	if (one->row != other->row)
		return compare(one->row, other->row);
	if (one->kind != other->kind)
		return compare(one->kind, other->kind);
	return compare(one->by, other->by);
}

static void join_segments(struct bars *b)
{
	size_t count = 0;

	if (b->segment_count)
		qsort(b->segments, b->segment_count, sizeof(*b->segments), by_place);
	for (size_t i = 0; i < b->segment_count; i++) {
		if (count && !by_place(&b->segments[count - 1], &b->segments[i]))
			bars_amount_add(&b->segments[count - 1].amount, &b->segments[i].amount);
		else
			b->segments[count++] = b->segments[i];
	}
	b->segment_count = count;
}

static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct bars_segment *one = a, *other = b;
	const struct bars *bars = ctx;
	const struct bars_amount *x = &one->amount, *y = &other->amount;

	if (one->row != other->row)
		return compare(one->row, other->row);
	if (one->kind != other->kind)
		return compare(one->kind, other->kind);
	if (x->value != y->value)
		return compare(y->value, x->value);
	if (x->count != y->count)
		return compare(y->count, x->count);
	return bars_compare_names(bars, one->by, other->by);
}

/* In order, with the rows knowing theirs. */
static void order_segments(struct bars *b)
{
	if (b->segment_count)
		qsort_r(b->segments, b->segment_count, sizeof(*b->segments), by_weight, b);
	for (size_t i = b->segment_count; i-- > 0;) {
		struct bars_row *row = &b->rows[b->segments[i].row];

		row->first = i;
		row->count++;
	}
}

void bars_group(struct bars *b, const struct bars_folding *folding)
{
	uint32_t *into;

	into = make_folds(b, folding);
	make_segments(b, into);
	free(into);
	join_segments(b);
	b->amount = (struct bars_amount){0};
	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		bars_amount_add(&b->rows[s->row].amount, &s->amount);
		bars_amount_add(&b->kinds[s->kind].amount, &s->amount);
		bars_amount_add(&b->amount, &s->amount);
	}
	order_segments(b);
}

/* ---- order ------------------------------------------------------------------ */

/* The length of the number at the beginning of text, and where it begins behind zeros. */
static size_t digits(const char *text, size_t *zeros)
{
	size_t len = 0;

	for (*zeros = 0; text[*zeros] == '0' && isdigit((unsigned char)text[*zeros + 1]);)
		++*zeros;
	while (isdigit((unsigned char)text[*zeros + len]))
		len++;
	return len;
}

/* Both stand at a digit; moves them behind the numbers. */
static int compare_numbers(const char **a, const char **b)
{
	size_t a_zeros, b_zeros, a_len = digits(*a, &a_zeros), b_len = digits(*b, &b_zeros);
	int order = a_len != b_len ? compare(a_len, b_len)
				   : memcmp(*a + a_zeros, *b + b_zeros, a_len);

	*a += a_zeros + a_len;
	*b += b_zeros + b_len;
	return order;
}

int bars_compare_names(const struct bars *b, uint32_t one, uint32_t other)
{
	const char *x, *y;
	int order;

	if (one == other || one == BARS_NOBODY || other == BARS_NOBODY)
		return compare(one, other);
	for (x = intern_text(&b->names, one), y = intern_text(&b->names, other); *x && *y;) {
		if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
			order = compare_numbers(&x, &y);
			if (order)
				return order;
		} else if (*x != *y) {
			return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	order = compare((unsigned char)*x, (unsigned char)*y);
	return order ? order
		     : strcmp(intern_text(&b->names, one), intern_text(&b->names, other));
}

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

void bars_sort(struct bars *b,
	       bool (*before)(const void *ctx, const struct bars_row *a, const struct bars_row *b),
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
	order_segments(b);
	free(order);
	free(place);
}

static int by_order(const void *a, const void *b, void *ctx)
{
	const struct bars *bars = ctx;
	const struct bars_kind *one = &bars->kinds[*(const uint32_t *)a];
	const struct bars_kind *other = &bars->kinds[*(const uint32_t *)b];

	if (one->order != other->order)
		return one->order < other->order ? -1 : 1;
	return bars_compare_names(bars, one->name, other->name);
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
		qsort_r(order, b->kind_count, sizeof(*order), by_order, b);
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
	order_segments(b);
	free(order);
	free(place);
}

/* ---- the window ------------------------------------------------------------- */

/* 0 when text is no time. */
static uint64_t epoch_of(const char *text)
{
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return 0;
	return when.ns;
}

uint64_t bars_window(const struct bars *b)
{
	uint64_t start = epoch_of(source_get(&b->source, FOLDED_START));
	uint64_t end = epoch_of(source_get(&b->source, FOLDED_END));
	uint64_t window = 0;

	if (bars_in_ns(b) && start && end > start)
		window = decimal_shift(end - start, b->decimals);
	for (size_t i = 0; i < b->row_count; i++) {
		if (b->rows[i].members == 1 && b->rows[i].amount.value > window)
			window = b->rows[i].amount.value;
	}
	for (size_t i = 0; !window && i < b->row_count; i++)
		window = b->rows[i].amount.value;
	return window;
}
