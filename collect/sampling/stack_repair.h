/* stack_repair: repairs stacks of functions whose return is probed (uretprobes).  In place of the return address of
 * such a function, the stack has an address of the kernel's (kernel/events/uprobes.c, prepare_uretprobe()), at which a
 * walk would end. */
#ifndef COLLECT_SAMPLING_STACK_REPAIR_H
#define COLLECT_SAMPLING_STACK_REPAIR_H

#include <stddef.h>

#include "collect/recording/event.h"
#include "core/str.h"
#include "core/unwind/unwinder.h"

/* If slots of slots[0..count) (the latest first) are in the stack of s and have the kernel's address, put back the
 * return addresses as of the time of s.  In this case, the stack of s is then a copy in buffer. */
void stack_repair(struct unwind_sample *s, const struct return_slot *slots, size_t count, struct str *buffer);

#endif
