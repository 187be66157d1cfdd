/* trace_calls: the calls of a trace, each with its own time, without that of the calls inside it.  Begins and ends may
 * come in any order in the file:
 *
 *     a begins at 10, b begins at 20, ends at 30, a ends at 50  -->  a 10 + 20, a;b 10 */
#ifndef COLLAPSE_TEXT_TRACE_CALLS_H
#define COLLAPSE_TEXT_TRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"

struct trace_call;
struct trace_edge;

struct trace_calls { /* empty when s is set, and the rest is 0 */
	struct text_stacks *s;
	struct trace_call *calls; /* [call_count] */
	size_t call_count, call_cap;
	struct trace_edge *edges; /* begins and ends [edge_count] */
	size_t edge_count, edge_cap;
	uint32_t event_count; /* how many calls, begins and ends have been added, in the order of the file */
	uint32_t thread_count;
};

/* Add a call of frame, in a thread, from begin to end (ns). */
void trace_calls_add(struct trace_calls *c, uint32_t thread, uint32_t frame, uint64_t begin, uint64_t end);

/* Add the begin of a call of frame, or the end of the innermost call, at a time (ns).  text is the place in the input,
 * for messages. */
void trace_calls_begin(struct trace_calls *c, uint32_t thread, uint32_t frame, uint64_t at);
void trace_calls_end(struct trace_calls *c, uint32_t thread, uint64_t at, const char *text);

/* Add the samples of all calls, in ns, with the labels of their threads: labels(context, thread).  A call without an end lasts
 * until the latest time of its thread, and none lasts longer than its caller: such losses are counted.  An end without a begin is reported by text_wrong(). */
void trace_calls_fold(struct trace_calls *c, uint32_t (*labels)(void *context, uint32_t thread), void *context);

void trace_calls_free(struct trace_calls *c);

#endif
