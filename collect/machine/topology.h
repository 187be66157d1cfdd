/* topology: packages, cores and nodes of the CPUs, isolation, and interrupts bound to them: the section
 * RECORDING_TOPOLOGY (core/format/recording.h). */
#ifndef COLLECT_MACHINE_TOPOLOGY_H
#define COLLECT_MACHINE_TOPOLOGY_H

#include "core/str.h"

/* Append the topology, from the files below root/sys/devices/system/cpu and root/proc/irq; root is "" except in tests.
 * Skips offline CPUs.  Where the kernel gives none, package and node are 0, and each CPU is a core. */
void topology_describe(struct str *out, const char *root);

#endif
