#include "collect/processes/tracked_process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "collect/machine/procfs.h"
#include "collect/recording/spans.h"
#include "core/memory.h"

enum {
	PADDING = 8,
	BEFORE_MAX = 64, /* maximum of a process's programs: more than can begin within a timer tick */
};

void tracked_process_write(const struct process_output *o, const struct tracked_process *p, uint64_t end_ns,
			   enum recording_ended ended)
{
	static const char zeros[PADDING];
	static const uint64_t no_stack[] = { RECORDING_LABEL(RECORDING_LABEL_END, RECORDING_END_COMPLETE) };
	struct recording_process more = {
		.started_ns = p->start_ns,
		.cpu_ns = p->cpu_ns > p->cpu_before_ns ? p->cpu_ns - p->cpu_before_ns : 0,
		.peak_bytes = p->peak_bytes,
		.parent = p->parent,
		.begun = (uint16_t)p->begun,
		.ended = (uint16_t)ended,
		.status = p->status,
		.flags = p->flags | (p->cut ? RECORDING_ARGS_CUT : 0),
		.args_bytes = (uint32_t)p->args.len,
	};
	struct span span = {
		.pid = (int)p->pid,
		.tid = (int)p->pid,
		.cpu = UINT32_MAX,
		.time_ns = end_ns,
		.ns = end_ns > p->begin_ns ? end_ns - p->begin_ns : 0,
		.count = 1,
		.begin_ns = p->begin_ns,
		.flags = RECORDING_SINGLE | (ended == RECORDING_RUNS ? RECORDING_OPEN : 0),
		.chain = no_stack,
		.chain_count = 1,
	};
	struct str own = { 0 };

	span.longest_ns = span.ns;
	memcpy(more.name, p->name, sizeof(more.name));
	str_add(&own, (const char *)&more, sizeof(more));
	str_add(&own, str_text(&p->args), p->args.len);
	str_add(&own, zeros, (PADDING - own.len % PADDING) % PADDING);
	span_add_with(o->out, o->event, &span, own.buf, own.len);
	str_free(&own);
}

void tracked_process_write_open(const struct process_output *o, const struct tracked_process *p, uint64_t from_ns,
				uint64_t now_ns)
{
	struct tracked_process open = *p;
	uint64_t cpu_ns = p->cpu_ns > p->cpu_before_ns ? p->cpu_ns - p->cpu_before_ns : 0;

	if (open.begin_ns < from_ns && from_ns < now_ns) {
		open.cpu_before_ns = open.cpu_ns - (uint64_t)((double)cpu_ns * (double)(now_ns - from_ns) /
							      (double)(now_ns - p->begin_ns));
		open.begin_ns = from_ns;
		open.begun = RECORDING_BEFORE;
	}
	open.peak_bytes = tracked_process_peak(p->pid);
	tracked_process_write(o, &open, now_ns, RECORDING_RUNS);
}

/* CPU time of the first thread in excess of the time that has passed, as far as it counts. */
static uint64_t excess_of(const struct tracked_process *p)
{
	uint64_t wall_ns = p->end_ns > p->begin_ns ? p->end_ns - p->begin_ns : 0, more_ns, all_ns;

	if (p->main_ns <= p->main_before_ns + wall_ns || p->cpu_ns <= p->cpu_before_ns)
		return 0;
	more_ns = p->main_ns - p->main_before_ns - wall_ns;
	all_ns = p->cpu_ns - p->cpu_before_ns;
	return more_ns < all_ns ? more_ns : all_ns;
}

/* CPU time that the first thread could have used in addition. */
static uint64_t room_of(const struct tracked_process *p)
{
	uint64_t wall_ns = p->end_ns > p->begin_ns ? p->end_ns - p->begin_ns : 0;
	uint64_t main_ns = p->main_ns > p->main_before_ns ? p->main_ns - p->main_before_ns : 0;

	return wall_ns > main_ns ? wall_ns - main_ns : 0;
}

/* CPU time that could have been used in addition in p and in the programs before it. */
static uint64_t room_until(const struct tracked_process *p)
{
	uint64_t room_ns = 0;

	for (; p; p = p->before) {
		if (p->is_first)
			return UINT64_MAX;
		room_ns += room_of(p);
	}
	return room_ns;
}

void tracked_process_settle(struct tracked_process *p)
{
	uint64_t more_ns = excess_of(p), room_ns = p->is_first ? UINT64_MAX : room_until(p->before);

	if (more_ns > room_ns)
		more_ns = room_ns;
	while (more_ns) {
		p->main_before_ns += more_ns;
		p->cpu_before_ns += more_ns;
		if (p->is_first)
			return;
		p = p->before;
		room_ns = room_of(p);
		p->main_ns += more_ns;
		p->cpu_ns += more_ns;
		more_ns = more_ns > room_ns ? more_ns - room_ns : 0;
	}
}

static uint64_t cut_excess(struct tracked_process *p)
{
	uint64_t more_ns = excess_of(p);

	p->main_ns -= more_ns;
	p->cpu_ns -= more_ns;
	return more_ns;
}

void tracked_process_end_open(struct tracked_process *p, uint64_t end_ns)
{
	p->end_ns = end_ns;
	cut_excess(p);
}

static struct tracked_process *first_of(struct tracked_process *p)
{
	while (p->before->before)
		p = p->before;
	return p;
}

static void write_first(const struct process_output *o, struct tracked_process *p)
{
	struct tracked_process *next = first_of(p), *first = next->before;

	tracked_process_write(o, first, first->end_ns, RECORDING_REPLACED);
	tracked_process_free(first);
	next->before = NULL;
	p->before_count--;
}

void tracked_process_write_before(const struct process_output *o, struct tracked_process *p, uint64_t until_ns)
{
	while (p->before && first_of(p)->before->end_ns < until_ns)
		write_first(o, p);
}

void tracked_process_tell_before(const struct process_output *o, const struct tracked_process *p, uint64_t from_ns)
{
	for (p = p->before; p && p->end_ns >= from_ns; p = p->before)
		tracked_process_write(o, p, p->end_ns, RECORDING_REPLACED);
}

void tracked_process_free(struct tracked_process *p)
{
	while (p) {
		struct tracked_process *before = p->before;

		str_free(&p->args);
		free(p);
		p = before;
	}
}

uint64_t tracked_process_replace(const struct process_output *o, struct tracked_process *p)
{
	struct tracked_process *before = xmalloc(sizeof(*before));
	uint64_t more_ns;

	*before = *p;
	p->args = (struct str){ 0 };
	p->is_first = false;
	p->before = before;
	p->before_count++;
	tracked_process_settle(before);
	more_ns = cut_excess(before);
	if (p->before_count > BEFORE_MAX)
		write_first(o, p);
	return more_ns;
}

/* "VmHWM:	    4711 kB" */
uint64_t tracked_process_peak(uint32_t pid)
{
	struct str status = { 0 };
	const char *at = NULL;
	uint64_t kb = 0;

	if (!read_process((pid_t)pid, "status", &status) && status.len)
		at = strstr(status.buf, "\nVmHWM:");
	if (at)
		kb = strtoull(at + strlen("\nVmHWM:"), NULL, 10);
	str_free(&status);
	return kb * 1024;
}
