/* processes_unfold: the lines that an SVG of processes was made from; arguments may be cut. */
#ifndef RENDER_PROCESSES_PROCESSES_UNFOLD_H
#define RENDER_PROCESSES_PROCESSES_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As in struct chart_entry. */
bool processes_is_in(const char *svg, size_t len);
int processes_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
