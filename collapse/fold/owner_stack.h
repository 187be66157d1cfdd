/* owner_stack: which stacks of the owner of a lock follow that of the thread that waits for it.
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

/* Keep only the chosen one of a sample that has both, and for OWNER_STACK_RELEASE of one that has no other; buffer holds
 * its chain then.  A sample that was only seen when the lock was let go keeps that. */
void owner_stack_choose(enum owner_stack which, struct recorded_sample *s, struct str *buffer);

#endif
