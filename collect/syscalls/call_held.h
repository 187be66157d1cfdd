/* call_held: what is read from the memory of a process while one of its calls goes on: the user stack, and the path
 * that the call was given. */
#ifndef COLLECT_SYSCALLS_CALL_HELD_H
#define COLLECT_SYSCALLS_CALL_HELD_H

#include <stdbool.h>

#include "bpf/syscalls.h"
#include "collect/recording/chain_builder.h"
#include "core/str.h"

/* Add the user stack of the thread of r.  copy: a struct user_copy without a stack, which gets it, so that it can be
 * walked, or empty: frame pointers are followed.  Returns false if only the innermost frame was added, and copy was
 * emptied, since the thread went on meanwhile. */
bool call_held_stack(const struct call_record *r, struct chain_builder *chain, struct str *copy);

/* If the path of r is PATH_AT an address, read it: into *read, which is returned.  Otherwise &r->file. */
const struct path_record *call_held_path(const struct call_record *r, struct path_record *read);

#endif
