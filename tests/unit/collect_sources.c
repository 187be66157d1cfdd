/* sources: what their BPF programs lost is in the recording, and by source in the summary; a window has what was lost in it. */
#include "collect/run/sources.h"

#include <string.h>

#include "tests/unit/check.h"

static uint64_t events = 3;

static uint64_t two(void)
{
	return 2;
}

static uint64_t some(void)
{
	return events;
}

int main(void)
{
	const struct source locks = { .name = "locks", .missed = some },
			    io = { .name = "io", .lost = two, .missed = two }, cpu = { .name = "cpu" },
			    *sources[] = { &cpu, &locks, &io };
	struct collection c = { .sources = sources, .source_count = 3 };
	uint64_t *losses = c.recording.tally.losses, window[LOSS_COUNT] = { 0 };
	struct losses_by_source by = { 0 };
	struct source_losses before, after;

	CHECK(!sources_stop(&c, 0));
	CHECK(losses[LOSS_missed_events] == 5);
	sources_lost(&c, &by);
	CHECK(!strcmp(str_text(&by.spans), "io 2"));
	CHECK(!strcmp(str_text(&by.events), "locks 3, io 2"));
	losses_by_source_free(&by);

	before = sources_losses(&c);
	events = 7;
	after = sources_losses(&c);
	sources_add_losses(&before, &after, window);
	CHECK(window[LOSS_missed_events] == 4 && !window[LOSS_lost_spans]);

	c.sources = sources + 1;
	c.source_count = 1; /* one that is alone needs no name */
	sources_lost(&c, &by);
	CHECK(!by.events.len && !by.spans.len);
	losses_by_source_free(&by);
	return check_done();
}
