/* batch: samples of one recording, event and day, made ready to be stored.
 *
 * The same samples make the same batch, with the same id, whenever they are shipped: that is how a store that has them
 * already is recognised (deliver.h). */
#ifndef SHIP_BATCH_H
#define SHIP_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/str.h"
#include "ship/definitions.h"
#include "ship/sip.h"

enum { BATCH_ROWS = 200000 }; /* limit on rows: about 25 MB, which are held three times */

/* What a batch is, without its samples. */
struct batch_origin {
	const char *host, *service;
	struct str event;
	struct str columns; /* of the samples' values: "samples,period" */
	struct str unit;    /* of the weight */
	struct str header;  /* the recording's, a line */
	unsigned number;    /* of the event in its recording */
	uint64_t lost, seen;
};

/* A batch that can be sent and kept: blocks of ship/native.h. */
struct parcel {
	unsigned char id[SIP_BYTES];
	struct str event, service, host;
	uint64_t rows, ns_sum;            /* hash of the samples, by which they are recognised; ns_sum: the sum of their
					   * column ns */
	uint64_t first_ns, last_ns;       /* since 1970 */
	struct str stacks, labels;        /* definitions; empty: none */
	struct str announcement, samples; /* the row of batches; the samples */
};

/* Its texts, in the order above. */
enum { PARCEL_PARTS = 7 };
void parcel_parts(struct parcel *p, struct str *parts[PARCEL_PARTS]);

/* All that were defined. */
struct batch_texts {
	struct definition *items; /* [count] */
	size_t count, cap;
	struct arena text; /* of all items */
};

struct batch_rows {
	const struct batch_origin *origin;
	struct batch_texts stacks, labels;
	uint32_t number; /* of the batch, from 1 */
	uint32_t day;    /* since 1970 */
	size_t rows;
	uint64_t ns_sum, first_ns, last_ns;
	bool in_time;    /* each row is at least as late as the one before */
	struct str line; /* scratch, of labels */
	struct str second, ns, labels_of, stack_of, weight, count,
		longest; /* columns; ..._of: numbers of definitions */
};

struct batch_sample {
	uint64_t time_ns, weight, count, longest;
	uint32_t labels, stack; /* definitions */
};

/* CPUs that are no numbers. */
enum { BATCH_CPU_UNKNOWN = -1, BATCH_CPU_NONE = -2 };

/* Define the next stack, or the next labels, by their text, as in core/format/samples.h. */
void batch_add_stack(struct batch_rows *b, const char *text, size_t len);
void batch_add_labels(struct batch_rows *b, const char *text, size_t len);

/* Must the batch be ended before a sample of this time? */
bool batch_is_full(const struct batch_rows *b, uint64_t time_ns);

/* Both numbers of s are defined. */
void batch_add(struct batch_rows *b, const struct batch_sample *s);

/* Make a parcel of all rows, and begin anew.  It contains the definitions that batch_is_stored() was not called for. */
void batch_end(struct batch_rows *b, struct parcel *p);

/* The definitions of the last parcel are in the store: they need not be sent again that day. */
void batch_is_stored(struct batch_rows *b);

void batch_free(struct batch_rows *b);
void parcel_free(struct parcel *p);

#endif
