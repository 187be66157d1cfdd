/* fold: from stacks of places to sorted lines of names. */
#ifndef COLLAPSE_FOLD_FOLD_H
#define COLLAPSE_FOLD_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/names.h"
#include "collapse/fold/quality.h"
#include "collapse/fold/roots.h"
#include "collapse/fold/stacks.h"

/* One folded line: a sequence of numbers of texts, root first. */
struct fold_line {
	const uint32_t *texts; /* in names.texts; the first one is all root frames */
	uint32_t count;
	uint32_t row;          /* of fold.more */
	uint64_t value;        /* of the first column */
	bool kept;             /* passes --include and --exclude, and is not 0 */
};

struct fold {
	struct fold_line *lines; /* [count], sorted by their texts, frame by frame */
	size_t count, cap;
	const struct columns *columns;
	uint64_t *more;          /* values of the columns behind the first, row by row */
	size_t more_cap;
	uint32_t *line_of_stack; /* by stack number */
	struct arena arena;
	struct quality quality;  /* of all, kept or not */
	uint64_t kept; /* lines */
};

/* Which lines to keep: NULL keeps all. */
typedef bool fold_filter(const char *text, size_t len, const void *argument);

/* Merge stacks that have the same names.  root_keys holds what roots_key()
 * gave for each root number.  stacks->columns must outlive f. */
void fold_stacks(struct fold *f, const struct stacks *stacks, struct names *names,
		 const struct roots *roots, const struct intern *root_keys, fold_filter *filter,
		 const void *argument);

/* A line's value in column i. */
static inline uint64_t fold_value(const struct fold *f, const struct fold_line *line, size_t i)
{
	return i ? f->more[line->row * (f->columns->count - 1) + i - 1] : line->value;
}

/* Append the text of a line, without its values. */
void fold_line_text(const struct fold_line *line, const struct names *names, struct str *out);

void fold_free(struct fold *f);

#endif
