/* rings: the kernel's ring buffers of perf events, one for each CPU
 * (perf_event_open(2), "MMAP layout"). */
#ifndef COLLECT_SAMPLING_RINGS_H
#define COLLECT_SAMPLING_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/writer.h"
#include "collect/sampling/walker.h"
#include "core/str.h"

struct perf_event_mmap_page;

struct ring {
	int fd; /* of the event that owns it; not ours to close */
	int cpu;
	struct new_id { /* events that were opened again when their CPU came back are what they were */
		uint64_t id, recorded;
	} *new_ids;
	size_t new_id_count, new_id_cap;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t tail;
	struct str mended; /* what waited in it, when that was not as it should be (ksymbol_size.h) */
};

struct rings {                /* {0}, then size */
	size_t size;          /* of each, bytes: a power of two, whole pages */
	struct ring *list;
	size_t count, cap;
	struct iovec *iov;    /* [2 * count + 1] */
	size_t iov_cap;
	bool no_rounds;       /* records of others follow that are older: no reader may think
			       * that all is there up to some time */
};

/* The size that fits machine and rights; wanted is rounded up, 0: the default, for samples
 * that have so many bytes of stack. */
size_t rings_choose_size(uint64_t wanted, size_t cpu_count, size_t stack_bytes);

/* Map a ring for the event fd, of a CPU.  Returns 0, or -errno: -EPERM when locked memory
 * is used up (kernel.perf_event_mlock_kb). */
int rings_add(struct rings *rs, int fd, int cpu);

/* The ring of a CPU, or NULL; valid until the next is added. */
struct ring *rings_of_cpu(const struct rings *rs, int cpu);

/* Records of the event id, which come through ring, get the id recorded: the header of a recording is written by
 * then. */
void ring_rename_id(struct ring *ring, uint64_t id, uint64_t recorded);

/* In len bytes of whole records, whose samples begin with an id, and other records end in one. */
void ring_rename_records(const struct ring *ring, uint8_t *records, size_t len);

/* Move everything that is there to the recording, and mark the end of the round,
 * unless there are none, so that readers can sort bit by bit; by way of the walker, if there
 * is one.  Returns 0, or -1 after a message. */
int rings_drain(struct rings *rs, struct recording *r, struct walker *walker);

void rings_free(struct rings *rs);

#endif
