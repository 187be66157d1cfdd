/* chain: walks a call chain as the kernel records it, perf_event_open(2):
 * addresses from the leaf on, with PERF_CONTEXT_* marks before each part.
 *
 * In a labelled chain, an entry can be a label, between user and kernel addresses, where
 * there is no memory: the byte 0x4c, its kind, six bytes of value.  In a program without
 * frame pointers the kernel takes any value for an address: only valid labels count, and
 * only in labelled chains.  Labels are skipped, except the one after which the stack of
 * the waker follows:
 *
 *     chain.labelled = true;
 *     for (bool more = true; more; more = chain_hop(&chain, &label)) {
 *             while (chain_next(&chain, &address))
 *                     ...
 *     } */
#ifndef CORE_FORMAT_CHAIN_H
#define CORE_FORMAT_CHAIN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* labelled as in the recordings that have labels */
enum { CHAIN_LABEL = 0x4c, CHAIN_LABEL_KINDS = 32, CHAIN_LABEL_WAKER = 3 };

/* A mark newer than the headers that we are built with (Linux 6.19). */
#define CHAIN_USER_DEFERRED ((uint64_t)-640)

enum { CHAIN_PID_LIMIT = 1 << 22 }; /* the kernel's: PID_MAX_LIMIT */

struct chain {
	const void *entries; /* count numbers of 8 bytes, at any alignment */
	size_t count, next;
	bool kernel;      /* the part of the address last returned */
	bool interrupted; /* the next address begins a part */
	bool labelled;    /* may contain labels; set by the caller */
};

/* Does the misc field of a record say that the address is the kernel's?  The address of a 32-bit kernel does
 * not show it. */
static inline bool misc_is_kernel(uint16_t misc)
{
	uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_HYPERVISOR ||
	       mode == PERF_RECORD_MISC_GUEST_KERNEL;
}

/* kernel: whether the addresses before the first mark are the kernel's. */
static inline struct chain chain_of(const void *entries, size_t count, bool kernel)
{
	return (struct chain){ entries, count, 0, kernel, true, false };
}

static inline uint64_t chain_entry(const struct chain *c, size_t i)
{
	uint64_t entry;

	memcpy(&entry, (const char *)c->entries + 8 * i, 8);
	return entry;
}

static inline int chain_waker_pid(uint64_t label)
{
	return (int)(label >> 24 & 0xffffff);
}

static inline int chain_waker_tid(uint64_t label)
{
	return (int)(label & 0xffffff);
}

static inline unsigned chain_label_kind(uint64_t label)
{
	return label >> 48 & 0xff;
}

static inline bool chain_is_label(uint64_t entry)
{
	if (entry >> 56 != CHAIN_LABEL || chain_label_kind(entry) >= CHAIN_LABEL_KINDS)
		return false;
	return chain_label_kind(entry) != CHAIN_LABEL_WAKER ||
	       (chain_waker_pid(entry) <= CHAIN_PID_LIMIT && chain_waker_tid(entry) <= CHAIN_PID_LIMIT);
}

static inline bool chain_is_waker(uint64_t entry)
{
	return chain_is_label(entry) && chain_label_kind(entry) == CHAIN_LABEL_WAKER;
}

/* The next address, ready for lookup.  A chain contains return addresses; one byte
 * back is inside the call, even if the call was the function's last instruction.
 * The first address of each part is where the code was interrupted, and stays as
 * it is.  So do 0 and 1, where no code is: one byte back, they would be the same.
 * Returns false at the end of this stack. */
static inline bool chain_next(struct chain *c, uint64_t *address)
{
	while (c->next < c->count) {
		*address = chain_entry(c, c->next);
		if (c->labelled && chain_is_waker(*address))
			return false;
		c->next++;
		if (c->labelled && chain_is_label(*address))
			continue;
		if (*address >= (uint64_t)PERF_CONTEXT_MAX) {
			c->kernel = *address == (uint64_t)PERF_CONTEXT_KERNEL ||
				    *address == (uint64_t)PERF_CONTEXT_HV ||
				    *address == (uint64_t)PERF_CONTEXT_GUEST_KERNEL;
			c->interrupted = true;
			continue;
		}
		*address -= !c->interrupted && *address > 1;
		c->interrupted = false;
		return true;
	}
	return false;
}

/* At the end of a stack: continue with the stack of the waker that label names.  Returns false if none follows. */
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
