#include "render/charts.h"

#include "render/flame/run.h"
#include "render/heat/run.h"
#include "render/states/run.h"
#include "render/tenancy/run.h"
#include "render/timeline/timeline_page.h"

const struct chart_entry *const charts[] = { &flame_entry,   &heat_entry,     &states_entry,
					     &tenancy_entry, &timeline_entry, NULL };
