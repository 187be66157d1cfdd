/* jit_dumps: JIT-compiled code in recordings without names, from the dumps that the compilers left
 * (core/symbols/jit/jitdump.h). */
#ifndef COLLAPSE_PERFDATA_JIT_DUMPS_H
#define COLLAPSE_PERFDATA_JIT_DUMPS_H

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sideband.h"
#include "core/symbols/jit/jit_files.h"

/* Find the dumps by their mappings, read them, and add their code to the spaces.  Warns if times are
 * from another clock, or dumps are damaged.  Returns whether there are any dumps. */
bool jit_dumps_read(struct jit_files *jit, const struct perfdata *d, struct sideband *sideband);

#endif
