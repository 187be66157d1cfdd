/* sources: the losses of their BPF programs are in the recording, and by source in the summary; a window has the losses
 * of its time.  The functions of a source's life do what the source does not do itself. */
#include "collect/run/sources.h"

#include <string.h>

#include "collect/spans/span_program.h"
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

/* ---- lives ---- */

static struct str done;

static int life_start(struct span_program *p, struct collection *c)
{
	(void)c;
	str_addf(&done, "start %s, ", p->name);
	return 0;
}

static void life_begin(struct span_program *p, struct collection *c)
{
	(void)c;
	str_addf(&done, "begin %s, ", p->name);
}

static int life_drain(struct span_program *p, struct collection *c)
{
	(void)c;
	str_addf(&done, "drain %s, ", p->name);
	return 0;
}

static int life_tick(struct span_program *p, struct collection *c)
{
	(void)c;
	str_addf(&done, "tick %s, ", p->name);
	return -1;
}

static void life_end(struct span_program *p, uint64_t end_ns)
{
	str_addf(&done, "end %s%s", p->name, end_ns ? "" : " at 0");
}

static uint64_t life_lost(const struct span_program *p)
{
	return strlen(p->name);
}

static const char *life_obstacle(const struct span_program *p)
{
	return p->name;
}

static int own_drain(struct collection *c)
{
	(void)c;
	str_add(&done, "own, ", 5);
	return 0;
}

static void lives(void)
{
	static const struct source_life life = {
		.obstacle = life_obstacle,
		.start = life_start,
		.begin = life_begin,
		.drain = life_drain,
		.tick = life_tick,
		.lost = life_lost,
		.missed = life_lost,
		.end = life_end,
	};
	struct span_program program = { .name = "locks" };
	const struct source lives = { .life = &life, .program = &program },
			    partly = { .life = &life, .program = &program, .drain = own_drain, .lost = two },
			    alone = { .name = "cpu" }, *sources[] = { &alone, &lives };
	struct collection c = { .sources = sources, .source_count = 2 };

	CHECK(!sources_start(&c));
	sources_begin(&c);
	CHECK(!sources_drain(&c) && sources_tick(&c) < 0); /* what it returns, too */
	sources[0] = &partly;
	CHECK(!sources_drain(&c));
	c.source_count = 1;
	sources_end(&c);
	CHECK(!strcmp(str_text(&done),
		      "start locks, begin locks, drain locks, tick locks, own, drain locks, end locks"));
	str_free(&done);

	CHECK(source_lost(&lives) == 5 && source_missed(&lives) == 5 && !strcmp(source_obstacle(&lives), "locks"));
	CHECK(source_lost(&partly) == 2 && source_missed(&partly) == 5);
	CHECK(!source_lost(&alone) && !source_missed(&alone) && !source_obstacle(&alone));
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

	lives();
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
