#include "collect/run/sources.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"

/* How long in advance sources are told of the begin and the end. */
enum { BEGIN_LEAD_NS = 2000000, END_LEAD_NS = 500000 };

static bool has_cgroup(const struct source *s)
{
	return s->cgroup && *s->cgroup;
}

/* All sources must have the option, since a source without it would record the whole machine. */
static void check_cgroup(struct collection *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		if (!c->sources[i]->cgroup)
			die_usage("--cgroup: %s cannot be limited to a control group: leave it out, or "
				  "choose by -p or --name",
				  c->sources[i]->name);
	}
	if (c->opt.command || selection_given(&c->opt.selection))
		die_usage("--cgroup and -p, -t, --name or a COMMAND exclude each other");
	c->opt.all = true; /* the BPF programs filter */
}

/* Spans that can meet a condition must be recorded one by one, and spans that windows may cut, too. */
static void lower_single(const struct collection *c, const struct source *s)
{
	uint64_t least = conditions_least(&c->flight.conditions, s->name);

	if (c->opt.between && !*s->single_ns)
		*s->single_ns = 1;

	if (least != UINT64_MAX && (!*s->single_ns || *s->single_ns > least))
		*s->single_ns = least;
}

static void say_any_cpu(const struct collection *c)
{
	struct str names = { 0 };

	for (size_t i = 0; c->opt.cpus && i < c->source_count; i++) {
		if (c->sources[i]->on_any_cpu)
			str_addf(&names, "%s%s", names.len ? ", " : "", c->sources[i]->name);
	}
	if (names.len)
		inform("-C does not limit %s: recorded on all CPUs", names.buf);
	str_free(&names);
}

void sources_check(struct collection *c)
{
	bool cgroup = false;

	for (size_t i = 0; i < c->source_count; i++) {
		const struct source *s = c->sources[i];

		if (s->single_ns)
			lower_single(c, s);
		if (s->check)
			s->check(c);
		cgroup |= has_cgroup(s);
	}
	if (cgroup)
		check_cgroup(c);
	say_any_cpu(c);
}

#define OWN(what) (s->what ? s->what(c) : 0)
#define OWN_OR_OF_LIFE(what) (s->what || !s->life ? OWN(what) : s->life->what(s->program, c))

/* Call the function in each source that has it, until one fails. */
#define UNTIL_ONE_FAILS(what, how)                              \
	int sources_##what(struct collection *c)                \
	{                                                       \
		for (size_t i = 0; i < c->source_count; i++) {  \
			const struct source *s = c->sources[i]; \
                                                                \
			if (how(what))                          \
				return -1;                      \
		}                                               \
		return 0;                                       \
	}

UNTIL_ONE_FAILS(prepare, OWN)
UNTIL_ONE_FAILS(retarget, OWN)
UNTIL_ONE_FAILS(start, OWN_OR_OF_LIFE)
UNTIL_ONE_FAILS(look, OWN)
UNTIL_ONE_FAILS(drain, OWN_OR_OF_LIFE)
UNTIL_ONE_FAILS(tick, OWN_OR_OF_LIFE)
UNTIL_ONE_FAILS(complete, OWN)

int sources_add_cpu(struct collection *c, int cpu)
{
	for (size_t i = 0; i < c->source_count; i++) {
		const struct source *s = c->sources[i];

		if (s->add_cpu && s->add_cpu(c, cpu))
			return -1;
	}
	return 0;
}

static void sources_wait_until(uint64_t ns)
{
	while (monotonic_ns() < ns)
		;
}

void sources_begin(struct collection *c)
{
	c->begin_ns = monotonic_ns() + BEGIN_LEAD_NS;
	for (size_t i = 0; i < c->source_count; i++) {
		const struct source *s = c->sources[i];

		if (s->begin)
			s->begin(c);
		else if (s->life)
			s->life->begin(s->program, c);
	}
	sources_wait_until(c->begin_ns);
}

uint64_t sources_end(struct collection *c)
{
	uint64_t end_ns = monotonic_ns() + END_LEAD_NS;

	for (size_t i = 0; i < c->source_count; i++) {
		const struct source *s = c->sources[i];

		if (s->end)
			s->end(c, end_ns);
		else if (s->life)
			s->life->end(s->program, end_ns);
	}
	sources_wait_until(end_ns);
	return end_ns;
}

struct source_losses sources_losses(const struct collection *c)
{
	struct source_losses sum = { 0 };

	for (size_t i = 0; i < c->source_count; i++) {
		sum.spans += source_lost(c->sources[i]);
		sum.events += source_missed(c->sources[i]);
	}
	return sum;
}

void sources_add_losses(const struct source_losses *since, const struct source_losses *until,
			uint64_t losses[LOSS_COUNT])
{
	losses[LOSS_lost_spans] += until->spans - since->spans;
	losses[LOSS_missed_events] += until->events - since->events;
}

void sources_forget_files(struct collection *c)
{
	file_list_drop(&c->recording.files);
	for (size_t i = 0; i < c->source_count; i++) {
		if (c->sources[i]->forget_files)
			c->sources[i]->forget_files(c);
	}
}

void sources_describe(struct collection *c, struct recording *r)
{
	for (size_t i = 0; i < c->source_count; i++) {
		if (c->sources[i]->describe)
			c->sources[i]->describe(c, r);
	}
}

int sources_stop(struct collection *c, uint64_t end_ns)
{
	int status = 0;

	for (size_t i = 0; i < c->source_count; i++) {
		const struct source *s = c->sources[i];

		if (s->stop && s->stop(c, end_ns))
			status = -1;
		c->recording.tally.losses[LOSS_missed_events] += source_missed(s);
	}
	return status;
}

int sources_verdict(struct collection *c)
{
	int status = 0;

	for (size_t i = 0; i < c->source_count; i++) {
		int own = c->sources[i]->verdict ? c->sources[i]->verdict(c) : 0;

		if (!status)
			status = own;
	}
	return status;
}

static void sources_add_source(struct str *out, const struct source *s, uint64_t lost)
{
	if (lost)
		str_addf(out, "%s%s %" PRIu64, out->len ? ", " : "", s->name, lost);
}

void sources_lost(const struct collection *c, struct losses_by_source *by)
{
	for (size_t i = 0; c->source_count > 1 && i < c->source_count; i++) {
		sources_add_source(&by->spans, c->sources[i], source_lost(c->sources[i]));
		sources_add_source(&by->events, c->sources[i], source_missed(c->sources[i]));
	}
}

void sources_free(const struct collection *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		if (c->sources[i]->free)
			c->sources[i]->free();
	}
}
