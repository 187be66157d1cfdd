/* class_changes: when a JVM loads and unloads classes, as it counts them ("java.cls.loadedClasses",
 * "java.cls.unloadedClasses" of its performance data, as `jstat -class` shows them;
 * hotspot/share/runtime/perfMemory.hpp, perfData.hpp, classfile/classFileParser.cpp: redefined classes are counted,
 * too).
 *
 * As long as no class is loaded, each Method stays what it is.  A class's memory is reused only after the class
 * was unloaded: so a name read now, for a stack taken before, is known to be valid or not. */
#ifndef COLLECT_JVM_CLASS_CHANGES_H
#define COLLECT_JVM_CLASS_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum class_counter { CLASSES_LOADED, CLASSES_UNLOADED, CLASS_COUNTERS };

struct class_changes {
	const struct jvm *jvm;
	uint64_t counters[CLASS_COUNTERS]; /* addresses; 0: none were found */
	uint32_t searched;                 /* bytes of the performance data already searched in vain */
	uint64_t values[CLASS_COUNTERS];   /* values of the counters when they were last read */
	uint64_t kept_ns;                  /* no class was unloaded since then: CLOCK_MONOTONIC; 0: since ever */
	uint64_t changes, unloads;         /* numbers of changes, and of unloads, that were seen */
	uint64_t looked_ns;                /* when the counters were last read successfully */
};

/* Begin.  jvm must outlive c. */
void class_changes_init(struct class_changes *c, const struct jvm *jvm);

/* Reads the counters; those that cannot be read count as unchanged. */
void class_changes_look(struct class_changes *c);

/* Does the JVM count classes?  Not with -XX:-UsePerfData, nor early in its startup. */
bool class_changes_are_counted(const struct class_changes *c);

#endif
