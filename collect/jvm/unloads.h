/* unloads: since when a JVM has unloaded no class.
 *
 * What was a class's memory becomes another's only after the class was unloaded, which the JVM counts
 * ("java.cls.unloadedClasses" of its performance data, as `jstat -class` shows it; hotspot/share/runtime/perfMemory.hpp,
 * perfData.hpp): who reads a name now, of a stack that was taken before, knows by it whether the name is that of then. */
#ifndef COLLECT_JVM_UNLOADS_H
#define COLLECT_JVM_UNLOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

struct unloads {
	const struct jvm *jvm;
	uint64_t counter;     /* where it is; 0: not found */
	uint32_t searched;    /* so many bytes of the performance data have no such counter */
	uint64_t value;       /* when it was read last ... */
	uint64_t since_ns;    /* ... and first: CLOCK_MONOTONIC; 0: always */
	uint64_t changes;     /* that were seen */
};

/* jvm must outlive u. */
void unloads_init(struct unloads *u, const struct jvm *jvm);

/* Reads the counter, and returns u->since_ns: 0 as long as nothing was unloaded, and of a JVM that does not
 * count (-XX:-UsePerfData, or it has not begun to). */
uint64_t unloads_since(struct unloads *u);

#endif
