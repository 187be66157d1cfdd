/* call_say: what collect syscalls --timeout prints about calls that hang, on stderr. */
#ifndef COLLECT_SYSCALLS_CALL_SAY_H
#define COLLECT_SYSCALLS_CALL_SAY_H

#include "bpf/syscalls.h"
#include "collect/recording/chain_builder.h"
#include "collect/sampling/walker.h"

/* Report a call that goes on, with its stack in the kernel:
 *
 *     2026-11-21T14:08:03.123456789Z db1 8513/8530 still in read of pipe:[4711] after 1.002 s: entry_SYSCALL_64;... */
void call_say_hangs(const struct call_record *r, const struct chain_builder *chain, struct walker *walker);

/* Report the end of such a call. */
void call_say_over(const struct call_record *r);

void call_say_free(void);

#endif
