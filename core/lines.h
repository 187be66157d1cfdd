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
	int failed;       /* errno of a read that failed, else 0 */
	char *buf;
	size_t start, end, cap;
	bool limited;     /* to left bytes that may still be read */
	uint64_t left;
	bool at_end;
};

/* Open path ("-" is stdin).  Returns 0, or -1 after a message. */
int lines_open(struct lines *l, const char *path);

/* The same of a name that nobody gave: only of a regular file. */
int lines_open_regular(struct lines *l, const char *path);

/* The same for length bytes of a file that can be seeked, from byte start on. */
int lines_open_part(struct lines *l, const char *path, uint64_t start, uint64_t length);

/* The next line, without its newline and without a carriage return before it.
 * *text is valid until the next call and may hold any byte but a newline.
 * Returns false at the end, or after a message when reading failed (l->failed). */
bool lines_next(struct lines *l, char **text, size_t *len);

/* How many bytes from line, the last one returned, on have been read already: a look ahead. */
size_t lines_ahead(const struct lines *l, const char *line);

/* Read path, and give each line that is not empty to take(ctx, text, where): text
 * NUL-terminated, take()'s to change; where is "path:line" for its messages.  A NUL
 * in a line dies of wrong usage.  Returns 0, or -1 after a message. */
int lines_each(const char *path, void (*take)(void *ctx, char *text, const char *where), void *ctx);

/* Close and free; {0} with fd -1 is accepted. */
void lines_close(struct lines *l);

#endif
