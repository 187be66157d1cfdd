/* timeline_page: the scripts and styles in pictures of timelines. */
#ifndef RENDER_TIMELINE_PAGE_H
#define RENDER_TIMELINE_PAGE_H

#include "render/drawing/chart_entry.h"

extern const struct page timeline_page;
extern const struct chart_entry timeline_entry; /* without a verb: "render tenancy" draws it */

#endif
