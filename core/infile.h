/* infile: input files, which the output must not overwrite. */
#ifndef CORE_INFILE_H
#define CORE_INFILE_H

#include <stdbool.h>

/* Open path for reading.  If another program of ours gave the path (core/error.h), links are not followed,
 * and a pipe without a writer is empty.  Returns -1 with errno when it cannot be opened. */
int infile_open(const char *path);

/* Open path, a name not given by the user, only if it is a regular file, and without waiting for a pipe's writer.
 * Returns -1 with errno, EINVAL if it is something else. */
int infile_open_regular(const char *path);

/* Add fd, for example standard input, to the inputs; infile_open() does this itself. */
void infile_note(int fd);

/* Is fd, or the target of path, a regular file among the inputs?  No stage may write it. */
bool infile_is(int fd);
bool infile_is_path(const char *path);

#endif
