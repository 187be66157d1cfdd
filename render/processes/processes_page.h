/* processes_page: the scripts and the style of processes. */
#ifndef RENDER_PROCESSES_PROCESSES_PAGE_H
#define RENDER_PROCESSES_PROCESSES_PAGE_H

#include "render/drawing/page.h"

extern const struct page processes_page;

#endif
