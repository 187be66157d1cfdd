#include "collect/processes/tracked_process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "collect/machine/procfs.h"
#include "collect/recording/spans.h"

enum { PADDING = 8 };

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
