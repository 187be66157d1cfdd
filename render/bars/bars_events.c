#include "render/bars/bars_events.h"

#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "render/profile/line.h"

int bars_events_check(const struct folded_source *header, const char *path, const char *collapse)
{
	static const char *const ours[] = { RECORDING_EVENTS };
	const char *events = source_get(header, FOLDED_EVENT);

	/* The names of other events may have commas. */
	for (size_t i = 0; events && strchr(events, ',') && i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (line_column(events, ours[i]) >= 0)
			return error("%s: the lines are of several events (%s), whose times overlap: "
				     "pyrograph collapse %sREC takes the scheduler's",
				     path, events, collapse);
	}
	return 0;
}
