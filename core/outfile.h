/* outfile: a file that appears under its name only when it is complete.
 *
 * It is written under a temporary name in the same directory and renamed at the end, so that an existing
 * picture is never left half written.  The temporary file is removed when the program ends before the end: by
 * exit(), as in die() and after a failed allocation, or by a signal that ends it, which has a handler
 * while a file is open.
 *
 * There are two kinds of names.  A name that the user gave may be a link, a device or a pipe, as after '>' in
 * a shell: we write to its target, unless another user has put the link or the pipe into a directory like /tmp.  A
 * name that we chose ("index.html") may have been planted by anyone who can write to the directory: we replace it
 * with a new file, and never write through it. */
#ifndef CORE_OUTFILE_H
#define CORE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct outfile {
	FILE *file;       /* write here */
	const char *path; /* for messages: as given; "stdout" for "-" */
	int dir;          /* its directory, ours to close when there is a temporary file */
	char *temporary;  /* its name in dir; NULL if it is written in place (stdout, a device, a pipe) */
	char *target;     /* its final name in dir */
};

/* Start writing path; NULL and "-" are stdout.  A link is followed, unless another program of ours gave the
 * path (core/error.h).  Inputs (core/infile.h) are refused.  Returns 0, or -1 after a message. */
int outfile_open(struct outfile *out, const char *path);

/* Start writing name, which we chose, in the directory dir, or AT_FDCWD; path, which must outlive out,
 * is for messages.  Returns 0, or -1 after a message. */
int outfile_open_own(struct outfile *out, int dir, const char *name, const char *path);

/* Make the file name, which we chose, in the directory dir have these bytes; a file that already has them is left
 * alone.  path is for messages.  Returns 0, or -1 after a message. */
int outfile_update(int dir, const char *name, const char *path, const char *bytes, size_t len);

/* Flush, close and rename.  Returns 0, or -1 after a message (disk full, ...). */
int outfile_commit(struct outfile *out);

/* The same, but data and name are on the disk before the rename, so that the file is whole even after a power cut.  For
 * regular files. */
int outfile_commit_durably(struct outfile *out);

/* Drop what was written; {0} and a committed outfile are accepted. */
void outfile_abandon(struct outfile *out);

/* Are both the same regular file?  "-" and NULL are not files. */
bool outfile_is_same(const char *output, const char *input);

/* Open the directory path, created if missing, for names that we choose.  If another program of ours
 * gave the path, it must not be a link, and must belong to our user.  Returns the descriptor, or -1
 * after a message. */
int outdir_open(const char *path);

/* For directories that are opened elsewhere: returns -1, after a message, if a link on the path was put by another user
 * into a directory like /tmp. */
int outdir_check(const char *path);

/* Read the start of a regular file whose name we chose.  Returns its length, or -1 with errno: ENOENT
 * when it does not exist, ELOOP for a link, EINVAL for anything else. */
ssize_t outfile_read_start(int dir, const char *name, char *start, size_t size);

/* Flush stdout, after printing to it directly.  Returns 0, or -1 after a message. */
int flush_stdout(void);

#endif
