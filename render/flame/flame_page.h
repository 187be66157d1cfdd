/* flame_page: the scripts and styles in pictures of flame graphs. */
#ifndef RENDER_FLAME_PAGE_H
#define RENDER_FLAME_PAGE_H

#include "render/drawing/page.h"

extern const struct page flame_page;

#endif
