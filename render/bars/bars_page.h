/* bars_page: the scripts and styles in pictures of bar charts. */
#ifndef RENDER_BARS_PAGE_H
#define RENDER_BARS_PAGE_H

#include "render/drawing/page.h"

extern const struct page bars_page;

#endif
