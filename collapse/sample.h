/* sample: one sample, whatever recorded it. */
#ifndef COLLAPSE_SAMPLE_H
#define COLLAPSE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/perfdata.h"

struct sample {
	struct event *event;
	uint64_t ip, time_ns, period;
	int32_t pid, tid;
	uint32_t cpu;
	const uint8_t *ip_bytes; /* where ip stands in the record */
	const uint8_t *chain; /* chain_count numbers of 8 bytes, at any alignment */
	uint64_t chain_count; /* 0: no call chain; then ip, when not 0, is the stack */
};

/* Read a PERF_RECORD_SAMPLE.  Returns false when it makes no sense (too short,
 * of an unknown event). */
bool sample_read(const struct perfdata *d, const struct record *r, struct sample *s);

/* Only its event and its time, for a first look at a file. */
bool sample_read_time(const struct perfdata *d, const struct record *r, struct event **event,
		      uint64_t *time_ns);

/* The time of a record that is no sample; fallback when it carries none. */
uint64_t record_time(const struct perfdata *d, const struct record *r, uint64_t fallback);

#endif
