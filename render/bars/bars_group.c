/* Cells become rows, kinds and segments. */
#include "render/bars/bars.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/pool.h"
#include "core/sorted.h"
#include "core/str.h"
#include "render/bars/bars_text.h"

/* ---- names that become one -------------------------------------------------- */

enum { NO_POOL = UINT32_MAX };

/* How names are folded, while the result is computed. */
struct folds {
	struct bars *bars;
	const struct bars_folding *folding;
	size_t count;       /* number of names in the lines */
	bool *used;         /* [name] whether it is the name of a row or a by */
	uint32_t *pool;     /* [name] its pool, an index into keys, or NO_POOL */
	uint32_t *into;     /* [name] the name that replaces it */
	struct intern keys; /* pools: "worker-" */
	uint32_t *key_uses; /* [key] how many names have it */
};

/* The length of "cpu3;sh-" in "cpu3;sh-4711/sh", where sh is the command of the process; 0: not a thread's name. */
static size_t command_len(const char *name, size_t len)
{
	for (size_t end = 1; end < len; end++) {
		size_t digits = 0;

		if (name[end] != '-')
			continue;
		while (end + 1 + digits < len && name[end + 1 + digits] >= '0' && name[end + 1 + digits] <= '9')
			digits++;
		if (digits && end + 1 + digits < len && name[end + 1 + digits] == '/')
			return end + 1;
	}
	return 0;
}

static size_t name_pool_len(const struct folds *f, uint32_t n)
{
	const char *name = intern_text(&f->bars->names, n);
	size_t len = intern_len(&f->bars->names, n);

	if (f->folding->commands)
		return command_len(name, len);
	/* the number in "sh-20/sh" belongs to a process */
	return bars_is_process(f->bars, n) ? 0 : pool_len(name, len);
}

static void find_pools(struct folds *f)
{
	const struct intern *names = &f->bars->names;

	f->key_uses = xcalloc(f->count + 1, sizeof(*f->key_uses));
	for (uint32_t n = 0; n < f->count; n++) {
		size_t len = f->used[n] ? name_pool_len(f, n) : 0;

		f->pool[n] = len ? intern_add(&f->keys, intern_text(names, n), len) : NO_POOL;
		if (f->pool[n] != NO_POOL)
			f->key_uses[f->pool[n]]++;
	}
}

/* Make a name of prefix and "*". */
static uint32_t add_star(struct bars *b, const char *prefix, size_t len)
{
	struct str text = { 0 };
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
			f->into[n] = add_star(f->bars, intern_text(&f->keys, key), intern_len(&f->keys, key));
	}
}

/* The length of the common beginning of a and b, in whole characters. */
static size_t shared_len(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t len = 0;

	while (len < a_len && len < b_len && a[len] == b[len])
		len++;
	while (len && len < a_len && ((unsigned char)a[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Fold all names that match pattern i into one. */
static void fold_pattern(struct folds *f, size_t i)
{
	struct intern *names = &f->bars->names;
	const char *text = f->folding->texts[i];
	uint32_t *matching = xcalloc(f->count, sizeof(*matching)), one;
	struct str shared = { 0 };
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
		one = shared.len ? add_star(f->bars, shared.buf, shared.len) : intern_add(names, text, strlen(text));
		while (count--)
			f->into[matching[count]] = one;
	}
	str_free(&shared);
	free(matching);
}

/* [name] the name that replaces it; the caller frees it. */
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
	if (folding->pools || folding->commands) {
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

/* Names numbered from 0 in order of arrival. */
struct group_places {
	uint32_t *of;    /* by name: place + 1 */
	uint32_t *names; /* by place */
	size_t count, cap;
};

static uint32_t bars_group_place_of(struct group_places *p, uint32_t name)
{
	if (!p->of[name]) {
		p->names = xgrow(p->names, &p->cap, p->count + 1, sizeof(*p->names));
		p->names[p->count++] = name;
		p->of[name] = (uint32_t)p->count;
	}
	return p->of[name] - 1;
}

static void bars_group_places_free(struct group_places *p)
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

static void bars_group_make_places(struct bars *b, const struct group_places *rows, const struct group_places *kinds)
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
		b->kinds[i] = (struct bars_kind){ .name = kinds->names[i], .group = "", .order = (int)i };
}

/* Make a segment for each cell; segments of one place are not merged yet. */
static void make_segments(struct bars *b, const uint32_t *into)
{
	struct group_places rows = { .of = xcalloc(b->names.count, sizeof(uint32_t)) };
	struct group_places kinds = { .of = xcalloc(b->names.count, sizeof(uint32_t)) };

	free(b->segments);
	b->segments = xcalloc(b->cell_count, sizeof(*b->segments));
	b->segment_count = b->cell_count;
	for (size_t i = 0; i < b->cell_count; i++) {
		const struct bars_cell *c = &b->cells[i];

		b->segments[i] = (struct bars_segment){
			.row = bars_group_place_of(&rows, into[b->row_of[c->who]]),
			.kind = bars_group_place_of(&kinds, c->kind),
			.by = c->by == BARS_NOBODY ? BARS_NOBODY : into[c->by],
			.amount = c->amount,
		};
	}
	bars_group_make_places(b, &rows, &kinds);
	count_members(b);
	bars_group_places_free(&rows);
	bars_group_places_free(&kinds);
}

/* ---- segments --------------------------------------------------------------- */

static int bars_group_by_place(const void *a, const void *b)
{
	const struct bars_segment *one = a, *other = b;

	return ORDER(one->row, other->row) ?: ORDER(one->kind, other->kind) ?: ORDER(one->by, other->by);
}

static void join_segments(struct bars *b)
{
	size_t count = 0;

	if (b->segment_count)
		qsort(b->segments, b->segment_count, sizeof(*b->segments), bars_group_by_place);
	for (size_t i = 0; i < b->segment_count; i++) {
		if (count && !bars_group_by_place(&b->segments[count - 1], &b->segments[i]))
			bars_amount_add(&b->segments[count - 1].amount, &b->segments[i].amount);
		else
			b->segments[count++] = b->segments[i];
	}
	b->segment_count = count;
}

void bars_group(struct bars *b, const struct bars_folding *folding)
{
	uint32_t *into;

	into = make_folds(b, folding);
	make_segments(b, into);
	free(into);
	join_segments(b);
	b->amount = (struct bars_amount){ 0 };
	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		bars_amount_add(&b->rows[s->row].amount, &s->amount);
		bars_amount_add(&b->kinds[s->kind].amount, &s->amount);
		bars_amount_add(&b->amount, &s->amount);
	}
	bars_order_segments(b);
}
