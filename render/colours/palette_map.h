/* palette_map: colours by name that are kept from picture to picture, in
 * flamegraph.pl's "palette.map":
 *
 *     malloc->rgb(232,85,17)
 *     operator->->rgb(209,45,1)        the last "->" counts
 *     my_hot_spot->#ff0000             written by hand
 */
#ifndef RENDER_PALETTE_MAP_H
#define RENDER_PALETTE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"

/* The default name of the file. */
#define PALETTE_MAP "palette.map"

struct palette_map { /* {0} is empty */
	struct intern names;
	uint32_t *rgb; /* by id in names */
	size_t cap;
	bool changed; /* since it was read */
};

/* Read path; a missing file gives an empty map.  A bad line is reported and
 * skipped.  Returns 0, or -1 after a message if the file could not be read. */
int palette_map_read(struct palette_map *m, const char *path);

/* Returns false when name has no colour in the map. */
bool palette_map_find(const struct palette_map *m, const char *name, size_t len, uint32_t *rgb);

/* Give name a colour; the last one counts. */
void palette_map_add(struct palette_map *m, const char *name, size_t len, uint32_t rgb);

/* Write the map to path if it changed, sorted by name.  Returns 0, or -1 after a
 * message; the old file is then unchanged. */
int palette_map_write(const struct palette_map *m, const char *path);

void palette_map_free(struct palette_map *m);

#endif
