/* offcpu_held: ongoing blocks, seen from outside. */
#ifndef COLLECT_OFFCPU_OFFCPU_HELD_H
#define COLLECT_OFFCPU_OFFCPU_HELD_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu.h"
#include "collect/offcpu/offcpu_threads.h"

/* These request some blocks, no more than fit in the ring, which offcpu_program_look() then delivers.  They return
 * the number requested. */

/* Request ongoing blocks, and those whose threads wait for a CPU afterwards, from slot *next on; *next becomes the
 * first slot not examined. */
size_t offcpu_ask_all(size_t *next);

/* Request blocks that have lasted min_ns at now_ns and were not reported yet (thread->reported_ns). */
size_t offcpu_ask_overdue(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Ongoing blocks whose chains are known (thread->held) are written in parts, now and then, so that a killed
 * collector loses little of them.  This requests those whose part is due but whose chain is unknown. */
size_t offcpu_ask_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Pass the parts that are due, [begin_ns, now_ns), to take, and note them (thread->told_ns). */
typedef void offcpu_take_part(const struct offcpu_thread *thread, uint32_t pid, uint64_t begin_ns, uint64_t now_ns,
			      uint64_t longest_ns);
void offcpu_tell_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns, offcpu_take_part *take);

/* Start of the unwritten part of the thread's block that began at since_ns. */
uint64_t offcpu_untold_ns(const struct offcpu_thread *thread, uint64_t since_ns);

/* The user stack of an ongoing block, by frame pointers, from its process's memory; leaf first, OFFCPU_FRAMES at
 * most.  Only the leaf if the block ended meanwhile.  Returns the number of entries. */
size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES]);

/* Read the stack into copy, of an ongoing block, if it is missing; copy becomes empty if the stack is gone. */
void offcpu_complete_copy(const struct offcpu_record *r, struct str *copy);

#endif
