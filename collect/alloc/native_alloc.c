#include "collect/alloc/native_alloc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bpf/native_alloc.h"
#include "collect/alloc/native_program.h"
#include "collect/machine/procfs.h"
#include "collect/run/collection.h"
#include "collect/sampling/output_event.h"
#include "collect/sampling/stack_walk.h"
#include "core/error.h"
#include "core/unwind/unwinder.h"

static struct {
	double interval;
	size_t event;
	double bytes, objects; /* fractions not recorded yet: each less than 1 */
} run;

/* ---- samples ---- */

/* Take the integer part of *amount; the fraction stays there, so that many small amounts lose nothing. */
static uint64_t take_whole(double *amount)
{
	double whole = floor(*amount);

	*amount -= whole;
	return (uint64_t)whole;
}

/* An allocation of n bytes is sampled with the probability p = 1 - exp(-n / interval), and stands for 1 / p such
 * allocations. */
bool native_alloc_weigh(struct walked_sample *s)
{
	struct native_alloc_sample sample;
	double chance;

	if (s->raw_len < sizeof(sample))
		return false;
	memcpy(&sample, s->raw, sizeof(sample));
	chance = -expm1(-(double)sample.bytes / run.interval);
	run.bytes += (double)sample.bytes / chance;
	run.objects += 1 / chance;
	s->weight = take_whole(&run.bytes);
	s->span.count = take_whole(&run.objects);
	s->span.longest_ns = sample.bytes;
	if (s->span.count != 1)
		s->span.flags &= ~(uint32_t)RECORDING_SINGLE;
	return true;
}

/* ---- the source ---- */

/* The targets, if they are single threads; NULL: they are whole processes. */
static const struct targets *single_threads(const struct collection *c)
{
	return c->opt.selection.tids.count || c->opt.selection.thread ? collection_targets(c) : NULL;
}

int native_alloc_prepare(struct collection *c, uint64_t interval, uint32_t stack_bytes,
			 bool (*made)(void *self, struct walked_sample *s))
{
	struct sampling how = collection_sampling(c);
	struct native_rules rules = {
		.interval = interval,
		.targets = single_threads(c),
		.inherit = !c->opt.no_inherit,
	};

	if (!unwind_sample_registers())
		return error("alloc --native works on x86-64 and aarch64");
	if (native_program_load(&rules))
		return -1;
	run.interval = (double)interval;
	how.stack_bytes = stack_bytes;
	how.user_only = true; /* probes are on user functions */
	run.event = output_event_add(&c->events, RECORDING_ALLOC, &how);
	c->events.list[run.event].made = made;
	return 0;
}

/* For all processes: probe the files that they map now. */
static int attach_everywhere(void)
{
	struct pids pids = { 0 };
	int status = 0, found = 0;

	pids_read(&pids, "/proc");
	for (size_t i = 0; i < pids.count && status >= 0; i++) {
		status = native_program_attach_everywhere(pids.list[i]);
		found += status > 0;
	}
	pids_free(&pids);
	if (status < 0)
		return -1;
	return found ? 0 : error("alloc --native: no process has a malloc() that could be seen");
}

static int attach_targets(struct collection *c)
{
	const struct pids *pids = &c->targets.processes;
	int found = 0;

	for (size_t i = 0; i < pids->count; i++) {
		int count = native_program_attach(pids->list[i]);

		if (count < 0)
			return -1;
		found += count;
	}
	return found ? 0
		     : error("alloc --native: no malloc() found in the %s (is it a static program without "
			     "symbols?)",
			     pids->count == 1 ? "process" : "processes");
}

int native_alloc_start(struct collection *c)
{
	if (native_program_start(&c->events.list[run.event], single_threads(c)))
		return -1;
	if (c->whole_machine)
		return attach_everywhere();
	if (c->opt.command)
		return native_program_attach_command(c->command.pid, c->opt.command[0]);
	return attach_targets(c);
}

/* A COMMAND may use another malloc() than expected: probe what it has mapped by now. */
int native_alloc_drain(struct collection *c)
{
	if (c->opt.command && !c->whole_machine && native_program_attach(c->command.pid) < 0)
		return -1;
	return 0;
}

void native_alloc_stop(void)
{
	native_program_stop();
}

void native_alloc_free(void)
{
	native_program_free();
}
