/* call_say: what collect syscalls --timeout prints about calls that hang, on stderr. */
#ifndef COLLECT_SYSCALLS_CALL_SAY_H
#define COLLECT_SYSCALLS_CALL_SAY_H

#include "bpf/syscalls.h"
#include "collect/recording/spans.h"
#include "collect/sampling/walker.h"

/* Keep what is to be told of a call that goes on.  Returns a number for it, ... */
uint64_t call_say_hangs(const struct call_record *r);

/* ... which is the begin_ns of its span, when its stack is known: report it, with the innermost functions of the
 * program, and the stack in the kernel:
 *
 *     2026-11-21T14:08:03.123456789Z db1 8513/8530 still in read of pipe:[4711] after 1.002 s: ...;fetch;read;entry_SYSCALL_64_[k];... */
void call_say_stack(const struct span *s, struct walker *walker);

/* Report the end of such a call, after that. */
void call_say_over(const struct call_record *r);

void call_say_free(void);

#endif
