/* watch_windows: continuous recording, "pyrograph watch": one recording after another, without a gap between them, in a directory
 * (window_files.h) that keeps the last of them.
 *
 *     rings, BPF --> the present window --(its time is over)--> fork: completes it (names, losses), and takes ".part" away
 *                    the next window begins with the names and mappings of now (collect/recording/kept_state.h)
 *
 * A window's file grows on the disk, and can be read even if we are killed.  While the disk is full, samples are only
 * counted, and a new window is tried now and then. */
#ifndef COLLECT_RUN_WATCH_WINDOWS_H
#define COLLECT_RUN_WATCH_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/recording/kept_state.h"
#include "collect/run/budget.h"
#include "collect/run/shipping.h"
#include "collect/run/source.h"

struct collection;

struct watch_plan {
	const char *dir;
	uint64_t window_ns, ring_ns;
	uint64_t align_ns;   /* windows end when the wall clock is a multiple of window_ns, the first one at a multiple
			      * of this; 0: window_ns after the previous one */
	uint64_t most;       /* bytes in the directory; 0: no limit */
	uint64_t tick_ns;    /* between sums */
	uint64_t outlier_ns; /* spans of this length are recorded one by one; time in states is only summed */
	int64_t hz;          /* of the present level */
	const char *off;     /* collectors that are switched off, "io,faults"; "": none */
	struct shipping_plan shipping;
	struct budget budget;
	uint64_t before; /* windows that were recorded before this one began anew */
	bool again;      /* set at the end if the recording is to begin anew, with another level or less memory */
};

struct window_writer {
	pid_t pid;
	int fd; /* a pidfd; -1: none */
};

struct watch_windows {
	struct watch_plan *plan;   /* NULL: this is no continuous recording */
	int dir;                   /* its lock */
	char *part;                /* the path of the present window; NULL: nothing is written */
	uint64_t number;           /* of the present window */
	uint64_t wall_index;       /* its begin, in units of the alignment */
	uint64_t end_ns;           /* CLOCK_MONOTONIC, if it is not aligned */
	uint64_t dropped;          /* samples, before the present window */
	struct source_losses lost; /* also before it */
	uint64_t unwritten;        /* samples that were written nowhere */
	uint64_t largest;          /* bytes of a window so far */
	uint64_t memory;           /* resident memory that no file backs, once everything was warm; 0: not yet */
	bool full;                 /* the disk is full, and that was reported */
	struct kept_state state;
	struct shipping shipping;
	struct window_writer *writers;
	size_t writer_count, writer_cap;
	uint64_t failed; /* windows that could not be completed */
};

/* Sets the options that a continuous recording needs; call this before the options of the sources are checked. */
void watch_windows_check(struct collection *c);

/* Lock the directory, and create the first window in it as c->recording.  Returns 0, or -1 after a message. */
int watch_windows_create(struct collection *c);

/* Call this when the sources are started, and earlier names and mappings are written. */
void watch_windows_begin(struct collection *c);

/* How long to wait for data, in ns. */
uint64_t watch_windows_wait_ns(const struct collection *c);

/* Call this each time the rings were drained.  Returns 0; 1 if the recording must begin anew,
 * because the level was changed; -1 after a message. */
int watch_windows_turn(struct collection *c);

/* Call this when draining or a source failed.  Returns true if the cause was a full disk, so that recording can go on
 * in another window. */
bool watch_windows_survive(struct collection *c);

/* Calls sources_stop().  Losses that sources count at this point belong to all windows, and are not counted for the
 * last one. */
int watch_windows_stop_sources(struct collection *c, uint64_t end_ns);

/* The sources have stopped: complete the last window.  Returns 0, or -1 after a message. */
int watch_windows_finish(struct collection *c);

void watch_windows_free(struct watch_windows *w);

#endif
