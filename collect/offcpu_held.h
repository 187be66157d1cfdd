/* offcpu_held: blocks that go on, seen from outside. */
#ifndef COLLECT_OFFCPU_HELD_H
#define COLLECT_OFFCPU_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/offcpu_threads.h"

/* Both ask for some blocks, no more than the ring has room for: offcpu_program_look()
 * gives them.  They return how many there are. */

/* For those that go on, or whose threads wait for a CPU after them, from slot *next on;
 * *next becomes the first one not looked at. */
size_t offcpu_ask_all(size_t *next);

/* For those that go on, have for min_ns by now_ns, and were not reported yet
 * (thread->reported_ns). */
size_t offcpu_ask_overdue(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* The user stack of a block that goes on, by frame pointers, out of the memory of its
 * process; leaf first, OFFCPU_FRAMES at most.  Just the leaf when it was over
 * meanwhile.  Returns the number of entries. */
size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES]);

#endif
