/* code_bytes: machine code of a JVM, of its methods and libraries alike, as it was when it was looked at first in a
 * batch: stacks of one batch go through the same code, over and over. */
#ifndef COLLECT_JVM_CODE_BYTES_H
#define COLLECT_JVM_CODE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/remote.h"

enum { CODE_LINE = 64, CODE_LINES = 1024 };

struct code_bytes {
	const struct remote *remote;
	uint64_t batch;
	struct code_line {
		uint64_t number, batch; /* batch 0: nothing was read here */
		uint8_t bytes[CODE_LINE];
	} *lines;             /* [CODE_LINES]; a line has one place */
};

/* remote must outlive c. */
void code_bytes_init(struct code_bytes *c, const struct remote *remote);

/* All of [address, address + len), or false: it is not there, or the JVM has ended. */
bool code_bytes_get(struct code_bytes *c, uint64_t address, uint8_t *to, size_t len);

/* Time has passed: there may be other code. */
void code_bytes_next_batch(struct code_bytes *c);
void code_bytes_free(struct code_bytes *c);

#endif
