/* timeline_page: what pictures of timelines bring along for the browser. */
#ifndef RENDER_TIMELINE_PAGE_H
#define RENDER_TIMELINE_PAGE_H

#include "render/drawing/chart_entry.h"

extern const struct page timeline_page;
extern const struct chart_entry timeline_entry; /* without a verb: "render tenancy" draws it */

#endif
