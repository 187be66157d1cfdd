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
	int fd; /* the event that owns the ring; its owner closes it */
	int cpu;
	struct new_id { /* events reopened when their CPU came back keep their recorded id */
		uint64_t id, recorded;
	} * new_ids;
	size_t new_id_count, new_id_cap;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t tail;
	struct str mended; /* a copy of the pending records, changed */
};

struct rings {       /* {0}, then size */
	size_t size; /* bytes per ring: a power of two, whole pages */
	struct ring *list;
	size_t count, cap;
	struct iovec *iov; /* [2 * count + 1] */
	size_t iov_cap;
	bool (*is_target)(uint32_t tid); /* drop what is known about other processes; NULL: keep it */
	bool no_rounds; /* older records from elsewhere may follow, so readers must not assume that all records up to
			 * some time are there */
};

/* The ring size that suits the machine and our rights.
 * wanted: bytes, which are rounded up; 0: the default for samples with stack_bytes of stack. */
size_t rings_choose_size(uint64_t wanted, size_t cpu_count, size_t stack_bytes);

/* The largest rings that we may lock, a power of two: for ordinary users, kernel.perf_event_mlock_kb for each CPU, and
 * RLIMIT_MEMLOCK for all rings together (perf_mmap() in kernel/events/core.c). */
size_t rings_allowed_size(size_t cpu_count);

/* Map a ring for the event fd, on a CPU.  Returns 0, or -errno: -EPERM when the limit on locked memory is reached
 * (kernel.perf_event_mlock_kb). */
int rings_add(struct rings *rs, int fd, int cpu);

/* The ring of a CPU, or NULL; valid until the next rings_add(). */
struct ring *rings_of_cpu(const struct rings *rs, int cpu);

/* From now on, records from this ring get the id `recorded` in place of `id`, since the header of the recording was
 * written before `id` existed. */
void ring_rename_id(struct ring *ring, uint64_t id, uint64_t recorded);

/* Replace ids in this way in len bytes of whole records: samples begin with an id, other records end with one. */
void ring_rename_records(const struct ring *ring, uint8_t *records, size_t len);

/* Move all pending records to the recording, through the walker if there is one, and mark the end of the round
 * (unless no_rounds), so that readers can sort in batches.  Returns 0, or -1 after a message. */
int rings_drain(struct rings *rs, struct recording *r, struct walker *walker);

void rings_free(struct rings *rs);

#endif
