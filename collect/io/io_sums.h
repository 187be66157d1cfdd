/* io_sums: adds up short requests of the same thread, stack, operation, device, file and size, until the next flush, and
 * keeps the stacks that they share. */
#ifndef COLLECT_IO_IO_SUMS_H
#define COLLECT_IO_IO_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"
#include "core/intern.h"
#include "core/str.h"

/* Records with a stack, by the hash of the stack. */
struct io_stacks {
	struct intern hashes;
	struct str *records; /* [count] */
	size_t count, cap;
};

/* What is equal in all requests of a sum. */
struct io_sum_key {
	uint64_t hash, bytes;
	uint32_t pid, tid, operation, device, dirtier_pid, dirtier_tid;
	uint32_t file; /* its number + 1; 0: none */
	uint32_t failed;
};

struct io_sum {
	struct io_sum_key key;
	uint64_t count, queue_ns, device_ns, longest_ns, begin_ns; /* begin_ns: of the first */
};

struct io_sums {                    /* {0} is empty */
	struct io_stacks stacks[2]; /* those of this generation, and of the previous one */
	struct intern keys;
	struct io_sum *list;
	size_t count, cap;
};

/* Keep the stack of a record that has one; size: that of the record. */
void io_sums_keep(struct io_sums *s, const struct io_record *r, size_t size);

/* The last record with a stack of this hash; NULL: none.  Valid until the next such record. */
const struct io_record *io_sums_stack(const struct io_sums *s, uint64_t hash);

/* Add one or more requests; file: the number of their file, or UINT32_MAX. */
void io_sums_add(struct io_sums *s, const struct io_request *r, uint32_t file);
void io_sums_add_total(struct io_sums *s, const struct io_total *t, uint32_t file);

/* Pass the sums to take(), each with its stack (or NULL), and clear them. */
void io_sums_flush(struct io_sums *s, void (*take)(const struct io_sum *sum, const struct io_record *stack));

/* Begin a generation, and forget the stacks of the last but one. */
void io_sums_next_generation(struct io_sums *s);

void io_sums_free(struct io_sums *s);

#endif
