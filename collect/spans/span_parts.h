/* span_parts: divides the time of a span by enum recording_reason. */
#ifndef COLLECT_SPANS_SPAN_PARTS_H
#define COLLECT_SPANS_SPAN_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"

struct span_parts {
	uint64_t ns[RECORDING_REASON_COUNT];
	enum recording_reason rest; /* of what the others leave */
};

/* Of what a thread went through: ns[PARTS] of bpf/span_control.h. */
struct span_parts span_parts_of_thread(const uint64_t *ns);

/* Add the labels of a single span. */
void span_parts_label(const struct span_parts *p, struct chain_builder *c);

/* Divide a sum into parts whose values can be added up again.  Each part is passed to add() with its label at the end
 * of c; the rest comes last, and has the count.  The chain of whole is ignored; afterwards, c is as before. */
void span_parts_divide(const struct span_parts *p, const struct span *whole, struct chain_builder *c,
		       void (*add)(void *context, const struct span *part), void *context);

#endif
