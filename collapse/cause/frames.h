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

/* A stack, its own part only, from the first function on. */
struct stack_frame {
	uint32_t text; /* in names.texts */
	enum frame_owner owner;
};

/* In place of a stack, number | FRAMES_OF_WAKER is the stack of the thread that woke it. */
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

/* What the thread waits for; and the same by names only, which ignores that a thread may have nothing to do. */
enum wait_kind frames_wait_kind(struct cause_frames *f, uint32_t stack);
enum wait_kind frames_wait_named(struct cause_frames *f, uint32_t stack);

/* What a futex is that the thread waits for: "mutex", "condition"; "futex" if no name shows it. */
const char *frames_futex(struct cause_frames *f, uint32_t stack);

/* Does it have a frame outside of the kernel? */
bool frames_has_user(struct cause_frames *f, uint32_t stack);

/* The languages of a stack, a bit each, and whether it names a function that a JIT compiler made, or an interpreter runs. */
struct frames_languages {
	uint32_t runs;
	bool named;
};

struct frames_languages frames_languages(struct cause_frames *f, uint32_t stack);

/* Is this one of them: "node"? */
bool frames_runs(const struct cause_frames *f, struct frames_languages found, const char *language);

/* Does a function in the stack match one of these names (wait_matches())?  The patterns end with NULL. */
bool frames_has(struct cause_frames *f, uint32_t stack, const char *const *patterns);

/* Are the frames outside of the kernel the same? */
bool frames_same_user(const struct cause_frames *f, uint32_t stack, uint32_t other);

/* A function, and the one of the same owner that called it.  Numbers of texts; UINT32_MAX: there is none. */
struct frames_function {
	uint32_t text, caller;
};

/* The function in which most of so many stacks are: among those that at least half of them have at the same depth, the
 * innermost one of the program, else one of a package, of a runtime, ..., of the kernel (enum frame_owner). */
struct frames_function frames_common(struct cause_frames *f, const uint32_t *stacks, size_t count);

/* The same of one stack. */
struct frames_function frames_function(struct cause_frames *f, uint32_t stack);

/* The operation for which a JVM stops its threads, "VM_G1CollectForAllocation::doit": number of its text; UINT32_MAX: none. */
uint32_t frames_jvm_operation(struct cause_frames *f, uint32_t stack);

/* What the dynamic linker was binding, "[binds sched_yield of liblbm.so]", likewise. */
uint32_t frames_binding(struct cause_frames *f, uint32_t stack);

/* Free what f owns: not stacks and names. */
void frames_free(struct cause_frames *f);

#endif
