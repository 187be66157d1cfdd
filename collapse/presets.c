#include "collapse/presets.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/format/recording.h"

#define SPAN_COLUMNS "time,count,longest"
#define NO_SCHED "scheduler states (record them with pyrograph collect sched or perf sched record)"

const struct preset presets[] = {
	{ .name = "states",
	  .help = "time in each scheduler state; --wall: by stack, too",
	  .event = RECORDING_SCHED,
	  .missing = NO_SCHED,
	  .root = "thread,state,by",
	  .heat_root = "comm",
	  .own_root = true,
	  .no_stack = true,
	  .columns = SPAN_COLUMNS,
	  .no_idle = true },
	{ .name = "tenancy",
	  .help = "time on each CPU, by thread",
	  .event = RECORDING_SCHED,
	  .missing = NO_SCHED,
	  .root = "thread,cpu",
	  .heat_root = "comm",
	  .own_root = true,
	  .no_stack = true,
	  .state = "running",
	  .columns = SPAN_COLUMNS ",migrations" },
	{ .name = "offcpu",
	  .help = "blocked time, by stack; --waits all: idle waits, too",
	  .event = RECORDING_OFFCPU,
	  .missing = "blocked time (record it with pyrograph collect offcpu or perf sched record)",
	  .root = "comm,wait",
	  .heat_root = "comm,wait,thread,state",
	  .no_idle = true },
	{ .name = "wakeup",
	  .help = "time from being woken until running",
	  .event = RECORDING_WAKEUP,
	  .missing = "waits for a CPU (record with pyrograph collect wakeup)",
	  .root = "thread,state,by",
	  .heat_root = "comm,thread,state,by",
	  .no_idle = true },
	{ .name = "timeline",
	  .event = RECORDING_SCHED,
	  .missing = NO_SCHED,
	  .root = "thread,doing,by",
	  .heat_root = "comm,thread,doing,by",
	  .columns = SPAN_COLUMNS,
	  .no_idle = true,
	  .timeline = true },
	{ .name = "wall",
	  .event = RECORDING_SCHED,
	  .missing = NO_SCHED,
	  .root = "thread",
	  .heat_root = "thread",
	  .columns = "time",
	  .no_idle = true,
	  .wall = true },
	{ .name = "faults",
	  .help = "time in page faults, by type and file",
	  .event = RECORDING_FAULTS,
	  .missing = "page faults (record them with pyrograph collect faults)",
	  .root = "comm,type,file",
	  .heat_root = "comm,thread,type,file" },
	{ .name = "syscalls",
	  .event = RECORDING_CALLS,
	  .missing = "system calls (record them with pyrograph collect syscalls)",
	  .root = "comm,syscall",
	  .heat_root = "comm,thread,syscall" },
	{ .name = "lanes",
	  .event = RECORDING_LANE,
	  .missing = "quantities over time (record them with pyrograph collect lanes; collect sched: the "
		     "parallelism)",
	  .root = "lane",
	  .heat_root = "lane",
	  .no_stack = true },
	{ .name = "io",
	  .event = RECORDING_IO,
	  .missing = "block I/O (record it with pyrograph collect io)",
	  .root = "comm,device,operation",
	  .heat_root = "comm,thread,device,operation,file" },
	{ .name = "locks",
	  .event = RECORDING_LOCKS,
	  .missing = "waits for locks (record them with pyrograph collect locks)",
	  .root = "comm,lock",
	  .heat_root = "comm,thread,lock,owner" },
	{ .name = "processes",
	  .event = RECORDING_PROCESSES,
	  .missing = "processes (record them with pyrograph collect processes)",
	  .root = FOLDED_PROCESS_ROOTS,
	  .heat_root = "command,process",
	  .no_stack = true,
	  .columns = "time,count,cpu,peak" },
	{ .name = "windows",
	  .event = RECORDING_WINDOW,
	  .missing = "windows (record them with pyrograph collect --between A,B)",
	  .root = "comm,window",
	  .heat_root = "comm,thread,window",
	  .no_stack = true,
	  .columns = SPAN_COLUMNS },
	{ .name = "noise",
	  .event = RECORDING_NOISE,
	  .missing = "noise (record it with pyrograph collect noise)",
	  .root = "cpu,state,source",
	  .heat_root = "cpu,state,source",
	  .no_stack = true,
	  .columns = SPAN_COLUMNS },
	{ 0 }
};

_Static_assert(sizeof(presets) / sizeof(*presets) <= PRESETS_MAX, "presets.h says how many");

const struct preset preset_plain = { .root = "comm", .heat_root = "comm,thread,cpu" };

const struct preset *preset_of_event(const char *event)
{
	for (size_t i = 0; event && presets[i].name; i++) {
		if (!strcmp(presets[i].event, event))
			return &presets[i];
	}
	return &preset_plain;
}

void presets_of_event(const struct recorded_event *event, struct str *out)
{
	const char *before = " (";

	str_puts(out, event->name);
	for (size_t i = 0; (event->spans || event->lanes) && presets[i].name; i++) {
		if (strcmp(presets[i].event, event->name) || presets[i].timeline || presets[i].wall)
			continue;
		str_addf(out, "%s--%s", before, presets[i].name);
		before = ", ";
	}
	if (*before == ',')
		str_addc(out, ')');
	else
		str_addf(out, " (--event %s)", event->name);
}
