/* legend: the meaning of a picture's colours, as rows of swatches.
 *
 *     ## grew   ## shrank   ## new   ## gone   ## unchanged (by less than 0.1%) */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include <stddef.h>
#include <stdint.h>

#include "render/drawing/canvas.h"

struct legend { /* {0} is empty */
	struct legend_entry {
		uint32_t rgb, dark_rgb; /* dark_rgb: in the theme's dark one */
		char *text;
		bool hatched;
	} * entries;
	size_t count, cap;
};

/* Add an entry; text is copied and may be empty (a step of a gradient). */
void legend_add(struct legend *l, uint32_t rgb, const char *text);

/* The same if the colour is another one in the dark. */
void legend_add_pair(struct legend *l, uint32_t rgb, uint32_t dark_rgb, const char *text);

/* The same for hatching. */
void legend_add_hatched(struct legend *l, uint32_t rgb, uint32_t dark_rgb, const char *text);

/* The height of the legend if it may be width_cpx wide; 0 if it is empty. */
int32_t legend_height(const struct legend *l, const struct font *font, int32_t width_cpx);

/* Draw it from x, y (its upper left corner), in a group of its own. */
void legend_draw(const struct legend *l, struct canvas *c, int32_t x, int32_t y, int32_t width_cpx);

/* Append it as JSON: [["#rrggbb","text"],...]. */
void legend_json(const struct legend *l, struct str *out);

void legend_free(struct legend *l);

#endif
