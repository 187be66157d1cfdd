/* thread_root: names a thread as "java-8513/dw-20" for the roots thread, by and waker, followed by
 * "-TID" if the process has several threads of that name.  With option --pool, several threads of a pool are shown as
 * "java-8513/dw-*". */
#ifndef COLLAPSE_ROOTS_THREAD_ROOT_H
#define COLLAPSE_ROOTS_THREAD_ROOT_H

#include <stdint.h>

#include "collapse/roots/roots.h"

enum { THREAD_WORDS = 3 };

/* Fill words with a key of the thread that the sample belongs to. */
void thread_root_key(struct roots *r, int pid, int tid, const struct recorded_sample *s, uint32_t *words);

void thread_root_write(const struct roots *r, const uint32_t *words, struct str *out);

/* The name of a process, and that of a thread; each has only one name, even if it was renamed. */
uint32_t thread_root_process_name(struct roots *r, int pid, const struct recorded_sample *s);
uint32_t thread_root_name(struct roots *r, int pid, int tid, const struct recorded_sample *s);

/* The name that root comm shows for comm, or the pool's name for several threads of a pool.  Names
 * are numbers in the sideband's comms. */
uint32_t thread_root_comm_key(struct roots *r, uint32_t comm);
uint32_t thread_root_comm(const struct roots *r, uint32_t comm, uint32_t key);

/* Append "-8513". */
void thread_root_add_pid(const struct roots *r, int pid, struct str *out);

/* Append a name, given as its number in the sideband's comms. */
void thread_root_add_name(const struct roots *r, uint32_t name, struct str *out);

/* The kinds of another thread in a key, such as a waker.  The first of the THREAD_OTHER_WORDS is one of these; after
 * THREAD_OTHER_THREAD follows the key of thread_root_key(). */
enum thread_other {
	THREAD_OTHER_NONE,
	THREAD_OTHER_IDLE,
	THREAD_OTHER_INTERRUPT,
	THREAD_OTHER_SEVERAL,
	THREAD_OTHER_THREAD,
	THREAD_OTHER_LIMIT, /* no thread, but a CPU limit: the number of its words in roots.owner_texts */
};
enum { THREAD_OTHER_WORDS = 1 + THREAD_WORDS };

/* Append the frame for such a key, "ls-4711/ls"; nothing if there is no thread. */
void thread_root_write_other(const struct roots *r, const uint32_t *words, struct str *out);

#endif
