/* chain: walks a call chain as the kernel records it, perf_event_open(2):
 * addresses from the leaf on, with PERF_CONTEXT_* marks before each part.
 *
 * Between user and kernel addresses, where no memory is, an entry can be a label
 * instead: the byte 0x4c, its kind, six bytes of value.  Labels are passed over, but
 * for the one behind which another stack follows, of the one who woke this one:
 *
 *     for (bool more = true; more; more = chain_hop(&chain, &label)) {
 *             while (chain_next(&chain, &address))
 *                     ...
 *     } */
#ifndef CORE_SYMBOLS_CHAIN_H
#define CORE_SYMBOLS_CHAIN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The same as in the recordings that have labels. */
enum { CHAIN_LABEL = 0x4c, CHAIN_LABEL_WAKER = 3 };

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

static inline uint64_t chain_entry(const struct chain *c, size_t i)
{
	uint64_t entry;

	memcpy(&entry, (const char *)c->entries + 8 * i, 8);
	return entry;
}

static inline bool chain_is_waker(uint64_t entry)
{
	return entry >> 48 == (CHAIN_LABEL << 8 | CHAIN_LABEL_WAKER);
}

/* The next address, to be looked up as it is.  In a chain stand the addresses
 * where functions go on after their calls; one byte back is inside the call,
 * also when that was the function's last instruction.  Not so for the first
 * address of each part, where the code was interrupted.  Returns false at the end
 * of this stack. */
static inline bool chain_next(struct chain *c, uint64_t *address)
{
	while (c->next < c->count) {
		*address = chain_entry(c, c->next);
		if (chain_is_waker(*address))
			return false;
		c->next++;
		if (*address >> 56 == CHAIN_LABEL)
			continue;
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

static inline int chain_waker_pid(uint64_t label)
{
	return (int)(label >> 24 & 0xffffff);
}

static inline int chain_waker_tid(uint64_t label)
{
	return (int)(label & 0xffffff);
}

/* At the end of a stack: go on to that of the waker, whom label names.  Returns false
 * when none follows. */
static inline bool chain_hop(struct chain *c, uint64_t *label)
{
	if (c->next >= c->count)
		return false;
	*label = chain_entry(c, c->next++);
	c->kernel = false;
	c->interrupted = true;
	return true;
}

#endif
