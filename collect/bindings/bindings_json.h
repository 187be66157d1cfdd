/* bindings_json: what collect bindings lists, for a program:
 *
 *     { "processes": [
 *         { "pid": 8513, "files": [
 *             { "path": "/opt/lib/liblbm.so", "kind": "lazy", "functions": 210, "unbound": ["sched_yield"] },
 *             { "path": "/usr/bin/md", "kind": "at-start", "functions": 12, "unbound": [] } ],
 *           "functions": 210, "unbound": 1, "bind_now": false } ],
 *       "functions": 210, "unbound": 1, "start_us": 24 }
 *
 * kind: lazy, at-start, none, static, other-machine, unreadable.  The functions of processes, and of all, are those of lazy
 * files; start_us is what it costs to bind them at the start. */
#ifndef COLLECT_BINDINGS_BINDINGS_JSON_H
#define COLLECT_BINDINGS_BINDINGS_JSON_H

#include <stdbool.h>

#include "collect/bindings/late_file.h"

/* Of a process, or of all. */
struct binding_counts {
	uint64_t lazy, unbound; /* functions */
};

/* Append to out, in this order: begin, { process, file ..., process_end } ..., end. */
void bindings_json_begin(struct str *out);
void bindings_json_process(struct str *out, int pid);
void bindings_json_file(struct str *out, const char *path, const struct late_file *file);
void bindings_json_process_end(struct str *out, const struct binding_counts *counts, bool bind_now);
void bindings_json_end(struct str *out, const struct binding_counts *counts, uint64_t start_us);

#endif
