/* infile: files that are read, and that must not be lost to what is written of them. */
#ifndef CORE_INFILE_H
#define CORE_INFILE_H

#include <stdbool.h>

/* Open path to be read.  Where another program of ours gave the path (core/error.h), it is not followed
 * through a link, and a pipe without a writer is empty.  Returns -1, with errno, when it cannot be opened. */
int infile_open(const char *path);

/* Open path, a name that nobody gave us: only if it is a regular file, and without waiting for a writer where it is not.
 * Returns -1, with errno, EINVAL if it is something else. */
int infile_open_regular(const char *path);

/* Remember what fd is, standard input for example; infile_open() does. */
void infile_note(int fd);

/* Is fd, or what path leads to, a regular file that is among the inputs?  No stage may write it. */
bool infile_is(int fd);
bool infile_is_path(const char *path);

#endif
