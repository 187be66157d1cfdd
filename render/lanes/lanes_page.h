/* lanes_page: the scripts and the style of lanes. */
#ifndef RENDER_LANES_LANES_PAGE_H
#define RENDER_LANES_LANES_PAGE_H

#include "render/drawing/page.h"

extern const struct page lanes_page;

#endif
