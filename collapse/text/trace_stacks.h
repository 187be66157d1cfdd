/* trace_stacks: stacks in trace events: of sampled events, and of the samples beside them.
 *
 *     "stackFrames": {"5": {"name": "main", "category": "app"}, "7": {"name": "work", "parent": "5"}},
 *     "samples": [{"tid": 2, "ts": 10.5, "name": "cycles:HG", "sf": 7, "weight": 3}],
 *     "traceEvents": [{"ph": "P", "pid": 1, "tid": 2, "ts": 10, "name": "sample", "sf": 7},
 *                     {"ph": "i", "pid": 1, "tid": 2, "ts": 12, "name": "fault", "stack": ["main", "work"]}] */
#ifndef COLLAPSE_TEXT_TRACE_STACKS_H
#define COLLAPSE_TEXT_TRACE_STACKS_H

#include "collapse/parse/json_input.h"
#include "core/map.h"

struct trace_stacks { /* with s set, the others 0, it is empty */
	struct text_stacks *s;
	struct trace_frame *frames; /* [count] */
	size_t count, cap;
	struct map places; /* by the text of the id: place + 1 */
};

/* Read "stackFrames". */
void trace_stacks_read(struct trace_stacks *t, struct json frames);

/* The stack of an event or a sample, from "sf" or "stack".  Returns false if it has none, or after text_wrong(). */
bool trace_stacks_of(struct trace_stacks *t, struct json event, uint32_t *stack);

void trace_stacks_free(struct trace_stacks *t);

#endif
