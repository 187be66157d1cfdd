/* outfile: a file that appears under its name only when it is whole.
 *
 * It is written to a temporary name beside it and renamed at the end, so that
 * an existing picture is never left half written.  Where SIGINT, SIGTERM, SIGHUP and
 * SIGXFSZ would end the process, the temporary files go first: while one is open they
 * have a handler, which ends the process by the same signal.  A symbolic link stays: its target is
 * written. */
#ifndef CORE_OUTFILE_H
#define CORE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

struct outfile {
	FILE *file;       /* write here */
	const char *path; /* as given; "stdout" for "-" */
	char *temporary;  /* NULL when written in place (stdout, a device, a pipe) */
	char *target;     /* what it becomes: path, or where that link leads */
};

/* Start writing path; NULL and "-" are stdout.  Returns 0, or -1 after a message. */
int outfile_open(struct outfile *out, const char *path);

/* Flush, close and rename.  Returns 0, or -1 after a message (disk full, ...). */
int outfile_commit(struct outfile *out);

/* Drop what was written; {0} and a committed outfile are accepted. */
void outfile_abandon(struct outfile *out);

/* Are both the same regular file?  "-" and NULL are none. */
bool outfile_is_same(const char *output, const char *input);

/* Flush stdout, after printing to it directly.  Returns 0, or -1 after a message. */
int flush_stdout(void);

#endif
