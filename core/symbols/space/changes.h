/* changes: the kernel's records about address spaces.
 *
 * Understands PERF_RECORD_MMAP, MMAP2, COMM (exec) and FORK, perf_event_open(2).
 * Records of several CPUs come in any order: collect them, sort, then apply. */
#ifndef CORE_SYMBOLS_SPACE_CHANGES_H
#define CORE_SYMBOLS_SPACE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

struct change {
	uint64_t time_ns;
	const uint8_t *record; /* the complete record, with its header */
	uint32_t order;        /* when it was added: 0, 1, ... */
};

/* {0} is valid and empty. */
struct changes {
	struct change *items; /* [count] */
	size_t count, cap;
	struct arena records; /* copies, so that the pages of a large file need not stay in memory */
};

/* The fields of an MMAP or MMAP2 record. */
struct mmap_record {
	int pid;
	bool kernel, data; /* kernel: a mapping of the kernel; data: of data, not code */
	bool copied;       /* MAP_PRIVATE; known only in MMAP2 */
	uint64_t start, len, offset;
	uint32_t major, minor; /* MMAP2 without build-id */
	uint64_t inode;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len; /* 0: the record has none */
	const char *path;    /* path_len bytes, not terminated */
	size_t path_len;
};

/* Is a record of this type a change? */
bool is_change(uint32_t type);

/* Note a change; record is copied. */
void changes_add(struct changes *c, const uint8_t *record, uint64_t time_ns);

/* Sort by time; changes of the same time stay as they were added. */
void changes_sort(struct changes *c);

/* Sort the changes and apply them all; trust_build_ids as below. */
void changes_apply(struct changes *c, struct spaces *spaces, struct modules *modules, bool trust_build_ids);

/* Read an MMAP or MMAP2 record.  Returns false when it is too short.
 *
 * A misc bit of MMAP2 says that it has a build-id instead of device and inode.
 * Linux (seen in 6.18) also sets it in records without one, when another event
 * requests build-ids: trust_build_ids only if the recording requested them. */
bool mmap_record_read(const uint8_t *record, bool trust_build_ids, struct mmap_record *m);

/* The module of a mapping of user code; notes the mapping. */
uint32_t change_module(struct modules *modules, const struct mmap_record *m);

/* Put a mapping of user code into spaces; other mappings are ignored. */
void change_map(struct spaces *spaces, struct modules *modules, const struct mmap_record *m, uint64_t time_ns);

/* Apply a FORK, or a COMM with the exec bit. */
void change_process(struct spaces *spaces, const struct change *change);

void changes_free(struct changes *c);

#endif
