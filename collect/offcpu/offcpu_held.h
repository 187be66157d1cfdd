/* offcpu_held: ongoing blocks, seen from user space. */
#ifndef COLLECT_OFFCPU_OFFCPU_HELD_H
#define COLLECT_OFFCPU_OFFCPU_HELD_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/offcpu/offcpu_threads.h"

/* The functions offcpu_ask_*() request some blocks, no more than fit in the ring; offcpu_program_look() then
 * delivers them.  They return the number requested. */

/* From slot *next on, request ongoing blocks, and ended blocks whose threads still wait for a CPU.  *next becomes the
 * first slot that was not examined. */
size_t offcpu_ask_all(size_t *next);

/* Request blocks that have lasted min_ns at now_ns and were not reported yet (thread->reported_ns). */
size_t offcpu_ask_overdue(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Ongoing blocks whose chains are known (thread->held) are written in parts, now and then, so that a killed
 * collector loses little of them.  This function requests blocks with a part that is due, but an unknown chain. */
size_t offcpu_ask_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns);

/* Pass the parts that are due, [begin_ns, now_ns), to take(), and note that they were written (thread->told_ns). */
typedef void offcpu_take_part(const struct offcpu_thread *thread, uint32_t pid, uint64_t begin_ns, uint64_t now_ns,
			      uint64_t longest_ns);
void offcpu_tell_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns, offcpu_take_part *take);

/* The begin of the unwritten part of the thread's block that began at since_ns. */
uint64_t offcpu_untold_ns(const struct offcpu_thread *thread, uint64_t since_ns);

/* The user stack of an ongoing block, read from the memory of its process by frame pointers: leaf first, OFFCPU_FRAMES
 * at most.  If the block has ended meanwhile, only the leaf.  Returns the number of entries. */
size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES]);

/* If copy lacks the stack of an ongoing block, read the stack into copy; copy becomes empty if the stack is gone. */
void offcpu_complete_copy(const struct offcpu_record *r, struct str *copy);

#endif
