/* events: each event of ours has its row, and no other has. */
#include <string.h>

#include "core/format/events.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

int main(void)
{
	static const char *const names[] = { RECORDING_EVENTS };
	enum { EVENTS = sizeof(names) / sizeof(*names) };
	unsigned count = 0;

	for (unsigned i = 0; i < EVENTS; i++) {
		const struct event_row *row = event_row_of(names[i]);

		CHECK(row->name && !strcmp(row->name, names[i]));
		CHECK(row->palette && row->noun && row->singly);
	}
	while (event_row_at(count))
		count++;
	CHECK(count == EVENTS);
	CHECK(event_row_of(NULL) == event_row_of("cycles"));
	CHECK(!event_row_of("sched, cycles")->title && !event_row_of(NULL)->tells);
	return check_done();
}
