#include "collapse/fold/fold_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"

/* The root frames of each root number, as one text: "java-8513/dw-20;". */
static uint32_t *make_roots(const struct roots *roots, const struct intern *keys, struct names *names)
{
	uint32_t *texts = xmalloc(keys->count * sizeof(*texts)), words[ROOT_WORDS_MAX];
	struct str text = { 0 };

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

/* A recorded frame counts once, even if it becomes several frames of inlined functions. */
static void count_frame(struct quality *q, const struct stack *stack, const struct names *names, uint32_t frame)
{
	q->frames += stack->samples;
	if (names_unresolved(names, frame))
		q->nameless += stack->samples;
}

/* The texts of a stack, root first. */
static void stack_texts(struct quality *q, const struct stack *stack, struct names *names, uint32_t root,
			struct texts *texts)
{
	texts->count = 0;
	add_text(texts, root);
	if (stack->truncated)
		add_text(texts, intern_add(&names->texts, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME)));
	for (uint32_t i = stack->frame_count; i-- > 0;) {
		add_texts_of(texts, names, stack->frames[i]);
		count_frame(q, stack, names, stack->frames[i]);
	}
	if (stack->class_address)
		add_texts_of(texts, names, stack->class_frame);
	for (uint32_t i = 0; i < stack->waker_frames; i++) {
		uint32_t frame = stack->frames[stack->frame_count + i];

		add_texts_of(texts, names, frame);
		if (!(frame & FRAME_TEXT))
			count_frame(q, stack, names, frame);
	}
}

void fold_stacks(struct fold *f, const struct stacks *stacks, struct names *names, const struct roots *roots,
		 const struct intern *root_keys)
{
	uint32_t *root_texts = make_roots(roots, root_keys, names);
	struct texts texts = { 0 };

	f->columns = stacks->columns;
	f->line_of_stack = xmalloc(stacks->count * sizeof(*f->line_of_stack));
	for (size_t i = 0; i < stacks->count; i++) {
		const struct stack *stack = &stacks->items[i];

		stack_texts(&f->quality, stack, names, root_texts[stack->root], &texts);
		quality_count(&f->quality, stack, quality_user_end(stack, names->places, names->modules));
		f->line_of_stack[i] = fold_add_line(f, texts.items, texts.count);
		fold_add_values(f, f->line_of_stack[i], stack->value, stacks_more(stacks, (uint32_t)i));
	}
	fold_sort(f, &names->texts, stacks->count);
	free(texts.items);
	free(root_texts);
}
