/* profile: folded lines, merged into a trie by (parent, frame name).
 *
 *     main;read 3           nodes:  0 all ── 1 main ─┬─ 2 read  (self 3)
 *     main;write 4                                   └─ 3 write (self 4)
 *
 * A node's number is always greater than its parent's and than those of the
 * siblings that the input had before.
 *
 * A profile has one value for each stack, or several, in layers. */
#ifndef RENDER_PROFILE_H
#define RENDER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "render/source.h"

struct profile_node {
	uint32_t parent, name; /* name is an id in profile.names */
	uint64_t self;         /* of the stacks that end here: what the width is made of */
};

/* A column of values with a name: one of the two of a differential, a window of
 * time, an event, a file. */
struct profile_layer {
	char *name;            /* never NULL */
	uint64_t total;        /* of its values, in the profile's units */
};

/* What a node has in one layer.  A node's values are a list. */
struct profile_value {
	uint32_t next;         /* in profile.values; 0 ends the list */
	uint32_t layer;
	uint64_t value;
};

/* How a node's width comes from its values. */
enum profile_combine {
	COMBINE_SUM,           /* of all layers */
	COMBINE_MAX,           /* the largest, each one scaled: a union, nothing vanishes */
	COMBINE_ONE,           /* one layer's */
};

enum { PROFILE_LAYERS_MAX = 4096 };

struct profile {               /* {0} is an empty profile */
	struct intern names;
	struct profile_node *nodes; /* [0] is the root, "all" */
	size_t count, cap;
	uint32_t *slots;       /* open addressing by (parent, name): node number, 0 = free */
	size_t slot_count;     /* a power of two */
	uint64_t total;        /* of all values; it and self are in units of 10^-decimals */
	unsigned decimals;
	struct source source;
	uint64_t lines;        /* that hold or should hold a stack */
	uint64_t bad_lines, filtered_lines;
	bool two_values;       /* a differential line was seen */
	bool times_apart;      /* a line was too far from the others for LAYERING_TIME */

	/* With layers every self is 0 until profile_combine(). */
	struct profile_layer *layers; /* none: one value a stack, in self */
	size_t layer_count, layers_cap;
	struct profile_value *values; /* [0] is not used */
	size_t value_count, values_cap;
	uint32_t *first_value; /* [node]; 0: none, as beyond first_count */
	size_t first_count;
	enum profile_combine combine;
	uint64_t start_ns, step_ns; /* LAYERING_TIME: layer 0's begin, and each one's length */
};

/* Which layer a line's value belongs to. */
enum layering {
	LAYERING_NONE,         /* one value a stack; of two the second */
	LAYERING_COLUMNS,      /* the first of two values to layer 0, the second, or an only
				* one, to layer 1; no layers while no line has two */
	LAYERING_FILE,         /* profile_filter.layer */
	LAYERING_TIME,         /* the window of the line's time; one without is bad */
	LAYERING_FIRST_FRAME,  /* that called as the first frame, which is taken off */
	LAYERING_EVENT,        /* that called as event= of the last header before the line;
				* as the first frame where the header names none or several
				* ("cycles,instructions", of --root event) */
};

/* Which lines to take, and how.  {0} takes all. */
struct profile_filter {
	struct regexp **include; /* a line must match one of these, if there are any */
	size_t include_count;
	struct regexp **exclude; /* and none of these */
	size_t exclude_count;
	bool reverse;            /* leaf first: merge the stacks from their leaves */
	enum layering layering;
	uint32_t layer;          /* LAYERING_FILE: less than PROFILE_LAYERS_MAX */
	uint64_t start_ns;       /* LAYERING_TIME: windows begin at start_ns + n * step_ns, */
	uint64_t step_ns;        /* n may be negative; start_ns 0: the first line's time */
};

/* Add the folded lines of path ("-" is stdin).  A bad line is reported, counted
 * and skipped.  Returns 0, or -1 after a message if path could not be read. */
int profile_read(struct profile *p, const char *path, const struct profile_filter *filter);

/* Have at least count layers; call the last of them name (copied) if it is new or
 * name is not NULL.  LAYERING_COLUMNS names its own "before" and "after",
 * LAYERING_FILE by the path, LAYERING_TIME by the time of the window's begin. */
void profile_need_layers(struct profile *p, size_t count, const char *name);

/* layer's width is value * num / den, rounded down. */
struct profile_scale {
	uint64_t num, den;       /* den > 0 */
};

/* After reading, once: set every self and total from the layers' values.
 * scales: [layer_count], or NULL for 1/1 (used by COMBINE_MAX); layer: which one
 * (COMBINE_ONE).  Each node's list is then in the layers' order, each layer at
 * most once.  With COMBINE_MAX the values of a node without width go to its
 * parent.  Without layers it does nothing.  Returns 0, or -1 after a message when
 * the sum is too large. */
int profile_combine(struct profile *p, enum profile_combine how,
		    const struct profile_scale *scales, uint32_t layer);

/* Free the tables that only profile_read() needs. */
void profile_close(struct profile *p);

void profile_free(struct profile *p);

/* ---- between profile.c and profile_layers.c ---- */

/* Add value to what node has in layer.  Totals must have been checked. */
void profile_add_value(struct profile *p, uint32_t node, uint32_t layer, uint64_t value);

/* The layer called name[0..len), new if it is not there yet; UINT32_MAX when there
 * are too many. */
uint32_t profile_layer_called(struct profile *p, const char *name, size_t len);

/* The layer of the window that holds time_ns; UINT32_MAX when it is too far away
 * from the others. */
uint32_t profile_layer_at(struct profile *p, uint64_t time_ns, uint64_t start_ns,
			  uint64_t step_ns);

/* The first differential line: what was read before has its values in layer 1. */
void profile_begin_columns(struct profile *p);

#endif
