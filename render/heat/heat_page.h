/* heat_page: the scripts and styles in pictures of heat maps. */
#ifndef RENDER_HEAT_PAGE_H
#define RENDER_HEAT_PAGE_H

#include "render/drawing/page.h"

extern const struct page heat_page;

#endif
