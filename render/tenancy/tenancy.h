/* tenancy: the two forms of "render tenancy": over time (timeline/), and as sums (bars/). */
#ifndef RENDER_TENANCY_TENANCY_H
#define RENDER_TENANCY_TENANCY_H

struct timeline;
struct bars_style;

/* Write the sums of an arranged timeline as bars.  Returns the exit status. */
int tenancy_draw_sums(const struct timeline *t, const struct bars_style *style, const char *path);

#endif
