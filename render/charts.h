/* charts: the list of charts, one entry for each kind of picture. */
#ifndef RENDER_CHARTS_H
#define RENDER_CHARTS_H

#include "render/drawing/chart_entry.h"

extern const struct chart_entry *const charts[]; /* ended by NULL */

#endif
