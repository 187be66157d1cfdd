/* "render tenancy" of sums: a bar for each row, as long as it ran. */
#include "render/tenancy.h"
#include "render/bars/chart.h"
#include "render/timeline/timeline.h"

int tenancy_draw_sums(const struct timeline *t, const struct bars_style *style, const char *path)
{
	(void)t;
	return bars_write_empty(style, "tenancy", "CPU Tenancy", "to be done", path) < 0;
}
