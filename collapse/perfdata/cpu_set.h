/* cpu_set: a set of CPU numbers. */
#ifndef COLLAPSE_PERFDATA_CPU_SET_H
#define COLLAPSE_PERFDATA_CPU_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/record.h"
#include "core/str.h"

enum { CPUS_MAX = 1 << 16 }; /* numbers from here on are not CPUs */

struct cpu_set {   /* {0} is empty */
	bool *has; /* [count] */
	size_t count, cap;
};

void cpu_set_add(struct cpu_set *s, uint32_t cpu);

/* Add the CPUs of a PERF_RECORD_CPU_MAP: those that perf observed. */
void cpu_set_add_map(struct cpu_set *s, const struct record *r);

/* Append the set as text, "0-3,6". */
void cpu_set_write(const struct cpu_set *s, struct str *out);

void cpu_set_free(struct cpu_set *s);

#endif
