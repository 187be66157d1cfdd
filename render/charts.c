#include "render/charts.h"

#include <stddef.h>

#define DECLARE(name) extern const struct chart_entry name##_entry;
CHARTS(DECLARE)
#undef DECLARE

#define ROW(name) &name##_entry,
const struct chart_entry *const charts[] = { CHARTS(ROW) NULL };
