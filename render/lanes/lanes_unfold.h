/* lanes_unfold: the lines that an SVG of lanes was made from. */
#ifndef RENDER_LANES_LANES_UNFOLD_H
#define RENDER_LANES_LANES_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As in struct chart_entry. */
bool lanes_is_in(const char *svg, size_t len);
int lanes_unfold(FILE *out, const char *svg, size_t len, const char *path);

/* Write the lines of the lanes whose data is called id (lanes_strip.h).  Returns 0, or -1 after a message. */
int lanes_unfold_data(FILE *out, const char *svg, size_t len, const char *path, const char *id);

#endif
