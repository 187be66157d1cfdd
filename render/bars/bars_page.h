/* bars_page: what pictures of charts of bars bring along for the browser. */
#ifndef RENDER_BARS_PAGE_H
#define RENDER_BARS_PAGE_H

#include "render/drawing/page.h"

extern const struct page bars_page;

#endif
