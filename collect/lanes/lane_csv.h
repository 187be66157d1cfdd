/* lane_csv: makes a lane from a file of lines "time,value" to which a program keeps adding.
 *
 *     1795342502.014,81920
 *     2026-11-21T10:15:02.024Z,0.25
 *     2351.032,7          with --csv-clock monotonic: seconds of CLOCK_MONOTONIC
 *
 * Text after a second comma is ignored, and so is a first line that is a heading. */
#ifndef COLLECT_LANES_LANE_CSV_H
#define COLLECT_LANES_LANE_CSV_H

#include <stdbool.h>

#include "collect/lanes/lane_list.h"

/* Times may be rounded up, to seconds at most. */
#define LANE_CSV_AHEAD_NS UINT64_C(1000000000)

struct lane_csv {
	char *name; /* of the lane */
	const char *path;
	int fd;
	uint32_t lane;
	bool monotonic;
	uint64_t lines, bad;
	struct str text; /* read, but not yet a whole line */
	bool wrong_told;
	bool behind; /* there is more to read */
};

/* Open the file of "NAME=FILE".  Returns 0, or -1 after a message. */
int lane_csv_open(struct lane_csv *c, const char *option, bool monotonic);

/* Is option "NAME=FILE"? */
bool lane_csv_is_valid(const char *option);

/* Take the lines written since the last call whose times are at or after from_ns of CLOCK_MONOTONIC, except those that
 * are LANE_CSV_AHEAD_NS or more ahead of now(), which is called after they were read.  wall_ns: how much later the wall
 * clock is.  Since the file may grow faster than we read, or have no end, a call ends after some milliseconds, and
 * c->behind says that the next call must follow soon.  last: the call may take a second, and takes everything that the
 * file has now, including a last line without a newline. */
void lane_csv_read(struct lane_csv *c, struct lane_list *l, uint64_t from_ns, uint64_t (*now)(void), int64_t wall_ns,
		   bool last);

void lane_csv_free(struct lane_csv *c);

#endif
