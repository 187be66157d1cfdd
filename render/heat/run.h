/* run: "render heat" in the list of charts. */
#ifndef RENDER_HEAT_RUN_H
#define RENDER_HEAT_RUN_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry heat_entry;

#endif
