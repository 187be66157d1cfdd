/* frames: what the names in a stack show: what its thread waits for, and which function of the program it is in. */
#ifndef COLLAPSE_CAUSE_FRAMES_H
#define COLLAPSE_CAUSE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/stripped.h"
#include "collapse/frames/frame_owner.h"
#include "collapse/frames/names.h"
#include "collapse/fold/stack_wait.h"
#include "collapse/frames/stacks.h"

/* A stack's own part, without its wakers', beginning with the first function. */
struct stack_frame {
	uint32_t text; /* in names.texts */
	enum frame_owner owner;
	bool of_jit; /* frame_is_of_jit() */
};

/* Added to the number of a stack: the stack of the thread that woke this one. */
#define FRAMES_OF_WAKER 0x80000000u

/* {0} with stacks and names set is valid and empty. */
struct cause_frames {
	const struct stacks *stacks;
	struct names *names; /* of resolved places */
	struct stack_frames *by_stack;
	size_t cap;
	struct frame_owners owners;
	struct stripped stripped;
	struct wait_ranks ranks, futexes; /* of wait_rank() and of futex_rank() */
};

/* What the thread waits for; and the same by names alone, without considering that the thread may be idle. */
enum wait_kind frames_wait_kind(struct cause_frames *f, uint32_t stack);
enum wait_kind frames_wait_named(struct cause_frames *f, uint32_t stack);

/* What kind of futex the thread waits for: "mutex", "condition"; "futex" if no name shows the kind. */
const char *frames_futex(struct cause_frames *f, uint32_t stack);

/* Does the stack have a frame outside of the kernel? */
bool frames_has_user(struct cause_frames *f, uint32_t stack);

/* The languages of a stack, a bit each, and whether the stack names a function that was compiled by a JIT, or
 * interpreted. */
struct frames_languages {
	uint32_t runs;
	bool named;
};

struct frames_languages frames_languages(struct cause_frames *f, uint32_t stack);

/* Is this one of them: "node"? */
bool frames_runs(const struct cause_frames *f, struct frames_languages found, const char *language);

/* Does a function in the stack match one of these names (wait_matches())?  The patterns end with NULL. */
bool frames_has(struct cause_frames *f, uint32_t stack, const char *const *patterns);

/* Is the function with this number of its text in the stack? */
bool frames_contain(struct cause_frames *f, uint32_t stack, uint32_t text);

/* How many functions the stack has; and one of them, the outermost is 0: the number of its text. */
size_t frames_count(struct cause_frames *f, uint32_t stack);
uint32_t frames_text(struct cause_frames *f, uint32_t stack, size_t i);

/* Does the stack have a function of the program? */
bool frames_has_program(struct cause_frames *f, uint32_t stack);

/* The innermost function that a JIT compiled, or that is interpreted, as the number of its text; UINT32_MAX: none. */
uint32_t frames_interpreted(struct cause_frames *f, uint32_t stack);

/* Does the name of a function match one of these names? */
bool frames_is(const struct cause_frames *f, uint32_t text, const char *const *patterns);

/* Are the user-space frames of both stacks the same? */
bool frames_same_user(const struct cause_frames *f, uint32_t stack, uint32_t other);

/* A function, and its caller of the same owner, as numbers of texts; UINT32_MAX: there is none. */
struct frames_function {
	uint32_t text, caller;
};

/* The function in which most of these stacks are.  Of the functions that at least half of the stacks have at the same
 * depth, choose the innermost one of the program, else one of a package, of a runtime, ..., of the kernel (enum
 * frame_owner).  Of an interpreter, choose the function that interpreted code called, "builtin_sorted", rather than what
 * that calls itself. */
struct frames_function frames_common(struct cause_frames *f, const uint32_t *stacks, size_t count);

/* The same of one stack. */
struct frames_function frames_function(struct cause_frames *f, uint32_t stack);

/* The operation for which a JVM stops its threads, "VM_G1CollectForAllocation::doit": number of its text; UINT32_MAX: none. */
uint32_t frames_jvm_operation(struct cause_frames *f, uint32_t stack);

/* What the dynamic linker was binding, "[binds sched_yield of liblbm.so]", as the number of its text; UINT32_MAX:
 * nothing. */
uint32_t frames_binding(struct cause_frames *f, uint32_t stack);

/* Free what f owns; stacks and names belong to the caller. */
void frames_free(struct cause_frames *f);

#endif
