/* flight_state: facts that are older than the data that the flight recorder (flight.h) keeps: names and mappings, as
 * records, and other facts about processes.  They are forgotten when nothing that is kept refers to them:
 *
 *     too long, because of processes that have ended --> the present facts are written down: fresh
 *     all data that is kept is younger than fresh      --> fresh replaces the rest, and all else is forgotten */
#ifndef COLLECT_RUN_FLIGHT_STATE_H
#define COLLECT_RUN_FLIGHT_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/records.h"
#include "core/str.h"

struct collection;

struct flight_state {              /* {0} is valid */
	struct str records;        /* names and mappings before what is kept */
	struct new_records passed; /* how much of the recording the records cover */
	size_t base;               /* length of the needed part when the records were made */
	struct str fresh;          /* the new records, as of fresh_offset of the recording; empty: none */
	uint64_t fresh_offset;
	uint64_t files_ns; /* when the present generation of files began, while the previous one still exists;
			   * CLOCK_MONOTONIC */
};

/* Call this when the sources are started, and earlier names and mappings are written, up to offset. */
void flight_state_begin(struct collection *c, uint64_t offset);

/* The recording before offset is about to be forgotten. */
void flight_state_pass(struct collection *c, uint64_t offset);

/* The recording before kept_ns was forgotten: forget files that nothing else refers to.  now: CLOCK_MONOTONIC. */
void flight_state_files(struct collection *c, uint64_t kept_ns, uint64_t now);

void flight_state_free(struct flight_state *s);

#endif
