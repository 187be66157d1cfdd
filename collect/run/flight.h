/* flight: the flight recorder, --keep: the recording stays in memory, where old data is dropped.  When something
 * happens (conditions.h, a line in a log, SIGUSR1), the last seconds of all sources become a recording of their own,
 * and the flight recorder continues.
 *
 *     rings, BPF --> recording in memory --(a condition, --after)--> fork: a snapshot writes NAME-TIME.data
 *
 * The memory is a file without a name.  Old data is given back to the system, except for records of names and mappings,
 * without which later samples could not be read. */
#ifndef COLLECT_RUN_FLIGHT_H
#define COLLECT_RUN_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/run/conditions.h"
#include "collect/run/flight_after.h"
#include "collect/run/flight_files.h"
#include "collect/run/flight_state.h"
#include "collect/run/log_lines.h"
#include "collect/run/source.h"

struct collection;

/* The end of a second: all sums were written up to then, so that a recording can begin here. */
struct kept_mark {
	uint64_t ns, offset; /* CLOCK_MONOTONIC; in the recording in memory */
	uint64_t dropped;    /* so far */
	struct source_losses lost;
};

struct snapshot_writer {
	pid_t pid;
	int fd;          /* a pidfd */
	uint64_t offset; /* what it reads begins here */
	char *path;
};

struct flight {
	uint64_t keep_ns; /* 0: there is none */
	uint64_t after_ns, rest_ns;
	int64_t most;
	struct flight_then then;
	char *stem; /* of the names of recordings */
	struct conditions conditions;
	struct log_lines logs;

	struct kept_mark *marks; /* [mark_count], the oldest first */
	size_t mark_count, mark_cap;
	struct flight_state state;

	struct hit hit;  /* the cause of the recording that is due */
	uint64_t due_ns; /* when it is to be written; 0: none is due */
	uint64_t rests_until_ns;
	uint64_t unheeded; /* hits while it rests */
	bool told_unheeded;
	struct snapshot_writer *writers;
	size_t writer_count, writer_cap;
	struct flight_written names; /* of recordings that were written */
	uint64_t written, failed;
	bool report; /* draw one of each */
	struct flight_reports reports;
};

/* Check the options, once they are read.  Wrong usage exits 2. */
void flight_check(struct collection *c);

/* Call this when the sources are started, and earlier names and mappings are written. */
void flight_begin(struct collection *c);

/* How long to wait for data, in ns, so that no recording is written late: at most most_ns. */
uint64_t flight_wait_ns(const struct flight *f, uint64_t most_ns);

/* Call this each time the rings were drained.  It handles hits, forgets old data, and starts writers.  wake: what
 * session_wait() returned.  Returns 0, or -1 after a message. */
int flight_turn(struct collection *c, int wake);

/* The sources have stopped: write what is due, wait for all writers, and report. Returns 0, or -1 if a writer
 * failed. */
int flight_finish(struct collection *c);

void flight_free(struct flight *f);

#endif
