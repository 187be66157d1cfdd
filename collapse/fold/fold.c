#include "collapse/fold/fold.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/hash.h"
#include "core/memory.h"

/* --- merging ---------------------------------------------------------------------- */

struct merger {
	struct fold *fold;
	uint32_t *slots; /* sequence -> line + 1 */
	size_t slot_count;
};

static uint64_t line_hash(const struct fold_line *line)
{
	return hash_bytes(line->texts, line->count * sizeof(*line->texts));
}

static uint32_t *find_slot(const struct merger *m, const struct fold_line *key)
{
	size_t mask = m->slot_count - 1;

	for (size_t i = line_hash(key) & mask;; i = (i + 1) & mask) {
		const struct fold_line *line;

		if (!m->slots[i])
			return &m->slots[i];
		line = &m->fold->lines[m->slots[i] - 1];
		if (line->count == key->count &&
		    !memcmp(line->texts, key->texts, key->count * sizeof(*key->texts)))
			return &m->slots[i];
	}
}

static void grow(struct merger *m)
{
	free(m->slots);
	m->slot_count = m->slot_count ? m->slot_count * 2 : 1024;
	m->slots = xcalloc(m->slot_count, sizeof(*m->slots));
	for (size_t i = 0; i < m->fold->count; i++)
		*find_slot(m, &m->fold->lines[i]) = (uint32_t)i + 1;
}

static size_t more_columns(const struct fold *f)
{
	return f->columns->count - 1;
}

/* Put the values of a stack to those of its line. */
static void merge_more(struct fold *f, uint32_t line, const uint64_t *values)
{
	size_t width = more_columns(f), at = f->lines[line].row * width;

	for (size_t i = 0; i < width; i++)
		f->more[at + i] = column_merge(f->columns->list[i + 1], f->more[at + i], values[i]);
}

static void make_row(struct fold *f, uint32_t row)
{
	size_t width = more_columns(f);

	if (!width)
		return;
	f->more = xgrow(f->more, &f->more_cap, (row + 1) * width, sizeof(*f->more));
	memset(f->more + row * width, 0, width * sizeof(*f->more));
}

static uint32_t add_line(struct merger *m, const struct fold_line *key)
{
	struct fold *f = m->fold;
	struct fold_line *line;
	uint32_t *slot, *texts;

	if (f->count * 2 >= m->slot_count)
		grow(m);
	slot = find_slot(m, key);
	if (!*slot) {
		texts = arena_alloc(&f->arena, key->count * sizeof(*texts));
		memcpy(texts, key->texts, key->count * sizeof(*texts));
		f->lines = xgrow(f->lines, &f->cap, f->count + 1, sizeof(*f->lines));
		line = &f->lines[f->count];
		*line = (struct fold_line){ .texts = texts, .count = key->count, .row = (uint32_t)f->count };
		make_row(f, (uint32_t)f->count);
		*slot = (uint32_t)++f->count;
	}
	line = &f->lines[*slot - 1];
	line->value = column_merge(f->columns->list[0], line->value, key->value);
	return *slot - 1;
}

/* --- sorting ---------------------------------------------------------------------- */

/* Texts get ranks once, so that comparing lines compares numbers. */
struct ranks {
	const struct intern *texts;
	uint32_t *by_text;
};

static int by_bytes(const void *a, const void *b, void *texts)
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
		qsort_r(order, texts->count, sizeof(*order), by_bytes, (void *)texts);
	for (size_t i = 0; i < texts->count; i++)
		ranks[order[i]] = (uint32_t)i;
	free(order);
	return ranks;
}

/* Lines share long beginnings.  Multikey quicksort (Bentley and Sedgewick, "Fast
 * algorithms for sorting and searching strings", 1997) looks at each only once. */
struct sorting {
	const struct fold_line *lines;
	const uint32_t *ranks;
};

/* The rank at depth, plus 1; 0 behind the end: a shorter line comes first. */
static uint32_t key_at(const struct sorting *s, uint32_t line, uint32_t depth)
{
	const struct fold_line *l = &s->lines[line];

	return depth < l->count ? s->ranks[l->texts[depth]] + 1 : 0;
}

static void swap(uint32_t *order, size_t i, size_t j)
{
	uint32_t line = order[i];

	order[i] = order[j];
	order[j] = line;
}

static int by_ranks(const void *a, const void *b, void *sorting)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	for (uint32_t depth = 0;; depth++) {
		uint32_t key_x = key_at(sorting, x, depth), key_y = key_at(sorting, y, depth);

		if (key_x != key_y)
			return key_x < key_y ? -1 : 1;
		if (!key_x)
			return 0;
	}
}

enum { MAX_NESTING = 64 }; /* then the input is made to be slow, or to overflow the stack */

/* Sort order[0..count), whose lines are the same before depth. */
static void sort_from(struct sorting *s, uint32_t *order, size_t count, uint32_t depth, int nesting)
{
	if (nesting > MAX_NESTING) {
		qsort_r(order, count, sizeof(*order), by_ranks, s);
		return;
	}
	while (count > 1) {
		uint32_t pivot = key_at(s, order[count / 2], depth);
		size_t below = 0, at = 0, above = count; /* < pivot | == | not looked at | > */

		while (at < above) {
			uint32_t key = key_at(s, order[at], depth);

			if (key < pivot)
				swap(order, below++, at++);
			else if (key > pivot)
				swap(order, at, --above);
			else
				at++;
		}
		sort_from(s, order, below, depth, nesting + 1);
		sort_from(s, order + above, count - above, depth, nesting + 1);
		if (!pivot)
			return; /* all of them end here */
		order += below;
		count = above - below;
		depth++;
	}
}

static void sort_lines(struct fold *f, size_t stack_count, const struct intern *texts)
{
	uint32_t *order = xmalloc(f->count * sizeof(*order)), *ranks = make_ranks(texts);
	uint32_t *new_number = xmalloc(f->count * sizeof(*new_number));
	struct fold_line *sorted = xmalloc(f->count * sizeof(*sorted));
	struct sorting sorting = { f->lines, ranks };

	for (size_t i = 0; i < f->count; i++)
		order[i] = (uint32_t)i;
	sort_from(&sorting, order, f->count, 0, 0);
	for (size_t i = 0; i < f->count; i++) {
		sorted[i] = f->lines[order[i]];
		new_number[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < stack_count; i++)
		f->line_of_stack[i] = new_number[f->line_of_stack[i]];
	free(f->lines);
	f->lines = sorted;
	free(order);
	free(new_number);
	free(ranks);
}

/* --- all of it -------------------------------------------------------------------- */

/* The root frames of each root number, as one text: "java-8513/dw-20;". */
static uint32_t *make_roots(const struct roots *roots, const struct intern *keys, struct names *names)
{
	uint32_t *texts = xmalloc(keys->count * sizeof(*texts)), words[ROOT_WORDS_MAX];
	struct str text = {0};

	for (uint32_t i = 0; i < keys->count; i++) {
		memcpy(words, intern_text(keys, i), intern_len(keys, i));
		str_clear(&text);
		roots_write(roots, words, &text);
		texts[i] = intern_add(&names->texts, str_text(&text), text.len);
	}
	str_free(&text);
	return texts;
}

/* The texts of a line that is being made. */
struct texts {
	uint32_t *items; /* [count] */
	uint32_t count;
	size_t cap;
};

static void add_text(struct texts *t, uint32_t text)
{
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = text;
}

static void add_texts_of(struct texts *t, struct names *names, uint32_t frame)
{
	struct frame_texts texts = names_of(names, frame);

	for (uint32_t i = 0; i < texts.count; i++)
		add_text(t, texts.items[i]);
}

/* A frame that was recorded counts once, whatever was inlined there. */
static void count_frame(struct fold *f, const struct stack *stack, const struct names *names, uint32_t frame)
{
	f->quality.frames += stack->samples;
	if (names_unresolved(names, frame))
		f->quality.nameless += stack->samples;
}

/* The texts of a stack, root first. */
static void stack_texts(struct fold *f, const struct stack *stack, struct names *names, uint32_t root,
			struct texts *texts)
{
	texts->count = 0;
	add_text(texts, root);
	if (stack->truncated)
		add_text(texts, intern_add(&names->texts, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME)));
	for (uint32_t i = stack->frame_count; i-- > 0;) {
		add_texts_of(texts, names, stack->frames[i]);
		count_frame(f, stack, names, stack->frames[i]);
	}
	if (stack->class_address)
		add_texts_of(texts, names, stack->class_frame);
	for (uint32_t i = 0; i < stack->waker_frames; i++) {
		uint32_t frame = stack->frames[stack->frame_count + i];

		add_texts_of(texts, names, frame);
		if (!(frame & FRAME_TEXT))
			count_frame(f, stack, names, frame);
	}
}

static bool is_zero(const struct fold *f, const struct fold_line *line)
{
	for (size_t i = 0; i <= more_columns(f); i++) {
		if (fold_value(f, line, i))
			return false;
	}
	return true;
}

static void filter_lines(struct fold *f, const struct names *names, fold_filter *filter,
			 const void *argument)
{
	struct str text = {0};

	for (size_t i = 0; i < f->count; i++) {
		str_clear(&text);
		if (is_zero(f, &f->lines[i]))
			continue;
		if (filter)
			fold_line_text(&f->lines[i], names, &text);
		f->lines[i].kept = !filter || filter(text.buf, text.len, argument);
		f->kept += f->lines[i].kept;
	}
	str_free(&text);
}

void fold_stacks(struct fold *f, const struct stacks *stacks, struct names *names,
		 const struct roots *roots, const struct intern *root_keys, fold_filter *filter,
		 const void *argument)
{
	uint32_t *root_texts = make_roots(roots, root_keys, names);
	struct merger merger = { .fold = f };
	struct texts texts = {0};

	f->columns = stacks->columns;
	f->line_of_stack = xmalloc(stacks->count * sizeof(*f->line_of_stack));
	for (size_t i = 0; i < stacks->count; i++) {
		const struct stack *stack = &stacks->items[i];
		struct fold_line line = { .value = stack->value };

		stack_texts(f, stack, names, root_texts[stack->root], &texts);
		line.count = texts.count;
		line.texts = texts.items;
		quality_count(&f->quality, stack, quality_user_end(stack, names->places, names->modules));
		f->line_of_stack[i] = add_line(&merger, &line);
		if (more_columns(f))
			merge_more(f, f->line_of_stack[i], stacks_more(stacks, (uint32_t)i));
	}
	sort_lines(f, stacks->count, &names->texts);
	filter_lines(f, names, filter, argument);
	free(texts.items);
	free(root_texts);
	free(merger.slots);
}

void fold_line_text(const struct fold_line *line, const struct names *names, struct str *out)
{
	const struct intern *texts = &names->texts;
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
	free(f->more);
	arena_free(&f->arena);
	*f = (struct fold){0};
}
