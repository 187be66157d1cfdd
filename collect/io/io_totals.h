/* io_totals: what the program's sums of short requests (struct io_total) have grown by since they were looked at. */
#ifndef COLLECT_IO_IO_TOTALS_H
#define COLLECT_IO_IO_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"

/* What a place of the program's table has had up to the last look. */
struct io_seen {
	uint64_t count, queue_ns, device_ns;
	uint64_t closed_ns; /* it is closed since then */
};

struct io_totals {             /* {0} is empty */
	struct io_seen *seen;  /* [IO_TOTALS]; NULL before the first look */
	struct io_total *news; /* [count] of IO_TOTALS */
	size_t count;
	uint64_t looked_ns;
};

/* Look at the program's table, while it goes on adding; now_ns: monotonic time.  Places that have had nothing since the last
 * look become free. */
void io_totals_look(struct io_totals *t, struct io_total table[IO_TOTALS], uint64_t now_ns);

/* Pass to take(), once, what the last look found to be new: the number of requests, their times since the look before. */
void io_totals_pass(struct io_totals *t, void (*take)(const struct io_total *news));

void io_totals_free(struct io_totals *t);

#endif
