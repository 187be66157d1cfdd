/* timeline_page: the scripts and styles in pictures of timelines. */
#ifndef RENDER_TIMELINE_PAGE_H
#define RENDER_TIMELINE_PAGE_H

#include "render/drawing/page.h"

extern const struct page timeline_page;

#endif
