/* text_reader: reads an input in large parts, and has them parsed by several threads. */
#ifndef COLLAPSE_TEXT_TEXT_READER_H
#define COLLAPSE_TEXT_TEXT_READER_H

#include "collapse/fold/text_fold.h"
#include "collapse/text/format.h"

enum { TEXT_HEAD_BYTES = 1 << 16 };

struct text_reader {
	int fd;
	const char *path; /* for messages */
	struct str ahead; /* read, but not parsed yet */
	bool at_end, failed;
	uint64_t part_count;
};

/* Open path ("-" is stdin), and read at least TEXT_HEAD_BYTES of it ahead, or all if it is shorter.
 * Returns 0, or -1 after a message. */
int text_reader_open(struct text_reader *r, const char *path);

/* Parse the whole input with jobs threads (0: one for each CPU, up to 4; never more than
 * TEXT_JOBS_MAX) into p->shards, which text_parsed_free() frees.  setup must outlive p.  Returns 0,
 * or -1 after a message. */
int text_reader_parse(struct text_reader *r, const struct input_format *format, const struct text_setup *setup,
		      int64_t jobs, struct text_parsed *p);

void text_reader_close(struct text_reader *r);

void text_parsed_free(struct text_parsed *p);

/* Put the first bytes of path in out without consuming them, even those of a pipe; none if that is
 * not possible. */
void text_peek(const char *path, struct str *out);

#endif
