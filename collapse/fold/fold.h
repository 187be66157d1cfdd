/* fold: the folded lines, one for each distinct stack, with the sums of its values; sorted.
 *
 * fold_stacks.h adds the samples of a recording, and text_stacks.h those of text.  An output format writes the lines
 * that are kept. */
#ifndef COLLAPSE_FOLD_FOLD_H
#define COLLAPSE_FOLD_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/columns.h"
#include "collapse/frames/frame_rules.h"
#include "collapse/fold/quality.h"
#include "collapse/roots/roots.h"
#include "core/arena.h"
#include "core/hash_table.h"
#include "core/intern.h"
#include "core/load_ahead.h"
#include "core/str.h"

/* One folded line: the numbers of its texts, root first. */
struct fold_line {
	const uint32_t *texts; /* numbers in an intern of all texts; the first text holds all root frames */
	uint32_t count;
	uint32_t row;      /* index into fold.more */
	uint64_t value;    /* of the first column */
	uint16_t shape;    /* index into fold.shapes, which says which roots its root frames belong to */
	uint8_t wait;      /* what its thread waited for: enum wait_kind + 1; 0: unknown, because it has no stack */
	bool kept;         /* passes --include, --exclude and --waits, and is not 0 */
	bool out_of_focus; /* no frame matches --focus */
};

struct fold {
	struct fold_line *lines; /* [count], sorted by their texts, frame by frame */
	size_t count, cap;
	const struct columns *columns;
	struct frame_rules *rules; /* for lines that are added; NULL: none */
	uint64_t *more;            /* values of the columns after the first, row by row */
	size_t more_cap;
	const char *const *skip_after; /* [skip_count]: functions whose callers and roots are left out (--skip-after) */
	size_t skip_count;
	uint8_t *skips; /* [skip_cap], by text: 1: it is one of these functions, 2: it is not, 0: not known; owned */
	size_t skip_cap;
	uint8_t (*shapes)
		[ROOTS_MAX]; /* [shape_count]: how many of a line's first frames belong to each root, in the order of
			      * the roots */
	size_t shape_count, shape_cap;
	uint32_t *line_of_stack; /* by the number that the source gave the stack: its line; owned */
	struct hash_table table;
	struct arena arena;
	struct quality quality; /* of all lines, kept or not */
	uint32_t waits;         /* kinds of wait that are kept, 1 << enum wait_kind; 0: all of them */
	bool no_stack;          /* the lines have no frames of stacks */
	uint64_t kept;          /* number of lines that are kept */
	uint64_t left_out, all; /* sums of values: of lines left out because of their kind of wait; and of all lines */
	uint64_t most;          /* kept lines whose value is COLUMN_MOST */
};

/* Returns whether to keep a line with this text. */
typedef bool fold_filter(const char *text, size_t len, const void *argument);

/* Add a line of these texts, which are numbers in names, if there is no such line yet.  --skip-after and f->rules are
 * first applied to the texts in place.  Returns the number of the line.  f->columns must be set. */
uint32_t fold_add_line(struct fold *f, struct intern *names, uint32_t *texts, uint32_t count);

/* The number of a shape, for fold_line.shape. */
uint16_t fold_shape(struct fold *f, const uint8_t frames[ROOTS_MAX]);

/* Set the shape of a line; root is the text of its root frames, which --skip-after may have removed. */
void fold_set_shape(struct fold *f, uint32_t line, uint32_t root, uint16_t shape);

/* Add a sample's values to those of a line: first for the first column, more for the columns after
 * it. */
void fold_add_values(struct fold *f, uint32_t line, uint64_t first, const uint64_t *more);

/* Rebuild all lines, with shown[text] in place of each text (NULL: unchanged), and apply rules (NULL: none).  Lines
 * that become equal are merged, and line_of_stack[count] is updated.  More lines can be added afterwards. */
void fold_make_anew(struct fold *f, const uint32_t *shown, struct frame_rules *rules, size_t count);

/* Replace each text by shown[text].  All lines must stay different and sorted. */
void fold_show(struct fold *f, const uint32_t *shown);

/* Sort the lines by their texts, and renumber line_of_stack[count].  No line may be added afterwards. */
void fold_sort(struct fold *f, const struct intern *texts, size_t count);

/* Mark the lines that are kept: those that pass filter (NULL: all do).  Lines whose values are all 0
 * are kept only with zeros. */
void fold_keep(struct fold *f, const struct intern *texts, bool zeros, fold_filter *filter, const void *argument);

/* Load texts of a later line into the cache, in a loop over sorted lines that has reached number i: texts are scattered
 * in memory. */
static inline void fold_load_ahead(const struct fold *f, size_t i)
{
	enum { AHEAD = 8 };

	if (i + AHEAD < f->count)
		load_ahead(f->lines[i + AHEAD].texts, 2 * CACHE_LINE);
}

/* A line's value in column i. */
static inline uint64_t fold_value(const struct fold *f, const struct fold_line *line, size_t i)
{
	return i ? f->more[line->row * (f->columns->count - 1) + i - 1] : line->value;
}

/* A line's values in the columns after the first; NULL: there are none. */
static inline const uint64_t *fold_more(const struct fold *f, const struct fold_line *line)
{
	return !f->more ? NULL : f->more + line->row * (f->columns->count - 1);
}

/* Append the text of a line, without its values. */
void fold_line_text(const struct fold_line *line, const struct intern *texts, struct str *out);

void fold_free(struct fold *f);

#endif
