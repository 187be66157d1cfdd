/* owner_stack: which of the stacks of a lock's owner follow the stack of the waiting thread.
 *
 *     main;work;pthread_mutex_lock;--;fsync_[w];save_[w];saver_[w];--;pthread_mutex_unlock_[w];save_[w];saver_[w]
 *                                     while the wait lasted            when it let go */
#ifndef COLLAPSE_FOLD_OWNER_STACK_H
#define COLLAPSE_FOLD_OWNER_STACK_H

#include "collapse/perfdata/sample.h"
#include "core/str.h"

enum owner_stack { OWNER_STACK_BOTH, OWNER_STACK_WHILE, OWNER_STACK_RELEASE };

/* "while", "release", "both"; dies with a message that names the option. */
enum owner_stack owner_stack_parse(const char *text, const char *option);

/* If a sample of a wait has both stacks of the owner, keep only the chosen one; if it has only the other one,
 * OWNER_STACK_RELEASE drops that one.  buffer then holds the chain.  A sample that has only the stack at the release
 * keeps it. */
void owner_stack_choose(enum owner_stack which, struct recorded_sample *s, struct str *buffer);

#endif
