/* input: an input that was opened, is unpacked on the way, and whose first bytes were read. */
#ifndef COLLAPSE_INPUT_INPUT_H
#define COLLAPSE_INPUT_INPUT_H

#include <stdbool.h>

#include "collapse/input/unpack.h"
#include "core/str.h"

enum { INPUT_HEAD_BYTES = 1 << 16 };

/* {0} is none.  input_close() frees it. */
struct input_stream {
	int fd;
	const char *path; /* for messages; "stdin" */
	/* the first bytes, already read from fd: at least INPUT_HEAD_BYTES, or all */
	struct str head;
	uint64_t bytes; /* read so far, unpacked */
	bool at_end;    /* head is all */
	bool failed;    /* reading failed, after a message */
	bool damaged;   /* set by input_close(): the packed data is damaged, after a warning */
	size_t skipped; /* bytes, by input_skip(), ... */
	uint64_t lines; /* ... which were so many lines */
	struct unpacked *unpacked;
	/* Returns the descriptor that comes after fd, or -1, and appends what was already read from it to text.  NULL: there
	 * is none. */
	int (*next)(void *argument, struct str *text);
	void *argument;
};

/* Open path ("-" is stdin), which must outlive the input, and read its head.  Returns 0, or -1 after a message. */
int input_open(struct input_stream *in, const char *path);

/* The same for what comes out of fd, which is not unpacked; name is for messages.  input_close() closes fd. */
int input_open_fd(struct input_stream *in, int fd, const char *name);

/* The same for the bytes of several descriptors, one after the other, as next() returns them; each is closed.  None is
 * unpacked.  Messages call them "the inputs". */
int input_open_all(struct input_stream *in, int (*next)(void *argument, struct str *text), void *argument);

/* Read into text until it has want bytes, or the input ends. */
void input_fill(struct input_stream *in, struct str *text, size_t want);

/* Leave out the first bytes of the head; they are whole lines. */
void input_skip(struct input_stream *in, size_t bytes, uint64_t lines);

/* Is it a regular file that was not packed?  Then fd can be mapped, and the head is still in the file. */
bool input_is_file(const struct input_stream *in);

/* Is this the beginning of an SVG, with "<svg" after the XML prolog? */
bool input_is_svg(const char *text, size_t len);

void input_close(struct input_stream *in);

#endif
