/* window_files: the directory of a continuous recording (windows.h):
 *
 *     watch-2026-11-24T101500Z.data        a finished window, called by the time when it began
 *     watch-2026-11-24T101600Z.data.part   the one that is being recorded
 *
 * The directory is locked while somebody records into it. */
#ifndef COLLECT_RUN_WINDOW_FILES_H
#define COLLECT_RUN_WINDOW_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Create the directory, if it does not exist, and lock it.  A window that an earlier run did not finish loses its
 * ".part".  Returns a descriptor, or -1 after a message. */
int window_dir_open(const char *dir);

/* Unlock the directory at once for the next recorder; close() alone would not, as long as a child has the descriptor,
 * too. */
void window_dir_close(int dir);

/* Does path still lead to dir?  The directory may have been moved, removed and made anew, or unmounted. */
bool window_dir_is(int dir, const char *path);

/* The path of a file that is free, for a window that begins at wall_ns; the caller frees it. */
char *window_part(const char *dir, uint64_t wall_ns);

/* May a window of this many bytes be begun?  False only if the disk is full. */
bool window_has_room(const char *dir, uint64_t bytes);

/* The window `part` in dir is finished: take away its ".part".  Only the last component of the path `part` counts.
 * Another file of that name is not replaced.  Returns 0, or -1 after a message. */
int window_publish(int dir, const char *part);

/* What is to be kept. */
struct window_limits {
	uint64_t ring_ns;  /* windows that ended before that are removed */
	uint64_t most;     /* bytes of all files; 0: no limit */
	uint64_t expected; /* this many of these are for the file that is being recorded */
};

/* Remove the oldest windows: regular files of our user that begin like recordings.  now_ns: the wall clock.  Returns
 * how many were removed. */
size_t window_prune(int dir, const struct window_limits *limits, uint64_t now_ns);

#endif
