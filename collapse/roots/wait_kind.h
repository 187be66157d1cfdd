/* wait_kind: what a blocked thread waits for, judging by the functions in its stack. */
#ifndef COLLAPSE_ROOTS_WAIT_KIND_H
#define COLLAPSE_ROOTS_WAIT_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/folded.h"

#define WAIT_KIND(kind, frame, word) WAIT_##kind,
enum wait_kind {
	FOLDED_WAIT_TABLE(WAIT_KIND)
	/* ANOTHER_THREAD: a condition or a semaphore.  IO: a device.  FAULT: a page of a file, or of swap, inside a
	 * page fault.  LOCK: also of the kernel; not GIL, which runs one thread of an interpreter.  SLEEP: a time to pass.  PROCESS: another process's end, or data that it writes to a pipe.
	 * NETWORK: a peer's data.  PAUSE: an operation of a JVM that stops its threads, and its heap meanwhile.  WORK:
	 * a request, a task, a signal, a terminal, or the end of the workers, while the thread has nothing to do. */
	WAIT_KINDS
};
#undef WAIT_KIND

/* Does a thread that waits so have work to do, and wait for its turn? */
static inline bool wait_is_for_lock(enum wait_kind kind)
{
	return kind == WAIT_LOCK || kind == WAIT_GIL;
}

/* How much the name of a function (with an annotation such as "_[k]", or without) says about the wait; 0: nothing,
 * otherwise 1 to 254.  In a stack with several such functions, the largest number counts: the JVM's queue of tasks
 * (WORK), for example, waits on a condition (ANOTHER_THREAD). */
unsigned wait_rank(const char *name, size_t len);

/* Does the pattern match the function's name without its annotation?  A '*' stands for any text. */
bool wait_matches(const char *pattern, const char *name, size_t len);

/* The length of a function's name without its annotation. */
size_t wait_name_len(const char *name, size_t len);

/* Is it a function such as pthread_cond_wait, in which idle threads wait for work? */
bool wait_parks(unsigned rank);

/* Is it a function in which a process waits for another one that it began to end?  What happens meanwhile is told of that one. */
bool wait_awaits_child(unsigned rank);

/* What the thread waits for, where rank is the largest number in its stack. */
enum wait_kind wait_kind_of(unsigned rank);

/* The frame of root `wait`, "[lock]", and the word for options, "lock". */
const char *wait_frame(enum wait_kind kind);
const char *wait_word(enum wait_kind kind);

/* A bit mask, 1 << kind for each word of a list, "lock,io"; all kinds for "all".  Exits 2 if a word is unknown. */
uint32_t wait_kinds_parse(const char *list, const char *option);

#endif
