#include "collapse/fold/fold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame_files.h"
#include "core/hash.h"
#include "core/memory.h"

static bool fold_is_same(const void *fold, uint32_t number, const void *key)
{
	const struct fold_line *a = &((const struct fold *)fold)->lines[number], *b = key;

	return a->count == b->count && a->out_of_focus == b->out_of_focus &&
	       !memcmp(a->texts, b->texts, a->count * sizeof(*a->texts));
}

static size_t more_columns(const struct fold *f)
{
	return f->columns->count - 1;
}

static void make_row(struct fold *f, size_t row)
{
	size_t width = more_columns(f);

	if (!width)
		return;
	f->more = xgrow(f->more, &f->more_cap, (row + 1) * width, sizeof(*f->more));
	memset(f->more + row * width, 0, width * sizeof(*f->more));
}

/* Is it the frame of a function called name, perhaps with an annotation, "name_[k]", or a file (frame_files.h)? */
static bool is_frame_of(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *end = text + len;

	if (strncmp(text, name, len))
		return false;
	len = strcspn(end, (const char[]){ FUNCTION_FILE, '\0' });
	return !len || (len == 4 && !strncmp(end, "_[", 2) && end[3] == ']');
}

static bool is_skipped_after(struct fold *f, const struct intern *names, uint32_t text)
{
	size_t before = f->skip_cap;

	f->skips = xgrow(f->skips, &f->skip_cap, text + 1, sizeof(*f->skips));
	if (f->skip_cap > before)
		memset(f->skips + before, 0, f->skip_cap - before);
	for (size_t i = 0; i < f->skip_count && !f->skips[text]; i++)
		f->skips[text] = is_frame_of(intern_text(names, text), f->skip_after[i]);
	f->skips[text] = f->skips[text] ? f->skips[text] : 2;
	return f->skips[text] == 1;
}

static uint32_t fold_add_texts(struct fold *f, uint32_t *texts, uint32_t count);

/* Without the callers of the last frame that has none. */
static uint32_t fold_add_part(struct fold *f, struct intern *names, uint32_t *texts, uint32_t count)
{
	uint32_t *part, line, i = count - 1;

	while (i > 0 && !is_skipped_after(f, names, texts[i]))
		i--;
	if (!i)
		return fold_add_texts(f, texts, count);
	part = xmalloc((count - i + 1) * sizeof(*part));
	part[0] = intern_add(names, "", 0); /* no root frames */
	memcpy(part + 1, texts + i, (count - i) * sizeof(*part));
	line = fold_add_texts(f, part, count - i + 1);
	free(part);
	return line;
}

uint32_t fold_add_line(struct fold *f, struct intern *names, uint32_t *texts, uint32_t count)
{
	return f->skip_count ? fold_add_part(f, names, texts, count) : fold_add_texts(f, texts, count);
}

static uint32_t fold_add_texts(struct fold *f, uint32_t *texts, uint32_t count)
{
	bool in_focus = !f->rules || frame_rules_apply(f->rules, texts, &count);
	struct fold_line key = { .texts = texts, .count = count, .row = (uint32_t)f->count, .out_of_focus = !in_focus };
	uint64_t hash = hash_bytes(texts, count * sizeof(*texts)) + !in_focus;
	uint32_t number = hash_table_add(&f->table, hash, fold_is_same, f, &key, key.row), *own;

	if (number < f->count)
		return number;
	own = arena_alloc(&f->arena, count * sizeof(*own));
	memcpy(own, texts, count * sizeof(*own));
	key.texts = own;
	f->lines = xgrow(f->lines, &f->cap, f->count + 1, sizeof(*f->lines));
	make_row(f, f->count);
	f->lines[f->count++] = key;
	return number;
}

uint16_t fold_shape(struct fold *f, const uint8_t frames[ROOTS_MAX])
{
	for (size_t i = 0; i < f->shape_count; i++) {
		if (!memcmp(f->shapes[i], frames, ROOTS_MAX))
			return (uint16_t)i;
	}
	assert(f->shape_count < UINT16_MAX);
	f->shapes = xgrow(f->shapes, &f->shape_cap, f->shape_count + 1, sizeof(*f->shapes));
	memcpy(f->shapes[f->shape_count], frames, ROOTS_MAX);
	return (uint16_t)f->shape_count++;
}

void fold_set_shape(struct fold *f, uint32_t line, uint32_t root, uint16_t shape)
{
	static const uint8_t none[ROOTS_MAX];

	/* --skip-after drops root frames, too. */
	f->lines[line].shape = f->lines[line].texts[0] == root ? shape : fold_shape(f, none);
}

static uint64_t *fold_value_at(struct fold *f, struct fold_line *line, size_t i)
{
	return i ? &f->more[line->row * more_columns(f) + i - 1] : &line->value;
}

void fold_add_values(struct fold *f, uint32_t number, uint64_t first, const uint64_t *more)
{
	const struct columns *c = f->columns;
	struct fold_line *line = &f->lines[number];

	line->value = column_merge(c->list[0], line->value, first);
	for (size_t i = 1; i < c->count; i++) {
		uint64_t *value = fold_value_at(f, line, i);

		*value = column_merge(c->list[i], *value, more[i - 1]);
		if (c->list[i] == COLUMN_FRACTION && *value >= COLUMN_ONE) {
			uint64_t *whole = fold_value_at(f, line, i - c->fractions);

			*whole = column_carry(*whole, value);
		}
	}
}

/* The line that takes the place of an old one; text is room for its texts. */
static uint32_t add_anew(struct fold *f, const struct fold *old, const struct fold_line *line, const uint32_t *shown,
			 uint32_t *texts)
{
	size_t before = f->count;
	uint32_t number;

	for (uint32_t i = 0; i < line->count; i++)
		texts[i] = shown ? shown[line->texts[i]] : line->texts[i];
	number = fold_add_texts(f, texts, line->count);
	if (number == before) {
		f->lines[number].shape = line->shape;
		f->lines[number].wait = line->wait;
		f->lines[number].out_of_focus |= line->out_of_focus;
	}
	fold_add_values(f, number, line->value, fold_more(old, line));
	return number;
}

void fold_make_anew(struct fold *f, const uint32_t *shown, struct frame_rules *rules, size_t count)
{
	struct fold old = *f;
	uint32_t *new_number = xmalloc(old.count * sizeof(*new_number)), *texts = NULL;
	size_t cap = 0;

	f->lines = NULL;
	f->more = NULL;
	f->count = f->cap = f->more_cap = 0;
	f->table = (struct hash_table){ 0 };
	f->arena = (struct arena){ 0 };
	f->rules = rules;
	for (size_t i = 0; i < old.count; i++) {
		texts = xgrow(texts, &cap, old.lines[i].count, sizeof(*texts));
		new_number[i] = add_anew(f, &old, &old.lines[i], shown, texts);
	}
	for (size_t i = 0; i < count; i++)
		f->line_of_stack[i] = new_number[f->line_of_stack[i]];
	free(old.lines);
	free(old.more);
	hash_table_free(&old.table);
	arena_free(&old.arena);
	free(new_number);
	free(texts);
}

void fold_show(struct fold *f, const uint32_t *shown)
{
	for (size_t i = 0; i < f->count; i++) {
		uint32_t *texts = (uint32_t *)(uintptr_t)f->lines[i].texts; /* in the arena */

		for (uint32_t n = 0; n < f->lines[i].count; n++)
			texts[n] = shown[texts[n]];
	}
}

/* --- sorting ---------------------------------------------------------------------- */

/* Texts are ranked once, so that lines can be compared by numbers. */
struct ranks {
	const struct intern *texts;
	uint32_t *by_text;
};

static int fold_by_bytes(const void *a, const void *b, void *texts)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return strcmp(intern_text(texts, x), intern_text(texts, y));
}

static uint32_t *make_ranks(const struct intern *texts)
{
	uint32_t *order = xmalloc(texts->count * sizeof(*order));
	uint32_t *ranks = xmalloc(texts->count * sizeof(*ranks));

	for (size_t i = 0; i < texts->count; i++)
		order[i] = (uint32_t)i;
	if (texts->count)
		qsort_r(order, texts->count, sizeof(*order), fold_by_bytes, (void *)texts);
	for (size_t i = 0; i < texts->count; i++)
		ranks[order[i]] = (uint32_t)i;
	free(order);
	return ranks;
}

/* A line; its own memory is not looked at again and again. */
struct sort_item {
	const uint32_t *texts;
	uint32_t count, line;
	uint64_t key; /* of the depth that is compared */
};

struct sorting {
	const uint32_t *ranks;
};

/* The rank at depth, plus 1; 0 past the end: a shorter line comes first. */
static uint32_t rank_at(const struct sorting *s, const struct sort_item *item, uint32_t depth)
{
	return depth < item->count ? s->ranks[item->texts[depth]] + 1 : 0;
}

/* Two at once. */
static uint64_t fold_key_at(const struct sorting *s, const struct sort_item *item, uint32_t depth)
{
	return (uint64_t)rank_at(s, item, depth) << 32 | rank_at(s, item, depth + 1);
}

static void fold_load_keys(const struct sorting *s, struct sort_item *items, size_t count, uint32_t depth)
{
	enum { AHEAD = 12 };

	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count)
			load_ahead(items[i + AHEAD].texts + depth, 1);
		items[i].key = fold_key_at(s, &items[i], depth);
	}
}

static void fold_swap(struct sort_item *a, struct sort_item *b)
{
	struct sort_item old = *a;

	*a = *b;
	*b = old;
}

static int by_ranks(const void *a, const void *b, void *sorting)
{
	for (uint32_t depth = 0;; depth += 2) {
		uint64_t key_a = fold_key_at(sorting, a, depth), key_b = fold_key_at(sorting, b, depth);

		if (key_a != key_b)
			return key_a < key_b ? -1 : 1;
		if (!(key_a & UINT32_MAX))
			return 0;
	}
}

enum { MAX_NESTING = 64 }; /* deeper nesting: the input is a bad case for quicksort, perhaps on purpose */

/* Sort items[0..count), whose lines are equal up to depth, the one of their keys.  Lines share long beginnings: multikey
 * quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings", 1997) compares each only once. */
static void sort_from(struct sorting *s, struct sort_item *items, size_t count, uint32_t depth, int nesting)
{
	if (nesting > MAX_NESTING) {
		qsort_r(items, count, sizeof(*items), by_ranks, s);
		return;
	}
	while (count > 1) {
		uint64_t pivot = items[count / 2].key;
		size_t below = 0, at = 0, above = count; /* < pivot | == | not compared yet | > */

		while (at < above) {
			uint64_t key = items[at].key;

			if (key < pivot)
				fold_swap(&items[below++], &items[at++]);
			else if (key > pivot)
				fold_swap(&items[at], &items[--above]);
			else
				at++;
		}
		sort_from(s, items, below, depth, nesting + 1);
		sort_from(s, items + above, count - above, depth, nesting + 1);
		if (!(pivot & UINT32_MAX))
			return; /* all these lines end here */
		items += below;
		count = above - below;
		depth += 2;
		fold_load_keys(s, items, count, depth);
	}
}

void fold_sort(struct fold *f, const struct intern *texts, size_t count)
{
	enum { AHEAD = 12 };
	uint32_t *ranks = make_ranks(texts), *new_number = xmalloc(f->count * sizeof(*new_number));
	struct sort_item *items = xmalloc(f->count * sizeof(*items));
	struct fold_line *sorted = xmalloc(f->count * sizeof(*sorted));
	struct sorting sorting = { ranks };

	for (size_t i = 0; i < f->count; i++)
		items[i] = (struct sort_item){ f->lines[i].texts, f->lines[i].count, (uint32_t)i, 0 };
	fold_load_keys(&sorting, items, f->count, 0);
	sort_from(&sorting, items, f->count, 0, 0);
	for (size_t i = 0; i < f->count; i++) {
		if (i + AHEAD < f->count)
			load_ahead(&f->lines[items[i + AHEAD].line], sizeof(*f->lines));
		sorted[i] = f->lines[items[i].line];
		new_number[items[i].line] = (uint32_t)i;
	}
	for (size_t i = 0; i < count; i++)
		f->line_of_stack[i] = new_number[f->line_of_stack[i]];
	hash_table_free(&f->table);
	free(f->lines);
	f->lines = sorted;
	free(items);
	free(new_number);
	free(ranks);
}

/* --- filter ----------------------------------------------------------------------- */

static bool fold_is_zero(const struct fold *f, const struct fold_line *line)
{
	for (size_t i = 0; i <= more_columns(f); i++) {
		if (fold_value(f, line, i))
			return false;
	}
	return true;
}

static bool is_wanted_wait(const struct fold *f, const struct fold_line *line)
{
	return !f->waits || !line->wait || f->waits >> (line->wait - 1) & 1;
}

void fold_keep(struct fold *f, const struct intern *texts, bool zeros, fold_filter *filter, const void *argument)
{
	struct str text = { 0 };

	for (size_t i = 0; i < f->count; i++) {
		str_clear(&text);
		if ((!zeros && fold_is_zero(f, &f->lines[i])) || f->lines[i].out_of_focus)
			continue;
		if (filter)
			fold_line_text(&f->lines[i], texts, &text);
		f->lines[i].kept = !filter || filter(text.buf, text.len, argument);
		f->all = column_sum(f->all, f->lines[i].kept ? f->lines[i].value : 0);
		f->most += f->lines[i].kept && f->lines[i].value == COLUMN_MOST;
		if (f->lines[i].kept && !is_wanted_wait(f, &f->lines[i])) {
			f->lines[i].kept = false;
			f->left_out += f->lines[i].value;
		}
		f->kept += f->lines[i].kept;
	}
	str_free(&text);
}

void fold_line_text(const struct fold_line *line, const struct intern *texts, struct str *out)
{
	size_t start = out->len;

	str_add(out, intern_text(texts, line->texts[0]), intern_len(texts, line->texts[0]));
	for (uint32_t i = 1; i < line->count; i++) {
		if (i > 1)
			str_addc(out, ';');
		str_add(out, intern_text(texts, line->texts[i]), intern_len(texts, line->texts[i]));
	}
	if (line->count > 1)
		return;
	if (out->len > start) /* roots only: no ';' at the end */
		out->buf[--out->len] = '\0';
	else
		str_puts(out, "[no stack]");
}

void fold_free(struct fold *f)
{
	if (!f)
		return;
	free(f->lines);
	free(f->line_of_stack);
	free(f->skips);
	free(f->more);
	free(f->shapes);
	hash_table_free(&f->table);
	arena_free(&f->arena);
	*f = (struct fold){ 0 };
}
