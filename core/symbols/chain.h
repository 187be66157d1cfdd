/* chain: walks a call chain as the kernel records it, perf_event_open(2):
 * addresses from the leaf on, with PERF_CONTEXT_* marks before each part. */
#ifndef CORE_SYMBOLS_CHAIN_H
#define CORE_SYMBOLS_CHAIN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct chain {
	const void *entries; /* count numbers of 8 bytes, at any alignment */
	size_t count, next;
	bool kernel;         /* the part that the address last returned belongs to */
	bool interrupted;    /* the next address begins a part */
};

/* kernel: what the addresses are until a mark says otherwise. */
static inline struct chain chain_of(const void *entries, size_t count, bool kernel)
{
	return (struct chain){ entries, count, 0, kernel, true };
}

/* The next address, to be looked up as it is.  In a chain stand the addresses
 * where functions go on after their calls; one byte back is inside the call,
 * also when that was the function's last instruction.  Not so for the first
 * address of each part, where the code was interrupted. */
static inline bool chain_next(struct chain *c, uint64_t *address)
{
	while (c->next < c->count) {
		memcpy(address, (const char *)c->entries + 8 * c->next++, 8);
		if (*address >= (uint64_t)PERF_CONTEXT_MAX) {
			c->kernel = *address == (uint64_t)PERF_CONTEXT_KERNEL ||
				    *address == (uint64_t)PERF_CONTEXT_HV ||
				    *address == (uint64_t)PERF_CONTEXT_GUEST_KERNEL;
			c->interrupted = true;
			continue;
		}
		*address -= !c->interrupted && *address;
		c->interrupted = false;
		return true;
	}
	return false;
}

#endif
