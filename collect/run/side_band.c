#include "collect/run/side_band.h"

#include "collect/recording/synthesis.h"
#include "collect/run/collection.h"
#include "core/error.h"
#include "core/symbols/kallsyms.h"

static bool samples_nothing(const struct collection *c)
{
	for (size_t i = 0; i < c->events.count; i++) {
		if (!event_is_ours(&c->events.list[i]))
			return false;
	}
	return true;
}

/* Do we need names and mappings of other processes, too? */
static bool needs_everybody(const struct collection *c)
{
	/* Those that are found later have their names and mappings from before. */
	if (c->whole_machine || samples_nothing(c) || c->opt.selection.belongs)
		return true;
	for (size_t i = 0; i < c->source_count; i++) {
		if (c->sources[i]->looks_at_everybody)
			return true;
	}
	return false;
}

/* Even if only the targets' names and mappings are needed, it can be cheaper to have the kernel report everybody's: an
 * event of a thread adds 0.6 us to each of its switches, and events of many threads take long to end (watch_ring() in
 * collect/sampling/sampler.c); an event on each CPU does neither. */
static bool looks_at_everybody(const struct collection *c)
{
	for (size_t i = 0; i < c->events.count; i++) { /* otherwise events would be inherited only for this */
		if (c->events.list[i].filter && c->events.list[i].everybody)
			return true;
	}
	return needs_everybody(c);
}

/* Is the event unable to report names and mappings, even if it is on the targets? */
static bool is_special(const struct event *e)
{
	return event_is_ours(e) || e->everybody || e->recorded_as;
}

void side_band_add(struct collection *c)
{
	bool everybody = !c->whole_machine && looks_at_everybody(c);
	/* A thread that runs on one CPU may have been named on another. */
	bool everywhere = everybody || c->cpus.count < c->all_cpus.count;
	struct sampling how = collection_sampling(c);
	struct event *e;

	how.period = 1;
	c->side_band = 0;
	while (c->side_band < c->events.count && (everywhere || is_special(&c->events.list[c->side_band])))
		c->side_band++;
	if (c->side_band == c->events.count) {
		if (everybody)
			how.inherit = how.on_exec = false;
		events_add_dummy(&c->events);
		e = &c->events.list[c->side_band];
		event_configure(e, &how);
		e->everybody = everybody;
		e->everywhere = everywhere;
		e->attr.disabled = !everybody; /* otherwise the event sees the command start */
	}
	event_add_side_band(&c->events.list[c->side_band]);
}

bool side_band_is_narrowed(const struct collection *c)
{
	return c->is_target && !needs_everybody(c);
}

static bool wants_kernel(const struct events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		if (!events->list[i].attr.exclude_kernel)
			return true;
	}
	return false;
}

/* Does the walker's thread walk, or otherwise complete, the samples of any event? */
static bool any_walked(const struct events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		if (event_is_walked(&events->list[i]) || event_lacks_period(&events->list[i]))
			return true;
	}
	return false;
}

void side_band_state(const struct collection *c, bool everybody, struct synthesis *s)
{
	s->id = c->events.list[c->side_band].ids[0];
	synthesize_cpus(s, &c->cpus);
	synthesize_kernel(s);
	if (everybody)
		synthesize_processes(s, NULL);
	else
		synthesize_processes(s, &c->targets.processes);
}

int side_band_begin(struct collection *c)
{
	struct synthesis s = { 0 };
	struct iovec records;
	int status;

	side_band_state(c, needs_everybody(c), &s);
	if (s.kernel_hidden && wants_kernel(&c->events))
		warn("kernel frames get no names: %s", kallsyms_obstacle());
	records = (struct iovec){ s.out.buf, s.out.len };
	status = recording_append(&c->recording, &records, 1);
	if (any_walked(&c->events))
		c->walker = walker_start(&c->events, &s.out,
					 collection_is_always_on(c) ? WALKER_LIMIT_ALWAYS : WALKER_LIMIT);
	if (any_walked(&c->events) && !c->walker) {
		c->recording.failed = true; /* there will be no sample */
		status = -1;
	}
	synthesis_free(&s);
	return status;
}
