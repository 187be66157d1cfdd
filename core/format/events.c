#include "core/format/events.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/format/recording.h"

static const struct event_row rows[] = {
	{ .name = RECORDING_SCHED,
	  .kind = EVENT_SPANS,
	  .source = "sched",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "sched --events",
	  .tells = "when threads ran, and who had the CPU that others waited for" },
	{ .name = RECORDING_OFFCPU,
	  .kind = EVENT_SPANS,
	  .source = "offcpu",
	  .title = "Off-CPU",
	  .palette = "chain",
	  .noun = "waits",
	  .singly = "offcpu --events",
	  .most = "was blocked most, sleep and waits that may be for work aside",
	  .most_is_work = true,
	  .when = "offcpu",
	  .tells = "where threads waited, and who let them go on",
	  .has_no_cpu = true,
	  .has_wakers = true },
	{ .name = RECORDING_TIMEOUT,
	  .kind = EVENT_SPANS,
	  .source = "offcpu",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "offcpu --events",
	  .has_no_cpu = true },
	{ .name = RECORDING_WAKEUP,
	  .kind = EVENT_SPANS,
	  .source = "wakeup",
	  .title = "Waits for a CPU,",
	  .palette = "chain",
	  .noun = "waits",
	  .singly = "wakeup --min 1us",
	  .most = "waited for a CPU most",
	  .when = "runnable",
	  .when_throttled = "throttled",
	  .has_no_cpu = true,
	  .has_wakers = true },
	{ .name = RECORDING_FAULTS,
	  .kind = EVENT_SPANS,
	  .source = "faults",
	  .title = "Page-Fault",
	  .palette = "sand",
	  .noun = "spans",
	  .untaken = "faults",
	  .singly = "faults --min 1us",
	  .most = "spent most time in page faults",
	  .when = "fault",
	  .tells = "page faults" },
	{ .name = RECORDING_CALLS,
	  .kind = EVENT_SPANS,
	  .source = "syscalls",
	  .title = "System-Call",
	  .palette = "mist",
	  .noun = "spans",
	  .untaken = "calls",
	  .singly = "syscalls --min 1us",
	  .most = "spent most time in system calls, sleep and waits that may be for work aside",
	  .most_is_work = true,
	  .when = "syscall",
	  .detail = "a system call",
	  .tells = "system calls" },
	{ .name = RECORDING_IO,
	  .kind = EVENT_SPANS,
	  .source = "io",
	  .title = "Block-I/O",
	  .palette = "sand",
	  .noun = "spans",
	  .untaken = "requests",
	  .singly = "io --min 1us",
	  .most = "made requests to devices that took longest in sum",
	  .when = "io",
	  .tells = "requests to devices" },
	{ .name = RECORDING_LOCKS,
	  .kind = EVENT_SPANS,
	  .source = "locks",
	  .title = "Lock",
	  .palette = "chain",
	  .noun = "waits",
	  .singly = "locks --min 1us",
	  .most = "waited for locks most, waits for work aside",
	  .most_is_work = true,
	  .when = "lock",
	  .tells = "who had locks" },
	{ .name = RECORDING_NOISE,
	  .kind = EVENT_SPANS,
	  .source = "noise",
	  .title = "Noise,",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "noise -C CPUS --min 1us",
	  .when = "noise" },
	{ .name = RECORDING_LANE,
	  .kind = EVENT_VALUES,
	  .source = "lanes",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "lanes",
	  .when = "lane",
	  .detail = "a lane",
	  .tells = "memory, queues and pressure" },
	{ .name = RECORDING_WALL,
	  .kind = EVENT_SPANS,
	  .source = "wall",
	  .title = "Wall-Clock",
	  .palette = "wall",
	  .noun = "spans",
	  .singly = "sched,offcpu --events" },
	{ .name = RECORDING_WINDOW,
	  .kind = EVENT_WINDOWS,
	  .source = "windows",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "--between A,B" },
	{ .name = RECORDING_ALLOC,
	  .kind = EVENT_ALLOCATIONS,
	  .source = "alloc",
	  .palette = "sage",
	  .noun = "spans",
	  .singly = "alloc",
	  .most = "allocated most" },
	{ .name = RECORDING_PROCESSES,
	  .kind = EVENT_PROCESSES,
	  .source = "processes",
	  .palette = "hot",
	  .noun = "spans",
	  .singly = "processes" },
};

static const struct event_row other = {
	.source = "cpu", .palette = "hot", .noun = "spans", .singly = "SOURCE --events"
};

const char *event_untaken_noun(const struct event_row *row)
{
	return row->untaken ? row->untaken : row->noun;
}

struct event_untaken event_untaken(const struct event_row *row, bool is_long)
{
	const char *what = event_untaken_noun(row);
	struct event_untaken frame;

	snprintf(frame.text, sizeof(frame.text), is_long ? "[%s without a stack]" : "[short %s]", what);
	return frame;
}

const struct event_row *event_row_at(unsigned i)
{
	return i < sizeof(rows) / sizeof(*rows) ? &rows[i] : NULL;
}

const struct event_row *event_row_of(const char *name)
{
	for (unsigned i = 0; name && i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	}
	return &other;
}
