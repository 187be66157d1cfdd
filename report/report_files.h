/* report_files: unique names for the files of a report, and their directory. */
#ifndef REPORT_REPORT_FILES_H
#define REPORT_REPORT_FILES_H

#include <stdbool.h>

#include "core/arena.h"

struct report_files { /* {0} is empty */
	struct arena text;
	const char *dir, *name; /* "charts", "db1-2026-11-21T101502Z" */
	const char *data;       /* the recording: "charts/db1-2026-11-21T101502Z.data" */
	int data_fd;            /* an empty file that reserves the name */
};

/* Choose names in dir, which exists and outlives f, from the host and the time, with
 * characters that are safe in a path, a URL and a shell.  Returns 0, or -1 after a
 * message. */
int report_files_choose(struct report_files *f, const char *dir);

/* Is there a recording?  If the file is still our empty one, remove it. */
bool report_files_recorded(struct report_files *f);

/* "charts/db1-2026-11-21T101502Z" + suffix; lives as long as f. */
const char *report_file(struct report_files *f, const char *suffix);

void report_files_free(struct report_files *f);

/* Create the directory path with its missing parents; *made is set to the number of new directories.  Returns 0, or -1 after a
 * message, also when path is a file. */
int directory_make(const char *path, int *made);

/* Remove the last `made` directories of path again, up to the first that is not empty. */
void directory_unmake(const char *path, int made);

#endif
