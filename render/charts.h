/* charts: all kinds of pictures: one row each. */
#ifndef RENDER_CHARTS_H
#define RENDER_CHARTS_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry *const charts[]; /* then NULL */

#endif
