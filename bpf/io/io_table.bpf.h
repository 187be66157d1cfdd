/* io_table: the requests that have not ended, by their addresses.  This is a table of our own because, at 100,000
 * requests a second, looking up entries of a BPF hash map costs more than everything else. */
#ifndef BPF_IO_IO_TABLE_BPF_H
#define BPF_IO_IO_TABLE_BPF_H

#include "bpf/io/io.h"
#include "bpf/io/io_request.bpf.h"

/* The addresses have an array of their own, so that a search touches only one cache line. */
__u64 request_keys[IO_REQUESTS]; /* 0: a free place */
struct io_request requests[IO_REQUESTS];

enum { IO_TRIES = 8 };

/* A place to try.  The verifier allows no arithmetic with this pointer but its distance from another one. */
static __always_inline __u32 io_place(struct request *rq, __u32 try)
{
	__u64 distance = (__u64)rq - (__u64)requests;

	return ((distance * 0x9e3779b97f4a7c15 >> 32) + try) & (IO_REQUESTS - 1);
}

/* NULL: it is not there. */
static __always_inline struct io_request *io_find(struct request *rq)
{
	for (__u32 i = 0; i < IO_TRIES; i++) {
		__u32 place = io_place(rq, i);

		if (request_keys[place] == (__u64)rq)
			return &requests[place];
	}
	return NULL;
}

/* Add a request that is not there.  NULL: the table is full. */
static __always_inline struct io_request *io_add(struct request *rq, struct io_request *content)
{
	for (__u32 i = 0; i < IO_TRIES; i++) {
		__u32 place = io_place(rq, i);

		if (request_keys[place] || __sync_val_compare_and_swap(&request_keys[place], 0, (__u64)rq))
			continue;
		content->place = place;
		requests[place] = *content;
		return &requests[place];
	}
	return NULL;
}

static __always_inline void io_remove(struct io_request *r)
{
	request_keys[r->place & (IO_REQUESTS - 1)] = 0;
}

#endif
