/* text_reader: reads an input in large parts, and has them parsed by several threads. */
#ifndef COLLAPSE_PARSE_TEXT_READER_H
#define COLLAPSE_PARSE_TEXT_READER_H

#include "collapse/fold/text_fold.h"
#include "collapse/input/input.h"
#include "collapse/parse/format.h"

struct text_reader {
	struct input_stream *input;
	struct str ahead; /* read, but not parsed yet */
	uint64_t part_count;
	bool failed; /* after a message */
};

/* Start reading from input, which must outlive r, at its head. */
void text_reader_begin(struct text_reader *r, struct input_stream *input);

/* Parse the whole input with jobs threads (0: one for each CPU, up to 4; never more than
 * TEXT_JOBS_MAX) into p->shards, which text_parsed_free() frees.  setup must outlive p.  Returns 0,
 * or -1 after a message. */
int text_reader_parse(struct text_reader *r, const struct input_format *format, const struct text_setup *setup,
		      int64_t jobs, struct text_parsed *p);

void text_reader_end(struct text_reader *r);

void text_parsed_free(struct text_parsed *p);

#endif
