/* bpf_ring: reading the ring of a BPF program, in rounds.  libbpf reads on for as long as
 * something comes; programs that are faster than we would keep us for ever. */
#ifndef COLLECT_BPF_BPF_RING_H
#define COLLECT_BPF_BPF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring_buffer;

typedef void bpf_ring_take(void *context, const void *data, size_t size);

struct bpf_ring {
	struct ring_buffer *buffer;
	bpf_ring_take *take;
	void *context;
	size_t size;       /* bytes that it can hold */
	size_t left;       /* of the round */
	uint64_t until_ns; /* the end of the round; 0: the time does not matter */
};

/* Returns 0, or -1 with errno set. */
int bpf_ring_open(struct bpf_ring *r, int map, bpf_ring_take *take, void *context);

/* Readable while something is in it, if its program wakes us. */
int bpf_ring_fd(const struct bpf_ring *r);

/* Give take what is there: as much as the ring can hold at most, so that everything that was
 * there at the beginning is taken.  Nothing happens where it was never opened. */
void bpf_ring_drain(struct bpf_ring *r);

/* The same, for some milliseconds: the rest stays for the next time, which comes at once. */
void bpf_ring_round(struct bpf_ring *r);

void bpf_ring_close(struct bpf_ring *r);

#endif
