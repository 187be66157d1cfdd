/* lines: reads lines of any length, fast, from a file or a pipe. */
#ifndef CORE_LINES_H
#define CORE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	int fd;
	const char *path; /* for messages */
	uint64_t number;  /* of the line last returned, from 1 */
	int failed;       /* errno of a failed read, else 0 */
	char *buf;
	size_t start, end, cap;
	bool limited; /* only left more bytes may be read */
	uint64_t left;
	bool at_end;
};

/* Open path ("-" is stdin).  Returns 0, or -1 after a message. */
int lines_open(struct lines *l, const char *path);

/* Like lines_open(), for a name not from the user: opens only a regular file. */
int lines_open_regular(struct lines *l, const char *path);

/* Like lines_open(), for length bytes of a seekable file, from byte start on. */
int lines_open_part(struct lines *l, const char *path, uint64_t start, uint64_t length);

/* The next line, without its newline and without a carriage return before it.
 * *text is valid until the next call and may hold any byte but a newline.
 * Returns false at the end, or after a message when reading failed (l->failed). */
bool lines_next(struct lines *l, char **text, size_t *len);

/* How many bytes, from the last line returned on, are in memory: for looking ahead. */
size_t lines_ahead(const struct lines *l, const char *line);

/* Read path, and pass each non-empty line to take(ctx, text, where): text is
 * NUL-terminated and may be changed; where is "path:line", for messages.  A line with
 * a NUL is a usage error (exit 2).  Returns 0, or -1 after a message. */
int lines_each(const char *path, void (*take)(void *ctx, char *text, const char *where), void *ctx);

/* Close and free; {0} with fd -1 is accepted. */
void lines_close(struct lines *l);

#endif
