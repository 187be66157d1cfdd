/* topology: the CPUs of the machine that was recorded, for the header. */
#ifndef COLLAPSE_PERFDATA_TOPOLOGY_H
#define COLLAPSE_PERFDATA_TOPOLOGY_H

#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

/* Append the value of topology= (core/format/folded.h); nothing if d has no such section. */
void topology_add(struct str *out, const struct perfdata *d);

/* How many CPUs the machine had; 0: not known. */
size_t topology_cpus(const struct perfdata *d);

#endif
