/* fetching: one run of fetch.h, in its parts. */
#ifndef SHIP_FETCHING_H
#define SHIP_FETCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"
#include "ship/fetch.h"
#include "ship/frames.h"
#include "ship/store.h"
#include "ship/texts.h"

enum { FETCH_ROOTS_MAX = 24, FETCH_VALUES_MAX = 8 };

/* Where the frames of a root come from. */
enum fetch_place { OF_LABELS, OF_HOST, OF_SERVICE, OF_CPU, OF_EVENT, PLACES };

struct fetching {
	const struct fetch *f;
	struct store store;
	const char *event;          /* NULL: all */
	struct str chosen;          /* the event, if none was requested */
	struct str columns, unit;   /* unit: of the weight */
	uint64_t first_ns, last_ns; /* of the batches */
	uint64_t from_ns, to_ns;    /* to_ns is excluded */
	bool has_times;             /* ... by --from or --to */
	uint64_t samples;           /* about so many are in the batches */
	struct {
		const char *name;
		size_t len;
		enum fetch_place place;
		bool at_leaf;
	} roots[FETCH_ROOTS_MAX];
	size_t root_count, values;
	bool needs[PLACES];
	struct hashed_texts stacks, labels;
	struct frames_style style;
	struct intern defined;       /* labels that were printed, in their order */
	uint32_t stack_count;        /* texts that were printed, numbered from 1 in that order; 0: not yet */
	uint32_t other_stack;        /* the number of the stack that replaces missing and unwanted ones; 0: not yet */
	struct str rest, line, text; /* rows that wait, or an incomplete one; the current labels; output */
	bool has_texts;              /* stacks and labels have arrived, so rows need not wait for them */
	bool too_many;               /* ... rows to wait */
	bool has_leaves;
	struct str value, leaf;                        /* of a root; frames at the leaf */
	struct intern leafed;                          /* stacks with those, as they were printed */
	struct regexp *threads, *owners[FETCH_OWNERS]; /* NULL: all */
	bool chooses;                                  /* one of them is there */
	uint8_t *labels_wanted;                        /* [labels] 0: not known, 1: no, 2: yes */
	uint64_t rows, missing;
};

/* fetch_query.c.  In order: read f->root and f->leaf; append the query for how many sums of several spans f->min_ns and
 * f->max_ns leave out; append the conditions for samples; append the whole query for samples, and set values. */
void fetching_roots(struct fetching *g);
void fetching_sums_query(const struct fetching *g, struct str *query);
void fetching_conditions(const struct fetching *g, struct str *query);
void fetching_query(struct fetching *g, struct str *query);

/* "host LIKE ... AND service LIKE ..." */
void fetching_names(const struct fetching *g, struct str *query);

/* fetch_rows.c: an http_take (http.h) for the rows of that query, which prints them; the argument is the struct
 * fetching. */
bool fetching_take(void *argument, const char *bytes, size_t len);
void fetching_flush(struct fetching *g);

/* Request the labels of all rows in rest, and the stacks of those that will be printed, for which their labels are
 * needed. */
void fetching_want_labels(struct fetching *g);
void fetching_want_stacks(struct fetching *g);

/* For hashed_texts.came: prints the definition of a stack. */
void fetching_stack_came(void *owner, struct text_entry *e, const char *text, size_t len);

/* fetch_texts.c: run the query for rows, and print them, with their stacks and labels.  Returns 0, or -1 after a
 * message. */
int fetching_rows(struct fetching *g, const char *query);

/* fetch_header.c: print the first line.  Returns 0, or -1 after a message. */
int fetching_header(struct fetching *g);

/* Split a line of format TabSeparated, in place, into at most `most` fields; returns how many. */
size_t fetching_split(char *line, char *fields[], size_t most);

#endif
