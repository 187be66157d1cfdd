/* flame_page: what pictures of flame graphs bring along for the browser. */
#ifndef RENDER_FLAME_PAGE_H
#define RENDER_FLAME_PAGE_H

#include "render/drawing/page.h"

extern const struct page flame_page;

#endif
