/* events: each row is complete, and found by its name; other events have no row. */
#include <string.h>

#include "core/format/events.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

int main(void)
{
	const struct event_row *row;
	unsigned count = 0;

	for (; (row = event_row_at(count)); count++) {
		CHECK(event_row_of(row->name) == row);
		CHECK(strlen(row->name) <= 8); /* all letters of its name are in the attribute of the event */
		CHECK(row->source && row->palette && row->noun && row->singly);
		CHECK(!row->detail || row->when);
	}
	CHECK(count > 10);
	CHECK(event_row_of(NULL) == event_row_of("cycles"));
	CHECK(!strcmp(event_row_of("cycles")->source, "cpu"));
	CHECK(!event_row_of("sched, cycles")->title && !event_row_of(NULL)->tells);
	return check_done();
}
