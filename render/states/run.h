/* run: "render states" in the list of charts. */
#ifndef RENDER_STATES_RUN_H
#define RENDER_STATES_RUN_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry states_entry;

#endif
