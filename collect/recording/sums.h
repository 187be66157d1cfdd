/* sums: adds up spans of time by thread and chain (stack, state, waker) between two flushes.  Memory grows with the
 * number of distinct chains, not of spans. */
#ifndef COLLECT_RECORDING_SUMS_H
#define COLLECT_RECORDING_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/spans.h"

struct sum {
	int pid, tid;
	uint32_t cpu; /* UINT32_MAX: several CPUs */
	uint32_t chain_count;
	size_t chain; /* its chain: entries[chain..] */
	uint64_t hash, ns, count, longest_ns, migrations;
	uint64_t begin_ns; /* time of the last flush, or earlier */
};

struct sums {             /* {0} is empty */
	struct sum *list; /* in order of arrival */
	size_t count, cap;
	uint64_t *entries; /* the chains of all sums, one after the other */
	size_t entry_count, entry_cap;
	uint32_t *slots; /* hash table with open addressing: index + 1 */
	size_t slot_count;
	uint64_t begin_ns; /* time of the last flush; set by the caller at the start */
	uint32_t flags;    /* flags of the samples: RECORDING_WALKED */
	bool by_cpu;       /* spans of different CPUs are not added up */
};

/* Add a span: pid, tid, cpu, ns, count, longest_ns, migrations, and the chain, which is copied.  begin_ns matters
 * only if it is not 0 and before the last flush. */
void sums_add(struct sums *s, const struct span *span);

/* Append the sums to out as samples of event e at time end_ns, and clear them. */
void sums_flush(struct sums *s, const struct event *e, uint64_t end_ns, struct str *out);

void sums_free(struct sums *s);

#endif
