/* flight_files: the files that the flight recorder writes: STEM-2026-11-24T101502Z.data. */
#ifndef COLLECT_RUN_FLIGHT_FILES_H
#define COLLECT_RUN_FLIGHT_FILES_H

#include <stddef.h>

/* The STEM: --output without ".data".  The caller frees it. */
char *flight_stem(const char *output);

/* Recordings of this run, in the order in which they were written. */
struct flight_written { /* {0} is none */
	char **names;   /* [count], without folders */
	size_t count, cap;
};

/* A name for a recording that begins now; an empty file reserves it.  The caller frees it. */
char *flight_path(const char *stem);

/* Nothing was written there: remove the empty file. */
void flight_unreserve(const char *path);

/* The directory of the report of a recording: NAME for NAME.data.  The caller frees it. */
char *flight_report_dir(const char *path);

/* Remove that directory and the files in it that reports write, if they belong to our user.  Other files stay. */
void flight_report_remove(const char *path);

/* path was written.  Remove the oldest recordings with such names, and their reports, so that `most` are left.  Only
 * regular files of our user that begin like recordings are removed.  Recordings of this run count as the youngest, even
 * if the clock was set back. */
void flight_prune(struct flight_written *written, const char *path, const char *stem, size_t most);

void flight_written_free(struct flight_written *w);

#endif
