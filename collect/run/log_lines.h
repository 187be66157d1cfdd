/* log_lines: files of text that others append to, and lines in them that match: --when-line FILE=REGEXP. */
#ifndef COLLECT_RUN_LOG_LINES_H
#define COLLECT_RUN_LOG_LINES_H

#include <stddef.h>

#include "collect/run/conditions.h"
#include "core/opts.h"

struct log_line;

struct log_lines { /* {0} is none */
	struct log_line *list;
	size_t count;
	int fd; /* of inotify: readable when one of the files changes; 0: none */
};

/* Parse the values of --when-line; begin at the end of the files, which may not exist yet.  Wrong usage exits 2. */
void log_lines_open(struct log_lines *l, const struct text_list *texts);

/* Read what was added to the files, also to those that were replaced; a line that matches is a hit. */
void log_lines_read(struct log_lines *l, struct conditions *c);

void log_lines_free(struct log_lines *l);

#endif
