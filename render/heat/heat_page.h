/* heat_page: what pictures of heat maps bring along for the browser. */
#ifndef RENDER_HEAT_PAGE_H
#define RENDER_HEAT_PAGE_H

#include "render/drawing/page.h"

extern const struct page heat_page;

#endif
