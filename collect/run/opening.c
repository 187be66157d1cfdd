#include "collect/run/opening.h"

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "collect/run/side_band.h"
#include "collect/run/sources.h"
#include "core/error.h"

enum { LOOK_NS = 50000000 };

int opening_look_again(struct collection *c)
{
	if (session_wait(&c->session, LOOK_NS) & SESSION_OVER)
		return error("nothing was recorded: no such process appeared");
	targets_free(&c->targets);
	targets_find(&c->targets, &c->opt.selection, false);
	return 0;
}

static int wait_for_targets(struct collection *c)
{
	while (!c->targets.count) {
		if (opening_look_again(c))
			return -1;
	}
	return 0;
}

/* Pause before waiting for targets again, since a zombie that nobody waits for is found again and again. */
int opening_wait_again(struct collection *c)
{
	if (!c->waits_again)
		inform("the target ended before it could be recorded: still waiting");
	c->waits_again = true;
	return opening_look_again(c) || wait_for_targets(c) ? -1 : 0;
}

int opening_find(struct collection *c)
{
	const struct collect_options *o = &c->opt;
	struct str wanted = { 0 };

	if (!selection_given(&o->selection))
		return 0;
	if (!o->wait)
		return targets_find(&c->targets, &o->selection, true) ? 0 : -1;
	if (targets_find(&c->targets, &o->selection, false))
		return 0;
	selection_describe(&o->selection, &wanted);
	inform("waiting for %s", wanted.buf);
	str_free(&wanted);
	return wait_for_targets(c);
}

/* The command is one more target: a task before its exec.  Look again for threads that the targets have started
 * meanwhile; otherwise these and their children would be missing. */
static int open_once(struct collection *c)
{
	struct target child = { c->command.pid, c->command.pid };
	struct targets just_child = { .list = &child, .count = 1 };
	const struct targets *targets = c->opt.command ? &just_child : &c->targets;
	struct sampling how = collection_sampling(c);
	int err;

	if (c->whole_machine)
		targets = NULL;
	err = sampler_prepare(&c->sampler, &c->events, &c->all_cpus, &c->cpus, targets, &how);
	if (err)
		return err;
	if (side_band_is_narrowed(c))
		c->sampler.rings.is_target = c->is_target;
	targets_find(&c->targets, &c->opt.selection, false);
	return sampler_open(&c->sampler, &c->events, &c->cpus, targets, &how);
}

int opening_sampler(struct collection *c)
{
	int err;

	while ((err = open_once(c)) == SAMPLER_GONE) {
		if (!c->opt.wait)
			return error("%s", proc_obstacle() ?: "the target ended before it could be recorded");
		sampler_free(&c->sampler);
		events_forget_fds(&c->events);
		if (opening_wait_again(c) || sources_retarget(c))
			return -1;
	}
	return err;
}

/* Look for the present threads of the targets, since no event follows them yet on a new CPU. */
static int open_cpu(struct collection *c, int cpu)
{
	bool is_new = !rings_of_cpu(&c->sampler.rings, cpu), chosen = cpus_have(&c->cpus, cpu);
	struct target child = { c->command.pid, c->command.pid };
	struct targets just_child = { .list = &child, .count = 1 };
	const struct targets *targets = c->opt.command ? &just_child : &c->targets;
	struct ring *ring;
	int status;

	if (is_new && !c->opt.cpus) {
		cpus_add(&c->cpus, cpu);
		chosen = true;
	}
	if (is_new && !c->opt.command)
		targets_find(&c->targets, &c->opt.selection, false);
	status = sampler_add_cpu(&c->sampler, &c->events, cpu, chosen, c->whole_machine ? NULL : targets);
	ring = is_new ? rings_of_cpu(&c->sampler.rings, cpu) : NULL;
	if (ring) {
		cpus_add(&c->all_cpus, cpu);
		session_add_data(&c->session, ring->fd);
	}
	return status || (chosen && sources_add_cpu(c, cpu)) ? -1 : 0;
}

void opening_follow_cpus(struct collection *c)
{
	size_t at = 0;
	int cpu;

	if (!c->hotplug.begun)
		return;
	hotplug_look(&c->hotplug, monotonic_ns());
	while ((cpu = hotplug_next(&c->hotplug, &at)) >= 0) {
		if (!open_cpu(c, cpu))
			hotplug_opened(&c->hotplug, cpu, monotonic_ns());
	}
}

const struct targets *opening_targets(const struct collection *c, struct targets *again)
{
	const struct targets *targets = collection_targets(c);

	if (targets)
		targets_find(again, &c->opt.selection, false);
	return again->count ? again : targets;
}

int opening_start_program(struct collection *c, int (*start)(const struct targets *targets, int command))
{
	struct targets again = { 0 };
	int status = start(opening_targets(c, &again), c->command.pid);

	targets_free(&again);
	return status;
}
