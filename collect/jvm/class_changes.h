/* class_changes: when a JVM loads and unloads classes, as it counts them ("java.cls.loadedClasses",
 * "java.cls.unloadedClasses" of its performance data, as `jstat -class` shows them; hotspot/share/runtime/perfMemory.hpp,
 * perfData.hpp, classfile/classFileParser.cpp: what is redefined is counted, too).
 *
 * As long as nothing is loaded, each Method stays what it is.  And what was a class's memory becomes another's only
 * after the class was unloaded: who reads a name now, of a stack that was taken before, knows by it whether the name
 * is that of then. */
#ifndef COLLECT_JVM_CLASS_CHANGES_H
#define COLLECT_JVM_CLASS_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum class_counter { CLASSES_LOADED, CLASSES_UNLOADED, CLASS_COUNTERS };

struct class_changes {
	const struct jvm *jvm;
	uint64_t counters[CLASS_COUNTERS]; /* where they are; 0: not found, none of them */
	uint32_t searched;    /* so many bytes of the performance data have no such counters */
	uint64_t values[CLASS_COUNTERS]; /* when they were read last */
	uint64_t kept_ns;     /* since when nothing was unloaded: CLOCK_MONOTONIC; 0: always */
	uint64_t changes, unloads; /* that were seen */
	uint64_t looked_ns;   /* when the counters could be read last */
};

/* jvm must outlive c. */
void class_changes_init(struct class_changes *c, const struct jvm *jvm);

/* Reads the counters; what could not be read has not changed. */
void class_changes_look(struct class_changes *c);

/* Does the JVM count?  It does not with -XX:-UsePerfData, nor before it has come so far. */
bool class_changes_are_counted(const struct class_changes *c);

#endif
