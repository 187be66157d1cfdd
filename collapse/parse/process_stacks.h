/* process_stacks: text with a line for each process, lines for its threads, and below them their frames, from leaf to
 * root.  Each stack is one sample. */
#ifndef COLLAPSE_PARSE_PROCESS_STACKS_H
#define COLLAPSE_PARSE_PROCESS_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

/* What such text looks like.  Each take_...() returns false if the line is not of its kind. */
struct process_stacks {
	bool (*take_process)(struct text_span line, int32_t *pid, struct text_span *command);
	const char *thread; /* the text before the number in a thread's line: "tid# "; such a line begins with
			     * "-----" */
	bool (*is_frame)(struct text_span line); /* by how it begins */
	/* Add the frame in the line to frames; NULL: only check whether the line is a frame. */
	bool (*take_frame)(struct stack_builder *frames, struct text_span line);
	const char *wanted; /* for messages: what a line lacks that begins like a frame and is not one */
};

/* Parse a part, as parse() of struct input_format does: samples have pid, tid and comm. */
void process_stacks_parse(const struct process_stacks *p, const struct text_part *part);

/* SNIFF_SURE: the text has a process and, on the next line, a thread or a frame. */
enum sniffed process_stacks_sniff(const struct process_stacks *p, const char *text, size_t len);

/* Does the first line of text name a process?  For split_before(). */
bool process_stacks_start(const struct process_stacks *p, struct text_span text);

#endif
