#include "render/bars/bars_events.h"

#include <string.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "render/profile/line.h"

int bars_events_check(const struct folded_source *header, const char *path, const char *collapse)
{
	const char *events = source_get(header, FOLDED_EVENT);
	const struct event_row *ours;

	/* The names of other events may have commas. */
	for (unsigned i = 0; events && strchr(events, ',') && (ours = event_row_at(i)); i++) {
		if (line_column(events, ours->name) >= 0)
			return error("%s: the lines are of several events (%s), whose times overlap: "
				     "pyrograph collapse %sREC takes the scheduler's",
				     path, events, collapse);
	}
	return 0;
}
