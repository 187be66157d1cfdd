/* profile: folded lines, merged into a trie by (parent, frame name).
 *
 *     main;read;copy 3      nodes:   0 all ── 1 main ── 2 read ── 3 copy
 *     main;write 4                              └── 4 write
 *     main 5
 *                           stacks:  0: node 0              self 0
 *                                    1: nodes 1 to 3        self 3
 *                                    2: node 4, below 1     self 4
 *                                    3: none, below 1       self 5
 *
 * A stack is stored as the nodes that no earlier stack had: a chain with consecutive numbers, attached below a node of
 * another stack.  So a node takes four bytes, its number is that of its parent plus 1 (unless it is the first of its
 * stack), and only stacks have values.
 *
 * A node's number is always greater than those of its parent and of its earlier siblings in the input; a stack's number
 * is greater than that of the stack to which it is attached.
 *
 * A profile has one value for each stack, or several, in layers. */
#ifndef RENDER_PROFILE_H
#define RENDER_PROFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/opts.h"
#include "core/str.h"
#include "render/profile/dimension.h"
#include "render/profile/line.h"
#include "render/profile/root_places.h"
#include "render/profile/source.h"

struct profile_stack {
	uint32_t first;  /* the first of its nodes, which go up to the first node of the next stack; it may have none */
	uint32_t parent; /* the node below which these hang, or in which the stack ends if it has none */
	uint32_t in;     /* the stack of that node */
	bool idle;       /* with profile_filter.idle: an idle stack (idle.h) */
	uint64_t self;   /* determines the width */
};

/* A column of values with a name: a side of a differential, a window of time, an event, a file. */
struct profile_layer {
	char *name;     /* never NULL */
	uint64_t total; /* of its values, in the profile's units */
};

/* A stack's value in one layer.  A stack's values form a list. */
struct profile_value {
	uint32_t next; /* in profile.values; 0 ends the list */
	uint32_t layer;
	uint64_t value;
};

/* How the width of a stack is computed from its values. */
enum profile_combine {
	COMBINE_SUM, /* of all layers */
	COMBINE_MAX, /* the largest one, after scaling: a union, in which nothing vanishes */
	COMBINE_ONE, /* one layer's */
};

enum { PROFILE_LAYERS_MAX = 4096 };
#define PROFILE_FIRST_TIME UINT64_MAX /* a start_ns: the time of the first line */

struct profile { /* {0} is an empty profile */
	struct intern names;
	uint32_t *nodes; /* [0] is the root, "all"; see profile_name() */
	size_t count, cap;
	struct profile_stack *stacks; /* [0] is the empty stack, of the root */
	size_t stack_count, stacks_cap;
	struct profile_slot *slots; /* open addressing by (parent, name); see profile_trie.c.  NULL: not needed yet */
	size_t slot_count;          /* a power of two */
	uint64_t total;             /* sum of all values; total and self are in units of 10^-decimals */
	unsigned decimals;
	struct folded_source source;
	uint64_t lines; /* lines that have or should have a stack */
	uint64_t bad_lines, filtered_lines;
	uint64_t two_value_lines;    /* how many lines have two values, and the file of the first of these: */
	const char *two_values_path; /* as profile_read() got it */
	uint64_t two_values_number;
	bool times_apart; /* a line was too far from the others for LAYERING_TIME */

	/* With layers every self is 0 until profile_combine(). */
	struct profile_layer *layers; /* without layers, a stack's only value is in self */
	size_t layer_count, layers_cap;
	struct profile_value *values; /* [0] is not used */
	size_t value_count, values_cap;
	uint32_t *first_value; /* [stack] index of its first value; 0: none, as for stacks from first_count on */
	size_t first_count;
	enum profile_combine combine;
	uint64_t start_ns, step_ns; /* LAYERING_TIME: the start of layer 0, the length of each */
	uint64_t first_ns, last_ns; /* the least and the largest time */

	struct profile_event *events; /* with profile_filter.chart, until profile_chart() */
	size_t event_count, events_cap;
	bool timed;   /* a line had a time */
	bool charted; /* siblings may have the same name */
};

/* A line of a chart: an amount of a stack. */
struct profile_event {
	uint64_t time_ns; /* if the line has none, that of the previous line */
	uint64_t value;
	uint32_t stack;
};

enum { PROFILE_HEAD = 1u << 31 }; /* flag in nodes[]: the first node of a stack */

static inline uint32_t profile_name(const struct profile *p, uint32_t node)
{
	return p->nodes[node] & ~PROFILE_HEAD;
}

/* Ids of names that are not in lines: that of frames that stand for others (tree.h), and that of a gap.  A gap is a
 * node of a chart that is no frame, but its parent's own value between two children; it has no text. */
enum { PROFILE_ROOT_NAME, PROFILE_FOLDED_NAME, PROFILE_GAP_NAME = PROFILE_HEAD - 1 };

/* One past the last node of a stack. */
static inline uint32_t profile_stack_end(const struct profile *p, uint32_t stack)
{
	return stack + 1 < p->stack_count ? p->stacks[stack + 1].first : (uint32_t)p->count;
}

static inline bool profile_has_nodes(const struct profile *p, uint32_t stack)
{
	return p->stacks[stack].first < profile_stack_end(p, stack);
}

/* Is the stack a chart's gap?  Such a stack has no other node. */
static inline bool profile_is_gap(const struct profile *p, uint32_t stack)
{
	return profile_has_nodes(p, stack) && profile_name(p, p->stacks[stack].first) == PROFILE_GAP_NAME;
}

/* Which layer a line's value belongs to. */
enum layering {
	LAYERING_NONE,        /* one value per stack; if there are two, the second */
	LAYERING_COLUMNS,     /* the first of two values goes to layer 0; the second, or a single one, to layer 1; no
			       * layers while no line has two */
	LAYERING_FILE,        /* profile_filter.layer */
	LAYERING_TIME,        /* the window of the line's time; a line without a time is bad */
	LAYERING_FIRST_FRAME, /* the layer with the name of the first frame, which is taken off */
	LAYERING_EVENT,       /* named by event= in the last header before the line or, if that names no event or
			       * several ("cycles,instructions", with --root event), by the first frame */
};

/* Which lines to take, and how.  {0} takes all. */
struct profile_filter {
	struct line_filter lines;
	bool reverse; /* leaf first: merge the stacks from their leaves */
	bool chart;   /* in order of time; see profile_chart() */
	enum layering layering;
	uint32_t layer;               /* LAYERING_FILE: less than PROFILE_LAYERS_MAX */
	uint64_t start_ns;            /* LAYERING_TIME: windows begin at start_ns + n * step_ns, */
	uint64_t step_ns;             /* n may be negative; start_ns 0: the first line's time */
	const struct text_list *base; /* names of frames: take only stacks with one of these, and cut them to begin at
				       * the last one, but keep the frames that name their layer or split; NULL or
				       * empty: take all stacks */
	bool wakers;                  /* annotate frames after "--" (stack_edit.h) */
	struct dimension *split;      /* by this frame, or NULL */
	bool idle;                    /* mark stacks of idle CPUs and of threads that wait for work */
	bool unnumber;                /* remove process numbers from the root frames (root_places.h) */
	struct root_places roots;     /* profile_read_part(): of the file's first header */
};

/* Add the folded lines of path ("-" is stdin), which must live as long as p.  A bad line is reported, counted
 * and skipped.  Returns 0, or -1 after a message if path could not be read or is not folded text (foreign.h). */
int profile_read(struct profile *p, const char *path, const struct profile_filter *filter);

/* Make sure that there are at least count layers; if the last one is new, or name is not NULL, call it name (copied).
 * LAYERING_COLUMNS names its own "before" and "after", LAYERING_FILE by the path, LAYERING_TIME by the start of the
 * window. */
void profile_need_layers(struct profile *p, size_t count, const char *name);

/* layer's width is value * num / den, rounded down. */
struct profile_scale {
	uint64_t num, den; /* den > 0 */
};

/* Call this once after reading: it sets every self and total from the layers' values.  scales: [layer_count], or NULL
 * for 1/1 (used by COMBINE_MAX); layer: the layer for COMBINE_ONE.  After this, each stack's list is in the order of
 * layers, with each layer at most once, and without zeros.  Without layers, it does nothing.  Returns 0, or -1 after a
 * message when the sum is too large. */
int profile_combine(struct profile *p, enum profile_combine how, const struct profile_scale *scales, uint32_t layer);

/* After reading, before profile_combine(): take the values of idle stacks out of all layers.  Returns their sum. */
uint64_t profile_drop_idle(struct profile *p);

/* Are all stacks with a value idle, so that a picture without idle stacks would show nothing? */
bool profile_is_all_idle(const struct profile *p);

/* With profile_filter.chart, after reading: make the profile anew in order of time, with lines without a time in their
 * own order; only neighbours with a common beginning are merged.  Stacks are then in the order of the picture, with
 * each value at its time: a frame's own value before a child is in a gap, and only the rest is in its self.
 *
 *     m 1, m;a 2, m 3, m;b 4, m 5      m ── gap (1), a (2), gap (3), b (4); self 5 */
void profile_chart(struct profile *p);

/* Free the tables that only profile_read() needs, which would rebuild them. */
void profile_close(struct profile *p);

/* Once there is a tree of the profile: free nodes, stacks and their values.  Names, layers and counts stay. */
void profile_drop_stacks(struct profile *p);

void profile_free(struct profile *p);

/* ---- between profile_*.c ---- */

/* The path of the previous stack.  Most stacks begin like the previous one, so their common part need not be looked up
 * again.  While a path is in use, stacks are added only through it. */
struct profile_path {
	char *text; /* a copy of the stack */
	size_t len, cap;
	struct path_frame {
		size_t end; /* end of the frame in text: at a ';' or at len */
		uint32_t node, stack;
		uint8_t rising; /* orders in which all its children were added while it was in the path; a child that
				 * comes after the last one is new */
	} * frames;             /* [depth] */
	size_t depth, frames_cap;
	bool begun;     /* a stack was added */
	uint8_t rising; /* of the root */
};

void profile_path_free(struct profile_path *path);

/* Get ready to read: make the root, its names and the table, unless they exist. */
void profile_ensure_root(struct profile *p);

/* The number of the stack text[0..len), root first; a new one if it is new. */
uint32_t profile_stack_of(struct profile *p, struct profile_path *path, const char *text, size_t len);

/* The child of node with this name, 0 if there is none; *in, the stack of node, becomes that of the child. */
uint32_t profile_child(struct profile *p, uint32_t node, uint32_t *in, uint32_t name);

/* Begin a stack below node parent, which is in stack `in`.  The new stack's first node, which the caller adds next,
 * will be called name.  Returns the stack's number. */
uint32_t profile_hang(struct profile *p, uint32_t parent, uint32_t in, uint32_t name);

/* The stack that ends in node, which is in stack `in`; a new stack if there is none. */
uint32_t profile_ending(struct profile *p, uint32_t node, uint32_t in);

/* Append a node called name.  A new stack must have been begun for the first one. */
void profile_add_node(struct profile *p, uint32_t name);

/* The same as profile_hang(), but profile_child() will not find the stack. */
uint32_t profile_begin_stack(struct profile *p, uint32_t parent, uint32_t in);

/* Switch to the finer unit 10^-decimals.  Returns false if the total would be too
 * large. */
bool profile_refine(struct profile *p, unsigned decimals);

/* Read length bytes of path, from start on, into the empty profile p, silently; other parts of it may be read at the
 * same time.  Headers are not interpreted, but put into *headers, a line each.  Returns -1 for anything that only
 * profile_read() can handle (bad lines, two values, ...), or when *stop is true. */
int profile_read_part(struct profile *p, const char *path, const struct profile_filter *filter, uint64_t start,
		      uint64_t length, struct str *headers, atomic_bool *stop);

/* Read the large file path in parallel.  Returns false, with p unchanged, if this is not possible. */
bool profile_read_parallel(struct profile *p, const char *path, const struct profile_filter *filter);

/* Add value to the value of stack in layer.  Totals must have been checked. */
void profile_add_value(struct profile *p, uint32_t stack, uint32_t layer, uint64_t value);

/* The layer with this name, a new one if there is none; UINT32_MAX if there are too many. */
uint32_t profile_layer_called(struct profile *p, const char *name, size_t len);

/* The layer of the window that contains time_ns; UINT32_MAX if it is too far away from the others. */
uint32_t profile_layer_at(struct profile *p, uint64_t time_ns, uint64_t start_ns, uint64_t step_ns);

/* Begin the first differential line: values that were read earlier belong to layer 1. */
void profile_begin_columns(struct profile *p);

#endif
