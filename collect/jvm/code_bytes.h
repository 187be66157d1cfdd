/* code_bytes: caches machine code of a JVM's methods and libraries, as first read in a batch, since the stacks of a
 * batch pass through the same code again and again. */
#ifndef COLLECT_JVM_CODE_BYTES_H
#define COLLECT_JVM_CODE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/runtime/remote.h"

enum { CODE_LINE = 64, CODE_LINES = 1024 };

struct code_bytes {
	const struct remote *remote;
	uint64_t batch;
	struct code_line {
		uint64_t number, batch; /* batch 0: nothing was read into this line */
		uint8_t bytes[CODE_LINE];
	} * lines; /* [CODE_LINES]; each line of code can be in one place only */
};

/* remote must outlive c. */
void code_bytes_init(struct code_bytes *c, const struct remote *remote);

/* Read all of [address, address + len); false: the memory is not mapped, or the JVM has ended. */
bool code_bytes_get(struct code_bytes *c, uint64_t address, uint8_t *to, size_t len);

/* Begin a new batch, in which code is read again, since it may have changed. */
void code_bytes_next_batch(struct code_bytes *c);
void code_bytes_free(struct code_bytes *c);

#endif
