/* lock_kind: what a lock is, in words: a kernel lock is known by its record, a futex by the functions in the waiting
 * stack. */
#ifndef COLLAPSE_ROOTS_LOCK_KIND_H
#define COLLAPSE_ROOTS_LOCK_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* UNKNOWN: of another library, or without names. */
#define FUTEX_KIND_TABLE(X)         \
	X(UNKNOWN, "futex")         \
	X(CONDITION, "condition")   \
	X(SEMAPHORE, "semaphore")   \
	X(BARRIER, "barrier")       \
	X(MUTEX, "mutex")           \
	X(RWLOCK, "rwlock")         \
	X(ONCE, "once")             \
	X(JOIN, "join")             \
	X(GO, "go-runtime")         \
	X(GIL, "python-gil")        \
	X(PYTHON, "python-lock")    \
	X(JAVA_PARK, "java-park")   \
	X(JAVA_SLEEP, "java-sleep") \
	X(JAVA_WAIT, "java-wait")   \
	X(JAVA_MONITOR, "java-monitor")

#define FUTEX_KIND(kind, word) FUTEX_##kind,
enum futex_kind { FUTEX_KIND_TABLE(FUTEX_KIND) FUTEX_KINDS };
#undef FUTEX_KIND

/* How much a function's name says about a futex; 0: nothing, otherwise 1 to 254.  In a stack with several such
 * functions, the largest number counts, because Java's monitors are made of conditions. */
unsigned futex_rank(const char *name, size_t len);

/* The kind of futex, where rank is the largest number in a stack. */
enum futex_kind futex_kind_of(unsigned rank);

/* "mutex" */
const char *futex_word(enum futex_kind kind);

/* Append "kernel-rwsem-read mmap_lock", from enum recording_lock with its flags, or the word in futex; "futex" if that
 * is NULL. */
void lock_kind_add(struct str *out, uint32_t lock, const char *futex);

#endif
