#include "render/lanes/lanes_columns.h"

#include "core/memory.h"
#include "render/profile/number.h"

/* Until when a value holds: until the next one, or until it should have been repeated. */
static uint64_t lanes_columns_end_of(const struct lanes *l, const struct lanes_lane *lane, size_t point)
{
	uint64_t next = point + 1 < lane->first + lane->count ? l->points[point + 1].time_ns : l->end_ns;
	uint64_t known = l->points[point].time_ns + LANES_KNOWN_NS;

	if (lane->is_event)
		return l->points[point].time_ns;
	return lane->is_silent || known > next ? next : known;
}

static void lanes_columns_add(struct lanes_column *c, uint64_t value)
{
	c->least = !c->known || value < c->least ? value : c->least;
	c->most = !c->known || value > c->most ? value : c->most;
	c->known = true;
}

struct lanes_column *lanes_columns(const struct lanes *l, const struct lanes_lane *lane, size_t count)
{
	struct lanes_column *columns = xcalloc(count + 1, sizeof(*columns));
	uint64_t window = l->end_ns - l->start_ns;

	for (size_t i = lane->first; i < lane->first + lane->count; i++) {
		uint64_t end = lanes_columns_end_of(l, lane, i);
		size_t from = (size_t)scale_u64(l->points[i].time_ns - l->start_ns, count, window);
		size_t to = (size_t)scale_u64(end - l->start_ns, count, window);

		for (size_t k = from; k <= to && k < count; k++)
			lanes_columns_add(&columns[k], l->points[i].value);
	}
	return columns;
}
