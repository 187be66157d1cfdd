/* io_totals: the growth of the program's sums of short requests (struct io_total) since the last look. */
#ifndef COLLECT_IO_IO_TOTALS_H
#define COLLECT_IO_IO_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"

/* The totals in a place of the program's table, as of the last look. */
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

/* Look at the table while the program goes on adding to it; now_ns: monotonic time.  Places unused since the last look
 * become free. */
void io_totals_look(struct io_totals *t, struct io_total table[IO_TOTALS], uint64_t now_ns);

/* Pass the growth that the last look found to take(), only once: the number of requests and their times since the look
 * before. */
void io_totals_pass(struct io_totals *t, void (*take)(const struct io_total *news));

void io_totals_free(struct io_totals *t);

#endif
