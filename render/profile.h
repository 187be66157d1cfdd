/* profile: folded lines, merged into a trie by (parent, frame name).
 *
 *     main;read 3           nodes:  0 all ── 1 main ─┬─ 2 read  (self 3)
 *     main;write 4                                   └─ 3 write (self 4)
 *
 * A node's number is always greater than its parent's. */
#ifndef RENDER_PROFILE_H
#define RENDER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "render/dimension.h"
#include "render/source.h"

struct profile_node {
	uint32_t parent, name; /* name is an id in profile.names */
	uint64_t self;         /* of the stacks that end here */
};

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
};

/* Which lines to take, and how.  {0} takes all. */
struct profile_filter {
	struct regexp **include; /* a line must match one of these, if there are any */
	size_t include_count;
	struct regexp **exclude; /* and none of these */
	size_t exclude_count;
	bool reverse;            /* leaf first: merge the stacks from their leaves */
	struct dimension *split; /* by this frame, or NULL */
};

/* Add the folded lines of path ("-" is stdin).  A bad line is reported, counted
 * and skipped.  Returns 0, or -1 after a message if path could not be read. */
int profile_read(struct profile *p, const char *path, const struct profile_filter *filter);

/* Free the tables that only profile_read() needs. */
void profile_close(struct profile *p);

void profile_free(struct profile *p);

#endif
