/* python_held: the Python frames of a thread that is blocked, read from the memory of its process, as BPF programs copy those
 * of a thread that runs (bpf/python/python_copy.bpf.h).  The caller has to check whether the thread was still blocked afterwards. */
#ifndef COLLECT_PYTHON_PYTHON_HELD_H
#define COLLECT_PYTHON_PYTHON_HELD_H

#include <stdint.h>

#include "collect/python/python_feed.h"
#include "core/str.h"

/* From now on, the processes that run Python are those of this map; 0: none. */
void python_held_use(int processes);

/* Append the frames of a thread, whose pointer is its pthread_t, as struct python_frame, innermost first.  Returns their bytes,
 * odd if there are more: struct user_copy.  0: it has none, or they cannot be read. */
uint64_t python_held_add(int pid, uint64_t thread, struct str *copy);

#endif
