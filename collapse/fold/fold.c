#include "collapse/fold/fold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame_files.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/textsort.h"

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

/* Is it the frame of the function name, perhaps with an annotation, "name_[k]", or a file (frame_files.h)? */
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

/* Add the part of a stack from its last --skip-after frame on, without root frames; a stack that has no such frame is
 * added whole. */
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

/* Add the line that replaces an old one; texts has room for its texts. */
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

/* The rank of the text at depth, plus 1; past the end, 0, so that a shorter line comes first. */
static uint32_t rank_at(const uint32_t *ranks, const struct fold_line *line, size_t depth)
{
	return depth < line->count ? ranks[line->texts[depth]] + 1 : 0;
}

/* Lines are compared by the ranks of their texts, as numbers, two at once. */
static bool load_ranks(const void *ranks, struct sort_ref *refs, size_t count, size_t *depth)
{
	enum { AHEAD = 12 };

	if (*depth && !(refs[0].key & UINT32_MAX))
		return false; /* all these lines end here */
	for (size_t i = 0; i < count; i++) {
		const struct fold_line *line = refs[i].item;

		if (i + 2 * AHEAD < count)
			load_ahead(refs[i + 2 * AHEAD].item, 1);
		if (i + AHEAD < count)
			load_ahead(((const struct fold_line *)refs[i + AHEAD].item)->texts + *depth, 1);
		refs[i].key = (uint64_t)rank_at(ranks, line, *depth) << 32 | rank_at(ranks, line, *depth + 1);
	}
	*depth += 2;
	return true;
}

static int compare_ranks(const void *ranks, const void *a, const void *b, size_t depth)
{
	for (;; depth++) {
		uint32_t x = rank_at(ranks, a, depth), y = rank_at(ranks, b, depth);

		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			return 0;
	}
}

void fold_sort(struct fold *f, const struct intern *texts, size_t count)
{
	enum { AHEAD = 12 };
	static const struct sort_order order = { load_ranks, compare_ranks };
	uint32_t *ranks = textsort_ranks(texts), *new_number = xmalloc(f->count * sizeof(*new_number));
	struct sort_ref *refs = xmalloc(f->count * sizeof(*refs));
	struct fold_line *sorted = xmalloc(f->count * sizeof(*sorted));

	for (size_t i = 0; i < f->count; i++)
		refs[i].item = &f->lines[i];
	textsort_refs(refs, f->count, &order, ranks);
	for (size_t i = 0; i < f->count; i++) {
		const struct fold_line *line = refs[i].item;

		if (i + AHEAD < f->count)
			load_ahead(refs[i + AHEAD].item, sizeof(*line));
		sorted[i] = *line;
		new_number[line - f->lines] = (uint32_t)i;
	}
	for (size_t i = 0; i < count; i++)
		f->line_of_stack[i] = new_number[f->line_of_stack[i]];
	hash_table_free(&f->table);
	free(f->lines);
	f->lines = sorted;
	free(refs);
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
