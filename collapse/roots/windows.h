/* windows: the times between two events of a thread or process (collect --between), to which samples of other events
 * are limited.  --between chooses windows by their length:
 *
 *     in, all       what is inside of windows, no matter
 *     out           what is outside
 *     fast, slow    windows up to the median length; the longest tenth
 *     10ms-50ms     of such a length; either end may be missing, or a percentile: p99-, -p50 */
#ifndef COLLAPSE_ROOTS_WINDOWS_H
#define COLLAPSE_ROOTS_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "core/map.h"

enum window_class { WINDOW_OUTSIDE, WINDOW_FAST, WINDOW_OTHER, WINDOW_SLOW, WINDOW_CLASSES };

/* An end of a range of lengths. */
struct window_limit {
	enum { WINDOW_LIMIT_NONE, WINDOW_LIMIT_NS, WINDOW_LIMIT_PERCENTILE } kind;
	uint64_t ns;
	double percentile;
};

struct window_choice {
	bool inside, outside;
	enum window_class only; /* WINDOW_OUTSIDE: not by class */
	struct window_limit least, most;
};

struct windows { /* {0}: the recording has none */
	struct window {
		uint64_t begin_ns, end_ns; /* wall clock; the windows of one key do not overlap */
		uint64_t time_ns;          /* its end, in the clock of the records */
		int pid, tid;              /* tid: the thread that ended it */
		bool whole_process, cut, open;
		uint8_t class;
		bool wanted;
	} * list; /* [count], by key and time */
	size_t count, cap;
	size_t wanted;     /* so many are */
	uint64_t *lengths; /* [ended], ascending: lengths of the windows that ended by themselves */
	size_t ended;
	struct map by_key; /* key -> number of its first window + 1 */
	struct window_choice choice;
};

/* Parse the value of --between, NULL: in; exits 2 if it is malformed. */
struct window_choice window_choice_parse(const char *text);

/* Read those of a recording. */
void windows_read(struct windows *w, const struct perfdata *d, const struct clock *clock, struct window_choice choice);

/* The length that this percentage of lengths does not exceed, by nearest rank; lengths are in ascending order; 0: there
 * are none. */
uint64_t lengths_percentile(const uint64_t *lengths, size_t count, double percent);

struct window_piece {
	uint64_t end_ns;
	enum window_class class;
	bool wanted;
};

/* The window in which a thread is at at_ns, and until when that holds, at most end_ns. */
struct window_piece windows_at(const struct windows *w, int pid, int tid, uint64_t at_ns, uint64_t end_ns);

void windows_free(struct windows *w);

#endif
