/* picture: writes a picture's metadata (core/format/picture.h). */
#ifndef RENDER_DRAWING_PICTURE_H
#define RENDER_DRAWING_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/format/picture.h"
#include "core/str.h"
#include "render/profile/source.h"

struct picture {
	const char *kind, *title, *unit;
	bool has_idle;
	uint64_t idle;                         /* the part of the total that is of idle CPUs */
	uint64_t total, longest;               /* longest: 0 if the picture is not of waits */
	const char *thread, *headline, *notes; /* may be NULL */
	const struct folded_source *source;
	const struct folded_source *about; /* more keys, such as base_host; may be NULL */
};

/* Append the metadata element, and for the ear the title and a description: headline, summary (may be NULL), notes. */
void picture_add(struct str *out, const struct picture *p, const char *summary);

#endif
