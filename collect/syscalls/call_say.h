/* call_say: calls that go on: reads the memory of their process, and prints for collect syscalls --timeout which calls
 * hang, on stderr. */
#ifndef COLLECT_SYSCALLS_CALL_SAY_H
#define COLLECT_SYSCALLS_CALL_SAY_H

#include <stdbool.h>

#include "bpf/syscalls.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/sampling/walker.h"
#include "core/str.h"

/* Add the user stack of the thread of r.  copy: a struct user_copy without a stack, which gets it, so that it can be
 * walked, or empty: frame pointers are followed.  Returns false if only the innermost frame was added, and copy was
 * emptied, since the thread went on meanwhile. */
bool call_held_stack(const struct call_record *r, struct chain_builder *chain, struct str *copy);

/* If the path of r is PATH_AT an address, read it: into *read, which is returned.  Otherwise &r->file. */
const struct path_record *call_held_path(const struct call_record *r, struct path_record *read);

/* Keep what is to be reported about a call that goes on.  Returns a number for it, ... */
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
