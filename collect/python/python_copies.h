/* python_copies: copies of Python frames that arrive apart from the samples to which they belong. */
#ifndef COLLECT_PYTHON_PYTHON_COPIES_H
#define COLLECT_PYTHON_PYTHON_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/python.h"
#include "core/str.h"

/* {0} is valid and empty. */
struct python_copies {
	struct str bytes; /* struct python_copy, cut after their frames */
	struct python_arrived {
		uint64_t time_ns;
		size_t at; /* in bytes */
		int tid;
	} * list; /* [count], by thread and time once sorted */
	size_t count, cap;
	uint64_t newest_ns;
	bool is_sorted;
};

/* Take a copy from the ring; what is malformed is dropped. */
void python_copies_add(struct python_copies *c, const void *data, size_t size);

/* The copy that was taken with a sample, whose time was read just before or after; NULL: there is none.  Valid until the
 * next python_copies_add() or python_copies_age(). */
const struct python_copy *python_copies_find(struct python_copies *c, int tid, uint64_t time_ns);

/* Forget copies so old that no sample will ask for them. */
void python_copies_age(struct python_copies *c);

void python_copies_free(struct python_copies *c);

#endif
