/* call_say: handles ongoing calls: reads the memory of their process, and prints on stderr, for collect syscalls
 * --timeout, which calls hang. */
#ifndef COLLECT_SYSCALLS_CALL_SAY_H
#define COLLECT_SYSCALLS_CALL_SAY_H

#include <stdbool.h>

#include "bpf/syscalls.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/sampling/walker.h"
#include "core/str.h"

/* Add the user stack of the thread of r.  copy: a struct user_copy without a stack, to which the stack is added for
 * walking; if copy is empty, frame pointers are followed.  If the thread went on meanwhile, adds only the innermost
 * frame, empties copy, and returns false. */
bool call_held_stack(const struct call_record *r, struct chain_builder *chain, struct str *copy);

/* If the path of r is PATH_AT an address, read it into *read, and return that.  Otherwise return &r->file. */
const struct path_record *call_held_path(const struct call_record *r, struct path_record *read);

/* Keep what is to be reported about an ongoing call.  Returns a number for the report, ... */
uint64_t call_say_hangs(const struct call_record *r);

/* ... which its span has as begin_ns.  When the stack is known, this reports the call with the program's innermost
 * functions and the stack in the kernel:
 *
 *     2026-11-21T14:08:03.123456789Z db1 8513/8530 still in read of pipe:[4711] after 1.002 s: ...;fetch;read;entry_SYSCALL_64_[k];... */
void call_say_stack(const struct span *s, struct walker *walker);

/* Report the end of a call that was reported. */
void call_say_over(const struct call_record *r);

void call_say_free(void);

#endif
