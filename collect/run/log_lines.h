/* log_lines: files of text that others append to, and lines in them that match: --when-line FILE=REGEXP. */
#ifndef COLLECT_RUN_LOG_LINES_H
#define COLLECT_RUN_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/run/conditions.h"
#include "core/opts.h"

struct log_line;

struct log_lines { /* {0} is none */
	struct log_line *list;
	size_t count;
	int fd;            /* an inotify descriptor, readable when one of the files changes; 0: none */
	bool behind;       /* the last turn has left something */
	uint64_t late_ns;  /* lines that are read later than this are left out, as their time may be forgotten by then
			    * [5 s] */
	uint64_t left_out; /* bytes */
};

/* Parse the values of --when-line, and begin at the end of the files, which may not exist yet.  Wrong usage exits 2. */
void log_lines_open(struct log_lines *l, const struct text_list *texts);

/* Read for some milliseconds what was added to the files, even if they were replaced; a line that matches is a hit.
 * Returns true if there is more, so that the next call must follow soon. */
bool log_lines_read(struct log_lines *l, struct conditions *c);

/* Warn about bytes that were skipped because there were too many. */
void log_lines_say(const struct log_lines *l);

void log_lines_free(struct log_lines *l);

#endif
