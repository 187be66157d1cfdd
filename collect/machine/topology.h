/* topology: where the CPUs are, and what is kept from them or bound to them: the
 * section RECORDING_TOPOLOGY (core/format/recording.h). */
#ifndef COLLECT_MACHINE_TOPOLOGY_H
#define COLLECT_MACHINE_TOPOLOGY_H

#include "core/str.h"

/* Append it, from the files below root/sys/devices/system/cpu and root/proc/irq; root
 * is "", but for tests.  CPUs that are off are left out.  What the kernel does not
 * say: package and node are 0, the core is the CPU's own. */
void topology_describe(struct str *out, const char *root);

#endif
