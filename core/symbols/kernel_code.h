/* kernel_code: code that was added to the kernel while recording, BPF programs above all: PERF_RECORD_KSYMBOL,
 * perf_event_open(2).  When it is looked up, it may be gone, and other code may be in its place. */
#ifndef CORE_SYMBOLS_KERNEL_CODE_H
#define CORE_SYMBOLS_KERNEL_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/space/places.h"

struct kernel_function {
	uint64_t start;
	uint32_t len;
	uint64_t time_ns; /* when it was last heard of */
	const char *name;
};

/* {0} is valid and empty. */
struct kernel_code {
	struct kernel_function *items; /* [count]; sorted by start after kernel_code_sort() */
	size_t count, cap;
	uint32_t longest; /* of their lengths */
	struct arena names;
};

/* Add the function in a whole PERF_RECORD_KSYMBOL; a record that is damaged, or not about a BPF program, is ignored. */
void kernel_code_add(struct kernel_code *k, const uint8_t *record, size_t size, uint64_t time_ns);

/* Call it once, when all are added. */
void kernel_code_sort(struct kernel_code *k);

/* The function at address; if several were there one after another, the last.  NULL: there was none. */
const struct kernel_function *kernel_code_find(const struct kernel_code *k, uint64_t address);

/* Name those places in wanted[0..count) that are in such functions; the names go into *names. */
void kernel_code_resolve(const struct kernel_code *k, struct place *wanted, size_t count, struct arena *names);

void kernel_code_free(struct kernel_code *k);

#endif
