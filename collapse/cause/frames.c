#include "collapse/cause/frames.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots/lock_kind.h"
#include "core/hash.h"
#include "core/memory.h"

/* Facts about one stack, computed when first needed. */
struct stack_frames {
	struct stack_frame *items;
	size_t count;
	enum wait_kind wait, named; /* stack_wait_kind(), stack_wait_named() */
	struct frames_languages languages;
	bool known, user;
};

static bool cause_frames_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_binding(const struct cause_frames *f, uint32_t text)
{
	return cause_frames_begins(intern_text(&f->names->texts, text), "[binds ");
}

/* near: as frame_owner() wants it. */
static void cause_frames_add_frame(struct cause_frames *f, struct stack_frames *s, size_t *cap, uint32_t frame,
				   uint32_t near)
{
	struct frame_texts texts = names_of(f->names, frame);

	for (uint32_t i = 0; i < texts.count; i++) {
		enum frame_owner owner = is_binding(f, texts.items[i])
						 ? FRAME_OF_SYSTEM
						 : frame_owner(&f->owners, f->names, frame, texts.items[i], near);

		s->items = xgrow(s->items, cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = (struct stack_frame){ texts.items[i], owner, frame_is_of_jit(f->names, frame) };
		s->user |= owner != FRAME_OF_KERNEL;
		s->languages.named |= owner >= FRAME_OF_RUNTIME && frame_is_of_jit(f->names, frame);
	}
}

static uint32_t cause_frames_languages(struct cause_frames *f, uint32_t frame)
{
	struct frame_texts texts = names_of(f->names, frame);
	uint32_t languages = 0;

	for (uint32_t i = 0; i < texts.count; i++)
		languages |= frame_languages(&f->owners, f->names, frame, texts.items[i]);
	return languages;
}

/* How many frames the first waker of a stack has.  They follow the first "--". */
static uint32_t count_waker_frames(const struct stack *stack)
{
	uint32_t count = 0;

	while (count + 1 < stack->waker_frames && !(stack->frames[stack->frame_count + 1 + count] & FRAME_TEXT))
		count++;
	return count;
}

/* number: of a stack; with FRAMES_OF_WAKER, of the stack of its first waker. */
static struct stack_frames *cause_frames_look(struct cause_frames *f, uint32_t number)
{
	bool waker = number & FRAMES_OF_WAKER;
	const struct stack *stack = &f->stacks->items[number & ~FRAMES_OF_WAKER];
	const uint32_t *frames = stack->frames + (waker ? stack->frame_count + 1 : 0);
	uint32_t count = waker ? count_waker_frames(stack) : stack->frame_count, near = 0;
	size_t cap = 0, wanted = f->stacks->count * 2;
	struct stack_frames *s;

	if (f->cap < wanted) {
		f->by_stack = xrealloc(f->by_stack, wanted * sizeof(*f->by_stack));
		memset(f->by_stack + f->cap, 0, (wanted - f->cap) * sizeof(*f->by_stack));
		f->cap = wanted;
	}
	s = &f->by_stack[(size_t)(number & ~FRAMES_OF_WAKER) * 2 + waker];
	if (s->known)
		return s;
	s->known = true;
	for (uint32_t i = 0; i < count; i++)
		near |= cause_frames_languages(f, frames[i] & ~(uint32_t)FRAME_WAKER);
	s->languages.runs = near;
	for (uint32_t i = count; i > 0; i--)
		cause_frames_add_frame(f, s, &cap, frames[i - 1] & ~(uint32_t)FRAME_WAKER, near);
	if (!waker) {
		s->wait = stack_wait_kind(&f->ranks, stack, f->names);
		s->named = stack_wait_named(&f->ranks, stack, f->names);
	}
	return s;
}

enum wait_kind frames_wait_kind(struct cause_frames *f, uint32_t stack)
{
	return cause_frames_look(f, stack)->wait;
}

enum wait_kind frames_wait_named(struct cause_frames *f, uint32_t stack)
{
	return cause_frames_look(f, stack)->named;
}

const char *frames_futex(struct cause_frames *f, uint32_t stack)
{
	return futex_word(stack_futex_kind(&f->futexes, &f->stacks->items[stack], f->names));
}

bool frames_has_user(struct cause_frames *f, uint32_t stack)
{
	return cause_frames_look(f, stack)->user;
}

struct frames_languages frames_languages(struct cause_frames *f, uint32_t stack)
{
	return cause_frames_look(f, stack)->languages;
}

bool frames_runs(const struct cause_frames *f, struct frames_languages found, const char *language)
{
	return found.runs && found.runs >> runtimes_language(&f->owners.runtimes, language) & 1;
}

bool frames_is(const struct cause_frames *f, uint32_t text, const char *const *patterns)
{
	const char *name = intern_text(&f->names->texts, text);
	size_t len = wait_name_len(name, intern_len(&f->names->texts, text));

	for (size_t k = 0; patterns[k]; k++) {
		if (wait_matches(patterns[k], name, len))
			return true;
	}
	return false;
}

bool frames_has(struct cause_frames *f, uint32_t stack, const char *const *patterns)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = 0; i < s->count; i++) {
		if (frames_is(f, s->items[i].text, patterns))
			return true;
	}
	return false;
}

bool frames_contain(struct cause_frames *f, uint32_t stack, uint32_t text)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i].text == text)
			return true;
	}
	return false;
}

size_t frames_count(struct cause_frames *f, uint32_t stack)
{
	return cause_frames_look(f, stack)->count;
}

uint32_t frames_text(struct cause_frames *f, uint32_t stack, size_t i)
{
	return cause_frames_look(f, stack)->items[i].text;
}

bool frames_has_program(struct cause_frames *f, uint32_t stack)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i].owner == FRAME_OF_PROGRAM)
			return true;
	}
	return false;
}

uint32_t frames_interpreted(struct cause_frames *f, uint32_t stack)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = s->count; i > 0; i--) {
		if (s->items[i - 1].of_jit)
			return s->items[i - 1].text;
	}
	return UINT32_MAX;
}

/* The first user-space frame of the stack's own part, leaf first. */
static uint32_t cause_frames_user(const struct stack *s)
{
	uint32_t i = 0;

	while (i < s->frame_count && s->frames[i] & FRAME_KERNEL && !(s->frames[i] & FRAME_TEXT))
		i++;
	return i;
}

bool frames_same_user(const struct cause_frames *f, uint32_t stack, uint32_t other)
{
	const struct stack *a = &f->stacks->items[stack], *b = &f->stacks->items[other];
	uint32_t from_a = cause_frames_user(a), from_b = cause_frames_user(b), count = a->frame_count - from_a;

	return count && count == b->frame_count - from_b &&
	       !memcmp(a->frames + from_a, b->frames + from_b, count * sizeof(*a->frames));
}

/* ---- what many have in common -------------------------------------------------------- */

/* The frame that most of the stacks have at depth, and how many have it; the other stacks are dropped from the list. */
static size_t most_common(struct cause_frames *f, uint32_t *stacks, size_t *count, size_t depth,
			  struct stack_frame *frame)
{
	size_t best = 0, kept = 0;

	for (size_t i = 0; i < *count; i++) {
		const struct stack_frames *s = cause_frames_look(f, stacks[i]);
		size_t same = 0;

		if (s->count <= depth || (best && s->items[depth].text == frame->text))
			continue;
		for (size_t j = 0; j < *count; j++) {
			const struct stack_frames *other = cause_frames_look(f, stacks[j]);

			same += other->count > depth && other->items[depth].text == s->items[depth].text;
		}
		if (same > best) {
			best = same;
			*frame = s->items[depth];
		}
		if (best * 2 >= *count)
			break;
	}
	for (size_t i = 0; best && i < *count; i++) {
		const struct stack_frames *s = cause_frames_look(f, stacks[i]);

		if (s->count > depth && s->items[depth].text == frame->text)
			stacks[kept++] = stacks[i];
	}
	*count = kept;
	return best;
}

static bool is_start(const char *name)
{
	return !strcmp(name, "main") || !strcmp(name, "main.main");
}

/* Functions of interpreters that evaluate code, and those by which evaluated code calls others (CPython, Ruby, PHP). */
static const char *const evaluates[] = { "_PyEval_EvalFrameDefault", "vm_exec_core", "execute_ex", NULL };
static const char *const passes_calls[] = { "*ectorcall*",
					    "_PyObject_*Call*",
					    "PyObject_Call*",
					    "do_call_core",
					    "call_function",
					    "cfunction_call*",
					    "type_call",
					    "object_vacall",
					    "PyCFunction_Call*",
					    "vm_call_*",
					    "vm_sendish",
					    "_PyEval_*",
					    "_PyMethodDef_*",
					    "slot_tp_call",
					    "method_call",
					    "vm_exec*",
					    NULL };

/* How far the frames of an interpreter, from the outside in, have been looked at. */
enum evaluation { EVALUATION_NONE, EVALUATION_RUNS, EVALUATION_CALLED };

/* Does the frame say less than one further out, which was noted: is it one that a function called by interpreted code
 * calls itself? */
static bool is_inside_call(const struct cause_frames *f, enum evaluation *evaluation, uint32_t text)
{
	bool loop = frames_is(f, text, evaluates);

	if (*evaluation == EVALUATION_CALLED && !loop)
		return true;
	if (*evaluation == EVALUATION_RUNS && !loop && frames_is(f, text, passes_calls))
		return true;
	if (loop)
		*evaluation = EVALUATION_RUNS;
	else if (*evaluation == EVALUATION_RUNS)
		*evaluation = EVALUATION_CALLED;
	return false;
}

static void note_function(const struct cause_frames *f, struct frames_function *best, uint32_t text)
{
	if (best->text != UINT32_MAX && !is_start(intern_text(&f->names->texts, best->text)))
		best->caller = best->text;
	best->text = text;
}

struct frames_function frames_common(struct cause_frames *f, const uint32_t *stacks, size_t count)
{
	uint32_t *left = xmalloc((count + !count) * sizeof(*left));
	struct frames_function best[FRAME_OF_PROGRAM + 1], library = { UINT32_MAX, UINT32_MAX };
	struct stack_frame frame = { 0 };
	size_t all = count;
	enum evaluation evaluation = EVALUATION_NONE;
	int owner = FRAME_OF_PROGRAM;

	memcpy(left, stacks, count * sizeof(*left));
	for (int i = FRAME_OF_BEGINNING; i <= FRAME_OF_PROGRAM; i++)
		best[i] = (struct frames_function){ UINT32_MAX, UINT32_MAX };
	for (size_t depth = 0; count; depth++) {
		size_t same = most_common(f, left, &count, depth, &frame);

		if (same * 2 < all || !same)
			break;
		if (frame.owner == FRAME_OF_RUNTIME && frame.of_jit)
			note_function(f, &library, frame.text); /* rather than code of the interpreter inside it */
		else if (frame.owner != FRAME_OF_RUNTIME || !is_inside_call(f, &evaluation, frame.text))
			note_function(f, &best[frame.owner], frame.text);
	}
	if (evaluation != EVALUATION_NONE) /* its caller evaluates, or passes calls */
		best[FRAME_OF_RUNTIME].caller = UINT32_MAX;
	free(left);
	if (library.text != UINT32_MAX)
		best[FRAME_OF_RUNTIME] = library;
	while (owner > FRAME_OF_KERNEL && best[owner].text == UINT32_MAX)
		owner--;
	return best[owner];
}

struct frames_function frames_function(struct cause_frames *f, uint32_t stack)
{
	return frames_common(f, &stack, 1);
}

uint32_t frames_jvm_operation(struct cause_frames *f, uint32_t stack)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = 0; i < s->count; i++) {
		const char *name = intern_text(&f->names->texts, s->items[i].text);
		const char *method = strstr(name, "::doit");

		if (cause_frames_begins(name, "VM_") && method && !method[strlen("::doit")])
			return s->items[i].text;
	}
	return UINT32_MAX;
}

uint32_t frames_binding(struct cause_frames *f, uint32_t stack)
{
	const struct stack_frames *s = cause_frames_look(f, stack);

	for (size_t i = 0; i < s->count; i++) {
		if (is_binding(f, s->items[i].text))
			return s->items[i].text;
	}
	return UINT32_MAX;
}

void frames_free(struct cause_frames *f)
{
	for (size_t i = 0; f && i < f->cap; i++)
		free(f->by_stack[i].items);
	if (f) {
		free(f->by_stack);
		frame_owners_free(&f->owners);
		stripped_free(&f->stripped);
		wait_ranks_free(&f->ranks);
		wait_ranks_free(&f->futexes);
	}
}
