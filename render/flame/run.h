/* run: "render flame" in the list of charts. */
#ifndef RENDER_FLAME_RUN_H
#define RENDER_FLAME_RUN_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry flame_entry;

#endif
