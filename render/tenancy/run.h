/* run: "render tenancy" in the list of charts. */
#ifndef RENDER_TENANCY_RUN_H
#define RENDER_TENANCY_RUN_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry tenancy_entry;

#endif
