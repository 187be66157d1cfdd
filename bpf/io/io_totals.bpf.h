/* io_totals: adds up short requests that differ only in their times.  The collector reads these sums whenever it likes
 * (struct io_total); a record for each request would cost the collector more than the request costs us. */
#ifndef BPF_IO_IO_TOTALS_BPF_H
#define BPF_IO_IO_TOTALS_BPF_H

#include "bpf/io/io.h"
#include "bpf/kernel.h"

struct io_total totals[IO_TOTALS];

enum { IO_TOTAL_TRIES = 2 };

static __always_inline struct io_total *total_at(const struct io_request *r, __u32 try)
{
	__u64 hash = r->hash + r->bytes * 0x9e3779b97f4a7c15 + r->inode.number * 0xc2b2ae3d27d4eb4f;

	return &totals[((hash ^ hash >> 29) + try) & (IO_TOTALS - 1)];
}

static __always_inline bool are_alike(const struct io_request *a, const struct io_request *b)
{
	return a->hash == b->hash && a->bytes == b->bytes && a->pid == b->pid && a->tid == b->tid &&
	       a->operation == b->operation && a->device == b->device && a->owner == b->owner &&
	       a->inode.number == b->inode.number && a->inode.device == b->inode.device &&
	       a->inode.generation == b->inode.generation && a->dirtier_pid == b->dirtier_pid &&
	       a->dirtier_tid == b->dirtier_tid && !((a->flags ^ b->flags) & IO_FAILED);
}

/* Find or add the sum for a request.  Returns NULL if there is none and the table is full. */
static __always_inline struct io_total *total_of(const struct io_request *r)
{
	for (__u32 i = 0; i < IO_TOTAL_TRIES; i++) {
		struct io_total *t = total_at(r, i);

		if (t->state == IO_TOTAL_OPEN && are_alike(&t->first, r))
			return t;
	}
	for (__u32 i = 0; i < IO_TOTAL_TRIES; i++) {
		struct io_total *t = total_at(r, i);

		if (t->state || __sync_val_compare_and_swap(&t->state, IO_TOTAL_FREE, IO_TOTAL_BEGUN))
			continue;
		t->first = *r;
		__sync_lock_test_and_set(&t->state, IO_TOTAL_OPEN); /* after what is in it */
		return t;
	}
	return NULL;
}

/* Returns false if the table is full: the caller then sends the request as a record of its own. */
static __always_inline bool total_add(const struct io_request *r)
{
	struct io_total *t = total_of(r);
	__u64 ns = r->queue_ns + r->device_ns, longest;

	if (!t)
		return false;
	if (!t->begin_ns || r->begin_ns < t->begin_ns)
		t->begin_ns = r->begin_ns;
	longest = t->longest_ns;
	for (int i = 0; i < 4 && ns > longest; i++)
		longest = __sync_val_compare_and_swap(&t->longest_ns, longest, ns);
	__sync_fetch_and_add(&t->queue_ns, r->queue_ns);
	__sync_fetch_and_add(&t->device_ns, r->device_ns);
	__sync_fetch_and_add(&t->count, 1);
	return true;
}

#endif
