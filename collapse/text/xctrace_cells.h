/* xctrace_cells: the cells of a row in what xctrace prints (xctrace.c): threads, weights, stacks, each told once with an id,
 * and then by ref. */
#ifndef COLLAPSE_TEXT_XCTRACE_CELLS_H
#define COLLAPSE_TEXT_XCTRACE_CELLS_H

#include <expat.h>
#include <stdbool.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/parse/event_values.h"
#include "collapse/text/number_lists.h"
#include "core/map.h"
#include "core/str.h"

/* What an id stands for. */
enum xctrace_kind { XCTRACE_FRAME = 1, XCTRACE_STACK, XCTRACE_TAGGED, XCTRACE_THREAD, XCTRACE_STATE, XCTRACE_WEIGHT };

/* Elements whose content is a list of numbers, with their ids. */
enum xctrace_list { XCTRACE_ADDRESS, XCTRACE_ADDRESSES, XCTRACE_COUNTERS, XCTRACE_LISTS };

struct xctrace_thread {
	uint32_t comm;
	int32_t pid, tid;
};

struct xctrace {
	struct text_stacks *s;
	XML_Parser parser;
	const char *text;                   /* the whole input */
	size_t depth;                       /* elements that are open */
	struct map ids[XCTRACE_WEIGHT + 1]; /* by kind: id -> number + 1 in frames, stacks, threads or weights */
	uint32_t *stacks;
	size_t stack_count, stack_cap;
	struct xctrace_thread *threads;
	size_t thread_count, thread_cap;
	uint64_t *weights;
	size_t weight_count, weight_cap;

	struct number_lists lists[XCTRACE_LISTS], machine; /* machine: stacks of addresses, leaf first */
	struct map machine_stacks;                         /* machines[0], machines[1] -> number of a stack + 1 */
	struct event_values events;                        /* counters-profile: the weight, then the counters */

	struct str frames; /* of the current backtrace, leaf first, uint32_t each */
	uint64_t stack_id, tagged_id;
	bool in_row, in_stack, in_machine, in_content;
	struct str content; /* of the current weight, or list */
	uint64_t content_id;
	/* Of the current kperf-bt: numbers + 1 of lists; 0: none; and the address in its fmt. */
	uint32_t pc, callers;
	uint64_t machine_id, fmt_pc;
	/* Of the current row: numbers + 1; 0: it has none. */
	uint32_t stack, thread, weight, counters, state;
	uint32_t machines[2]; /* ... of its kperf-bt, the kernel's and the user's, or one of them, in machine */
	bool has_sentinel;    /* some cell is empty */
	const char *unit;     /* of the weight, even if that is a wrong one; NULL: it has none */
};

/* An element in a row begins, and ends. */
void xctrace_begin_cell(struct xctrace *x, const char *element, const char **attributes);
void xctrace_end_cell(struct xctrace *x, const char *element);

/* The number of the stack of the row's kperf-bt. */
uint32_t xctrace_machine_stack(struct xctrace *x);

/* Report that something is wrong here. */
void xctrace_wrong(struct xctrace *x, const char *what);

/* Frees all but the parser. */
void xctrace_free(struct xctrace *x);

#endif
