/* stack_repair: stacks of functions whose return is probed (uretprobes).  Instead of the address to which such a function
 * returns, its stack has one of the kernel's (kernel/events/uprobes.c, prepare_uretprobe()), at which a walk would end. */
#ifndef COLLECT_SAMPLING_STACK_REPAIR_H
#define COLLECT_SAMPLING_STACK_REPAIR_H

#include <stddef.h>

#include "collect/recording/event.h"
#include "core/str.h"
#include "core/unwind/unwinder.h"

/* Where a slot of slots[0..count), the latest first, lies in the stack of s and has the kernel's address, put back what was
 * there at the time of s.  The stack of s is then a copy in buffer. */
void stack_repair(struct unwind_sample *s, const struct return_slot *slots, size_t count, struct str *buffer);

#endif
