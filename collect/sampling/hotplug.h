/* hotplug: follows CPUs that are switched off and on while they are recorded.
 *
 * Events that were opened on a CPU go away with it.  The kernel sends uevents (NETLINK_KOBJECT_UEVENT, as udev gets
 * them: Documentation/core-api/kobject.rst), from which we learn about a CPU even if it is back before we look.  Where
 * uevents do not arrive, as in some containers, we compare the lists of running CPUs
 * (/sys/devices/system/cpu/online). */
#ifndef COLLECT_SAMPLING_HOTPLUG_H
#define COLLECT_SAMPLING_HOTPLUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/cpus.h"
#include "core/str.h"

struct hotplug { /* {0}: not begun */
	bool begun;
	int uevents;        /* a socket; -1: there is none */
	uint64_t looked_ns; /* CLOCK_MONOTONIC */
	struct cpu_state {
		int cpu;
		bool runs;
		bool stale;      /* events must be opened on the CPU */
		uint64_t off_ns; /* when the CPU went off; 0: it did not exist */
	} * cpus;
	size_t count, cap;
	struct str gaps; /* lines of RECORDING_GAPS */
};

/* online: the CPUs that run and have events. */
void hotplug_begin(struct hotplug *h, const struct cpus *online);

/* Take a uevent of the kernel: "offline@/devices/system/cpu/cpu1".  Returns whether it is about a CPU. */
bool hotplug_hear(struct hotplug *h, const char *uevent);

/* online: the CPUs that run at now_ns. */
void hotplug_compare(struct hotplug *h, const struct cpus *online, uint64_t now_ns);

/* The number of the next CPU, from *at on, that runs and on which events must be opened; -1: there are no more. */
int hotplug_next(const struct hotplug *h, size_t *at);

/* The events are open on this CPU as of now_ns, which ends its gap. */
void hotplug_opened(struct hotplug *h, int cpu, uint64_t now_ns);

/* The recording is over, which ends all gaps. */
void hotplug_finish(struct hotplug *h, uint64_t now_ns);

/* Another recording begins, in which only CPUs that are off now have gaps. */
void hotplug_clear(struct hotplug *h, uint64_t now_ns);

/* Read the pending uevents.  If one of them is about a CPU, and every tenth of a second, compare with the CPUs that run
 * now. */
void hotplug_look(struct hotplug *h, uint64_t now_ns);

void hotplug_free(struct hotplug *h);

#endif
