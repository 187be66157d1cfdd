/* bpf_ring: reads the ring of a BPF program in rounds.  libbpf reads as long as data arrives, so programs that are
 * faster than we are would keep us busy forever. */
#ifndef COLLECT_BPF_BPF_RING_H
#define COLLECT_BPF_BPF_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring_buffer;

typedef void bpf_ring_take(void *context, const void *data, size_t size);

struct bpf_ring {
	struct ring_buffer *buffer;
	bpf_ring_take *take;
	void *context;
	size_t size;       /* capacity in bytes */
	size_t left;       /* bytes left in this round */
	uint64_t until_ns; /* end of the round; 0: no time limit */
};

/* Returns 0, or -1 with errno set. */
int bpf_ring_open(struct bpf_ring *r, int map, bpf_ring_take *take, void *context);

/* A descriptor that is readable while the ring has data, provided that the program wakes us. */
int bpf_ring_fd(const struct bpf_ring *r);

/* Pass records to take(), at most as many bytes as the ring can hold, so that all records are taken that were there at
 * the beginning.  Does nothing if the ring was never opened. */
void bpf_ring_drain(struct bpf_ring *r);

/* Like bpf_ring_drain(), but only for some milliseconds.  The rest is left for the next call, which must follow at
 * once. */
void bpf_ring_round(struct bpf_ring *r);

void bpf_ring_close(struct bpf_ring *r);

#endif
