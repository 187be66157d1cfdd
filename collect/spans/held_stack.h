/* held_stack: the user stack of a thread that is blocked, read from the memory of its process.  The caller has to check
 * whether it was still blocked afterwards. */
#ifndef COLLECT_SPANS_HELD_STACK_H
#define COLLECT_SPANS_HELD_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Follow frame pointers, from the registers ip and bp; leaf first.  Returns the number of entries, at most `most`; 0 if
 * there is no user code. */
size_t held_stack_follow(int tid, uint64_t ip, uint64_t bp, uint64_t *stack, size_t most);

/* If copy is a struct user_copy with registers only, append the stack from sp on, and the frames of Python code.  Returns
 * false if this was necessary and the stack could not be read. */
bool held_stack_complete(int pid, int tid, uint64_t sp, struct str *copy);

#endif
