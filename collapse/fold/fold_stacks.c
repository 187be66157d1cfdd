#include "collapse/fold/fold_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots/lock_kind.h"
#include "collapse/fold/stack_wait.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"

/* ---- root frames ------------------------------------------------------------------------ */

/* For each root number and kind of wait: the root frames as one text, "java-8513/dw-20;". */
struct root_texts {
	struct roots roots;
	const struct intern *keys;
	struct names *names;
	struct fold *fold;
	size_t waits;     /* how many different numbers a stack's wait can have */
	uint32_t *texts;  /* [keys->count][waits]: number of the text + 1; 0: not made yet */
	uint16_t *shapes; /* ... and its shape (fold.h) */
	uint32_t *leaves; /* [keys->count][waits]: the frames at the leaf, likewise */
	bool locks;       /* the stacks are of waits for locks */
	bool idle;        /* is there root idle? */
	struct str text;  /* of the current one */
};

/* The number of a stack's wait is that in struct fold_line; for locks, it is made of enum futex_kind in the same way.
 * With root idle, ROOT_WAITS is added for a sleep, and 2 * ROOT_WAITS for a wait for work. */
enum { ROOT_WAITS = ((int)WAIT_KINDS > (int)FUTEX_KINDS ? (int)WAIT_KINDS : (int)FUTEX_KINDS) + 1, IDLE_KINDS = 3 };

_Static_assert((int)ROOT_WAITS *(int)IDLE_KINDS <= UINT8_MAX, "they are of one byte");

/* What follows from the stack. */
static void set_wait(struct root_texts *r, uint8_t number)
{
	static const enum wait_kind kinds[IDLE_KINDS] = { 0, WAIT_SLEEP, WAIT_WORK };
	uint8_t idle = number / ROOT_WAITS, wait = number % ROOT_WAITS;

	r->roots.wait = wait && !r->locks ? wait_frame((enum wait_kind)(wait - 1)) : NULL;
	r->roots.futex = wait && r->locks ? futex_word((enum futex_kind)(wait - 1)) : NULL;
	r->roots.idle = idle ? wait_frame(kinds[idle]) : NULL;
}

static uint32_t fold_stacks_root_text(struct root_texts *r, uint32_t key, uint8_t wait)
{
	uint32_t *known = &r->texts[(size_t)key * r->waits + wait], words[ROOT_WORDS_MAX];
	uint8_t frames[ROOTS_MAX];

	if (!*known) {
		str_clear(&r->text);
		memcpy(words, intern_text(r->keys, key), intern_len(r->keys, key));
		set_wait(r, wait);
		roots_write(&r->roots, words, &r->text, frames);
		r->shapes[(size_t)key * r->waits + wait] = fold_shape(r->fold, frames);
		*known = intern_add(&r->names->texts, str_text(&r->text), r->text.len) + 1;
	}
	return *known - 1;
}

/* The frames at the leaf, as one text; 0: none. */
static uint32_t leaf_text(struct root_texts *r, uint32_t key, uint8_t wait)
{
	uint32_t *known = &r->leaves[(size_t)key * r->waits + wait], words[ROOT_WORDS_MAX];

	if (!r->roots.leaves)
		return 0;
	if (!*known) {
		str_clear(&r->text);
		memcpy(words, intern_text(r->keys, key), intern_len(r->keys, key));
		set_wait(r, wait);
		roots_write_leaves(&r->roots, words, &r->text);
		*known = intern_add(&r->names->texts, str_text(&r->text), r->text.len) + 1;
	}
	return intern_len(&r->names->texts, *known - 1) ? *known : 0;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* The texts of the line that is being made; these are numbers of functions until all functions are known. */
struct texts {
	uint32_t *items; /* [count] */
	uint32_t count;
	size_t cap;
};

static void fold_stacks_add_text(struct texts *t, uint32_t text)
{
	if (t->count == t->cap)
		t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = text;
}

static inline void add_texts_of(struct texts *t, struct names *names, uint32_t frame)
{
	struct frame_texts texts = names_functions(names, frame);

	for (uint32_t i = 0; i < texts.count; i++)
		fold_stacks_add_text(t, texts.items[i]);
}

/* Count a recorded frame once, even if it becomes several frames of inlined functions. */
static void fold_stacks_count_frame(struct quality *q, const struct stack *stack, const struct names *names,
				    uint32_t frame)
{
	q->frames += stack->samples;
	if (names_unresolved(names, frame))
		q->nameless += stack->samples;
	else if (names_stripped(names, frame))
		q->stripped += stack->samples;
}

static void fold_stacks_add_untaken(struct texts *t, struct names *names, const struct stack *stack)
{
	struct event_untaken frame = event_untaken(stack->untaken_of, stack->untaken == RECORDING_UNTAKEN_LONG);

	fold_stacks_add_text(t, intern_add(&names->texts, frame.text, strlen(frame.text)));
}

/* The texts of a stack, root first.  leaf: number + 1 of the text after it; 0: none. */
static void stack_texts(struct fold *f, const struct stack *stack, struct names *names, uint32_t root, uint32_t leaf,
			struct texts *texts)
{
	struct quality *q = &f->quality;

	texts->count = 0;
	fold_stacks_add_text(texts, root);
	if (f->no_stack) {
		if (leaf)
			fold_stacks_add_text(texts, leaf - 1);
		return;
	}
	if (stack->truncated)
		fold_stacks_add_text(texts,
				     intern_add(&names->texts, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME)));
	if (stack->untaken)
		fold_stacks_add_untaken(texts, names, stack);
	for (uint32_t i = stack->frame_count; i-- > 0;) {
		add_texts_of(texts, names, stack->frames[i]);
		fold_stacks_count_frame(q, stack, names, stack->frames[i]);
	}
	if (stack->class_address)
		add_texts_of(texts, names, stack->class_frame);
	if (leaf)
		fold_stacks_add_text(texts, leaf - 1);
	for (uint32_t i = 0; i < stack->waker_frames; i++) {
		uint32_t frame = stack->frames[stack->frame_count + i];

		add_texts_of(texts, names, frame);
		if (!(frame & FRAME_TEXT))
			fold_stacks_count_frame(q, stack, names, frame);
	}
}

/* What is known of functions. */
struct function_ranks {
	struct wait_ranks waits, futexes;
};

/* The kind of idle time of a stack; 0: none, or not needed. */
static uint8_t fold_stacks_idle_of(const struct root_texts *r, struct function_ranks *ranks, const struct stack *stack)
{
	enum wait_kind kind = r->idle ? stack_wait_kind(&ranks->waits, stack, r->names) : WAIT_UNKNOWN;

	return kind == WAIT_SLEEP ? 1 : kind == WAIT_WORK ? 2 : 0;
}

/* The number of what a stack waits for; 0: not needed. */
static uint8_t fold_stacks_wait_of(const struct fold *f, const struct root_texts *r, struct function_ranks *ranks,
				   const struct stack *stack)
{
	uint8_t wait = 0;

	if (!stack->frame_count)
		return 0;
	if (r->locks)
		wait = (uint8_t)(stack_futex_kind(&ranks->futexes, stack, r->names) + 1);
	else if (f->waits)
		wait = (uint8_t)(stack_wait_kind(&ranks->waits, stack, r->names) + 1);
	return (uint8_t)(wait + ROOT_WAITS * fold_stacks_idle_of(r, ranks, stack));
}

/* ---- functions of one name in several files -------------------------------------------- */

/* Mark the functions that must show their files.  In sorted lines, siblings are next to each other. */
static void fold_stacks_tell_apart(struct fold *f, struct names *names, size_t count)
{
	if (names->functions.several)
		fold_sort(f, &names->texts, count);
	for (size_t i = 1; names->functions.several && i < f->count; i++) {
		const struct fold_line *a = &f->lines[i - 1], *b = &f->lines[i];
		uint32_t same = 0;

		while (same < a->count && same < b->count && a->texts[same] == b->texts[same])
			same++;
		if (same && same < a->count && same < b->count)
			frame_files_tell_apart(&names->functions, a->texts[same], b->texts[same]);
	}
	frame_files_choose(&names->functions);
}

/* So far, lines consist of functions.  Apply the rules, which see the shown texts; then replace the functions by these
 * texts, and sort. */
static void finish_lines(struct fold *f, struct names *names, struct frame_rules *rules, size_t count)
{
	struct frame_files *functions = &names->functions;

	fold_stacks_tell_apart(f, names, count);
	if (rules) {
		rules->functions = functions;
		fold_make_anew(f, NULL, rules, count);
		fold_stacks_tell_apart(f, names, count); /* also those that are siblings only now */
	}
	if (functions->told.count)
		fold_make_anew(f, functions->shown, NULL, count);
	else if (functions->several)
		fold_show(f, functions->shown);
	if (functions->told.count || !functions->several)
		fold_sort(f, &names->texts, count);
}

void fold_stacks(struct fold *f, const struct stacks *stacks, struct names *names, const struct roots *roots,
		 const struct intern *root_keys)
{
	bool idle = roots_has(roots, "idle");
	size_t waits = idle ? (size_t)ROOT_WAITS * IDLE_KINDS : ROOT_WAITS;
	struct root_texts root = { *roots,
				   root_keys,
				   names,
				   f,
				   waits,
				   xcalloc(root_keys->count + 1, waits * sizeof(uint32_t)),
				   xcalloc(root_keys->count + 1, waits * sizeof(uint16_t)),
				   xcalloc(root_keys->count + 1, waits * sizeof(uint32_t)),
				   roots_has(roots, "lock"),
				   idle,
				   { 0 } };
	struct function_ranks ranks = { 0 };
	struct frame_rules *rules = f->rules;
	struct texts texts = { 0 };

	names_start(names);
	f->rules = NULL; /* rules match names, and these depend on all lines */
	f->columns = stacks->columns;
	f->line_of_stack = xmalloc(stacks->count * sizeof(*f->line_of_stack));
	for (size_t i = 0; i < stacks->count; i++) {
		const struct stack *stack = &stacks->items[i];
		uint8_t wait = fold_stacks_wait_of(f, &root, &ranks, stack);

		stack_texts(f, stack, names, fold_stacks_root_text(&root, stack->root, wait),
			    leaf_text(&root, stack->root, wait), &texts);
		quality_count(&f->quality, stack, quality_user_end(stack, names->places, names->modules));
		f->line_of_stack[i] = fold_add_line(f, &names->texts, texts.items, texts.count);
		f->lines[f->line_of_stack[i]].wait = root.locks ? 0 : wait % ROOT_WAITS;
		fold_set_shape(f, f->line_of_stack[i], texts.items[0], root.shapes[(size_t)stack->root * waits + wait]);
		fold_add_values(f, f->line_of_stack[i], stack->value, stacks_more(stacks, (uint32_t)i));
	}
	finish_lines(f, names, rules, stacks->count);
	free(texts.items);
	free(root.texts);
	free(root.shapes);
	free(root.leaves);
	str_free(&root.text);
	wait_ranks_free(&ranks.waits);
	wait_ranks_free(&ranks.futexes);
}
