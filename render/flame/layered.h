/* layered: what a picture of several layers shows in addition to a plain one. */
#ifndef RENDER_LAYERED_H
#define RENDER_LAYERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/drawing/legend.h"
#include "render/profile/source.h"

struct layered {        /* {0} adds nothing */
	struct origin { /* a line of the heading for each input */
		char *name;
		const uint64_t *totals; /* [frame] NULL: no total is shown */
		const struct folded_source *source;
	} * origins;
	size_t origin_count, origin_cap;
	bool says_origin; /* do not show the joined header of all inputs */
	struct str note;  /* a line of the heading: how the inputs were combined */
	struct legend legend;
	struct str settings;        /* members for flame-settings, each after a comma */
	struct folded_source about; /* more for <metadata id="pyrograph"> (picture.h) */
	const uint64_t *totals;     /* [frame] the picture's totals; NULL: its widths */
};

/* Add an input; name is copied, totals and source must outlive l. */
void layered_add_origin(struct layered *l, const char *name, const uint64_t *totals,
			const struct folded_source *source);

/* Add source to l->about, with "prefix_" before each key. */
void layered_about(struct layered *l, const char *prefix, const struct folded_source *source);

void layered_free(struct layered *l);

#endif
