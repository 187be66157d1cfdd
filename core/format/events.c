#include "core/format/events.h"

#include <stddef.h>
#include <string.h>

#include "core/format/recording.h"

static const struct event_row rows[] = {
	{ RECORDING_SCHED, NULL, "hot", "spans", "sched --events",
	  "when threads ran, and who had the CPU that others waited for", false },
	{ RECORDING_OFFCPU, "Off-CPU", "chain", "waits", "offcpu --events",
	  "where threads waited, and who let them go on", true },
	{ RECORDING_TIMEOUT, NULL, "hot", "spans", "offcpu --events", NULL, true },
	{ RECORDING_WAKEUP, "Waits for a CPU,", "chain", "waits", "wakeup --min 1us", NULL, true },
	{ RECORDING_FAULTS, "Page-Fault", "hot", "spans", "faults --min 1us", "page faults", false },
	{ RECORDING_CALLS, "System-Call", "hot", "spans", "syscalls --min 1us", "system calls", false },
	{ RECORDING_IO, "Block-I/O", "hot", "spans", "io --min 1us", "requests to devices", false },
	{ RECORDING_LOCKS, "Lock", "chain", "waits", "locks --min 1us", "who had locks", false },
	{ RECORDING_LANE, NULL, "hot", "spans", "lanes", "memory, queues and pressure", false },
	{ RECORDING_WALL, "Wall-Clock", "wall", "spans", "sched,offcpu --events", NULL, false },
	{ RECORDING_WINDOW, NULL, "hot", "spans", "--between A,B", NULL, false },
	{ RECORDING_NOISE, "Noise,", "hot", "spans", "noise -C CPUS --min 1us", NULL, false },
	{ RECORDING_ALLOC, NULL, "hot", "spans", "alloc", NULL, false },
	{ RECORDING_PROCESSES, NULL, "hot", "spans", "processes", NULL, false },
};

static const struct event_row other = { NULL, NULL, "hot", "spans", "SOURCE --events", NULL, false };

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
