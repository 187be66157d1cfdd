/* outfile: a file that appears under its name only when it is whole.
 *
 * It is written to a temporary name beside it and renamed at the end, so that an existing picture is
 * never left half written.  The temporary file goes when the program ends before that: by exit(), as
 * die() and a failed allocation do, or by one of the signals that end it, which have a handler while
 * a file is open.
 *
 * Names are of two kinds.  What the user gave may be a link, a device or a pipe, as behind a '>' of
 * the shell: that is where it is written.  A name that we chose ("index.html") may have been planted by
 * whoever may write to the directory: it is replaced by a new file, and never written through. */
#ifndef CORE_OUTFILE_H
#define CORE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct outfile {
	FILE *file;       /* write here */
	const char *path; /* for messages: as given; "stdout" for "-" */
	int dir;          /* where it will be, ours to close when there is a temporary file */
	char *temporary;  /* its name there; NULL when written in place (stdout, a device, a pipe) */
	char *target;     /* what it becomes there */
};

/* Start writing path; NULL and "-" are stdout.  A link stays, unless another program of ours gave the
 * path (core/error.h).  What is being read (core/infile.h) is not written.  Returns 0, or -1 after a
 * message. */
int outfile_open(struct outfile *out, const char *path);

/* Start writing name, which we chose, in the directory dir, or AT_FDCWD; path, which must stay, is
 * for messages.  Returns 0, or -1 after a message. */
int outfile_open_own(struct outfile *out, int dir, const char *name, const char *path);

/* Flush, close and rename.  Returns 0, or -1 after a message (disk full, ...). */
int outfile_commit(struct outfile *out);

/* Drop what was written; {0} and a committed outfile are accepted. */
void outfile_abandon(struct outfile *out);

/* Are both the same regular file?  "-" and NULL are none. */
bool outfile_is_same(const char *output, const char *input);

/* Open the directory path, made if it is not there, for names of ours.  Where another program of ours
 * gave the path, it must be no link, and belong to our user.  Returns the descriptor, or -1 after
 * a message. */
int outdir_open(const char *path);

/* Read the start of the regular file that has a name of ours.  Returns its length, or -1 with errno: ENOENT
 * when there is none, ELOOP for a link, EINVAL for anything else. */
ssize_t outfile_read_start(int dir, const char *name, char *start, size_t size);

/* Flush stdout, after printing to it directly.  Returns 0, or -1 after a message. */
int flush_stdout(void);

#endif
