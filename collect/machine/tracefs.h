/* tracefs: the kernel's tracepoints, by name. */
#ifndef COLLECT_MACHINE_TRACEFS_H
#define COLLECT_MACHINE_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* The id of the tracepoint "subsystem:name".  Returns 0, or -1 after a message. */
int tracefs_event_id(const char *text, uint64_t *id);

/* Append what perf needs to print the fields of these tracepoints: the section
 * HEADER_TRACING_DATA, in the format of trace-cmd.dat(5), version 6.
 * Names are "subsystem:name". */
void tracefs_describe(const char *const *names, size_t count, struct str *out);

#endif
