/* decode: the profile in a picture, read back from what encode.c wrote (encode.h
 * has the format).
 *
 * Pictures are not trusted: any input gives a profile or an error, and
 * memory grows only with the size of the file, whatever numbers it contains. */
#ifndef RENDER_DECODE_H
#define RENDER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "core/json.h"

struct decoded_name {
	size_t start, len; /* in decoded.text */
};

struct decoded_frame {
	uint32_t parent, name;
	uint64_t gap;       /* the parent's own value right before it */
	uint64_t folded;    /* how many frames a "..." frame stands for, else 0 */
	size_t first_value; /* end of its values, at which those of the next frame begin */
};

struct decoded_value {
	uint32_t layer;
	uint64_t value; /* in units of 10^-decimals */
};

struct decoded { /* {0} is empty */
	struct str text;
	struct decoded_name *names; /* the last one is "...", the name of some frames */
	size_t name_count, names_cap;
	struct decoded_frame *frames; /* depth first; [0] is the root */
	size_t frame_count, frames_cap;
	struct decoded_value *values; /* by frame and layer */
	size_t value_count, values_cap;
	char **layers; /* their names; at least one */
	size_t layer_count, layers_cap;
	unsigned decimals;
	struct str about, settings; /* JSON: see picture.h, flame_svg.c */
};

/* Read svg[0..len), a flame graph or a heat map.  Returns NULL, or what is wrong with it; d then holds no
 * profile, but must be freed as well. */
const char *decode(struct decoded *d, const char *svg, size_t len);

/* Append the text of all metadata elements whose id or class is label, with entities decoded and comments
 * removed.  Returns false if there is no such element. */
bool decode_text(struct str *out, const char *svg, size_t len, const char *label);

void decoded_free(struct decoded *d);

#endif
