/* chart_entry: what the program knows about a kind of picture.  Each has a folder, and a row in render/charts.h. */
#ifndef RENDER_DRAWING_CHART_ENTRY_H
#define RENDER_DRAWING_CHART_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/verbs.h"
#include "render/drawing/page.h"

struct chart_entry {
	struct verb verb; /* run is NULL when another chart's verb draws it */
	const struct page *page;
	/* Does the picture svg[0..len) hold the data of such a chart?  NULL: this chart takes all pictures that no
	 * other chart takes. */
	bool (*is_in)(const char *svg, size_t len);
	/* Write the folded lines that the picture was made from.  Any bytes are accepted.  Returns 0, or -1 after a
	 * message (path names the picture). */
	int (*unfold)(FILE *out, const char *svg, size_t len, const char *path);
};

#endif
