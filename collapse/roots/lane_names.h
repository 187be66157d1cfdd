/* lane_names: the quantities that samples refer to by number (RECORDING_LANES). */
#ifndef COLLAPSE_ROOTS_LANE_NAMES_H
#define COLLAPSE_ROOTS_LANE_NAMES_H

#include <stddef.h>

#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

struct lane_name { /* points into the recording */
	const char *unit, *name;
	size_t unit_len, len;
};

struct lane_names { /* {0} is empty */
	struct lane_name *list;
	size_t count, cap;
};

void lane_names_read(struct lane_names *l, const struct perfdata *d);

/* Add a quantity that is not in the recording; returns its number.  The texts must outlive l. */
size_t lane_names_add(struct lane_names *l, const char *unit, const char *name);

/* Append the frames of the quantity's name, each after a ';'. */
void lane_name_add(const struct lane_name *name, struct str *out);

/* Append a comment for each quantity that has a unit (core/format/folded.h). */
void lane_names_comments(const struct lane_names *l, struct str *out);

void lane_names_free(struct lane_names *l);

#endif
