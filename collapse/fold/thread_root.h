/* thread_root: a thread as "java-8513/dw-20", of roots thread, by and waker: with "-TID" behind it when the
 * process has several threads of that name; those of a pool, when there are several, as "java-8513/dw-*". */
#ifndef COLLAPSE_FOLD_THREAD_ROOT_H
#define COLLAPSE_FOLD_THREAD_ROOT_H

#include <stdint.h>

#include "collapse/fold/roots.h"

enum { THREAD_WORDS = 3 };

/* Fill words with what tells the thread from others, at the time of a sample. */
void thread_root_key(struct roots *r, int pid, int tid, const struct recorded_sample *s, uint32_t *words);

void thread_root_write(const struct roots *r, const uint32_t *words, struct str *out);

/* What a process is called, and a thread: the same also when they were renamed. */
uint32_t thread_root_process_name(struct roots *r, int pid, const struct recorded_sample *s);
uint32_t thread_root_name(struct roots *r, int pid, int tid, const struct recorded_sample *s);

/* What root comm shows for a name, a number in the comms of the sideband: of several of a pool that pool's. */
uint32_t thread_root_comm_key(struct roots *r, uint32_t comm);
uint32_t thread_root_comm(const struct roots *r, uint32_t comm, uint32_t key);

/* Append a name, a number in the comms of the sideband. */
void thread_root_add_name(const struct roots *r, uint32_t name, struct str *out);

#endif
