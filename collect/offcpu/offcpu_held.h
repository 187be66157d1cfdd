/* offcpu_held: blocks that go on, seen from outside. */
#ifndef COLLECT_OFFCPU_OFFCPU_HELD_H
#define COLLECT_OFFCPU_OFFCPU_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/offcpu/offcpu_threads.h"

/* These ask for some blocks, no more than the ring has room for: offcpu_program_look()
 * gives them.  They return how many there are. */

/* For those that go on, or whose threads wait for a CPU after them, from slot *next on;
 * *next becomes the first one not looked at. */
size_t offcpu_ask_all(size_t *next);

/* For those that go on, have for min_ns by now_ns, and were not reported yet
 * (thread->reported_ns). */
size_t offcpu_ask_overdue(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Blocks that go on are written part by part, now and then, as far as their chains are
 * known (thread->held): so that a collector that is killed loses little of them.  This is
 * for those of which a part is due that have none. */
size_t offcpu_ask_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Give take the parts that are due, [begin_ns, now_ns), and note them (thread->told_ns). */
typedef void offcpu_take_part(const struct offcpu_thread *thread, uint32_t pid, uint64_t begin_ns,
			      uint64_t now_ns, uint64_t longest_ns);
void offcpu_tell_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns, offcpu_take_part *take);

/* What is not written yet of the thread's block of that since_ns begins here. */
uint64_t offcpu_untold_ns(const struct offcpu_thread *thread, uint64_t since_ns);

/* The user stack of a block that goes on, by frame pointers, out of the memory of its
 * process; leaf first, OFFCPU_FRAMES at most.  Just the leaf when it was over
 * meanwhile.  Returns the number of entries. */
size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES]);

/* copy: of a block that goes on.  If it lacks the stack, that is read; it becomes empty when that is gone. */
void offcpu_complete_copy(const struct offcpu_record *r, struct str *copy);

#endif
