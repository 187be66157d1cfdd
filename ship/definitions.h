/* definitions: texts of stacks or labels by their hashes: a block of rows (day, hash, frames) for the store, and which of
 * them the store lacks. */
#ifndef SHIP_DEFINITIONS_H
#define SHIP_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "ship/http.h"
#include "ship/sip.h"

/* A definition: the text of a stack, or of labels. */
struct definition {
	unsigned char hash[SIP_BYTES];
	const char *text; /* [len] */
	size_t len;
	struct str thread; /* of labels: the column thread, as in native.h; ... */
	int cpu;           /* ... and cpu */
	uint32_t in_batch; /* number of the last batch that uses it; 0: none */
	uint32_t stored;   /* day + 1 for which the store has the definition; 0: none */
};

/* Append a block of definitions, as ship/native.h has it.  Nothing is appended for none. */
void definitions_add(struct str *out, uint16_t day, const struct definition *const *texts, size_t count);

/* Such a block, which refers to bytes that stay where they are. */
struct definitions {
	uint16_t day; /* since 1970 */
	size_t count;
	const unsigned char *hashes; /* [count][SIP_BYTES] */
	const char *texts, *end;     /* in format Native, one after the other */
};

/* Returns false if the block is not a whole one of definitions_add(). */
bool definitions_parse(struct definitions *d, const struct str *block);

/* Some of a block's rows, as a block in pieces, which point into that block: its texts are not copied. */
struct definitions_left {
	struct str begin;          /* all that is before the texts */
	struct http_piece *pieces; /* [count], begin first; count is 0 if no row is left */
	size_t count, cap;
};

/* The rows whose hashes are not among known, [known_count][SIP_BYTES], which is sorted in place. */
void definitions_without(const struct definitions *d, unsigned char *known, size_t known_count,
			 struct definitions_left *left);

void definitions_left_free(struct definitions_left *left);

#endif
