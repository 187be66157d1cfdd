/* jvm: a HotSpot JVM, read from outside through the tables that libjvm exports for debuggers
 * (vm_tables.h): no flag, no agent, no safepoint, nothing written into it.
 *
 *     libjvm, vm_tables --> threads.h     names of its threads
 *                       --> methods.h     what a Method is called
 *                       --> code_cache.h  compiled code, stubs, the interpreter: what is where
 *                       --> scopes.h      which methods were inlined at an address
 *                       --> frames.h      one step of a walk through Java frames
 *
 * What is read races with the JVM, whose collector moves objects, and which frees code and
 * classes: every value is checked before it is used, and what does not make sense is "not known".
 * One thread uses a struct jvm; who reads threads and who walks stacks have each their own. */
#ifndef COLLECT_JVM_JVM_H
#define COLLECT_JVM_JVM_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/libjvm.h"
#include "collect/jvm/remote.h"
#include "collect/jvm/vm_tables.h"

struct jvm {
	struct remote remote;
	struct libjvm lib;
	bool has_lib;       /* all of lib was found */
	struct vm_tables *tables;
};

/* Returns 0; -1, and *why in a few words, when pid is none, or cannot be read: "no libjvm.so mapped"
 * (the usual case: not for people), "no right to read its memory", "no vmStructs". */
int jvm_open(struct jvm *jvm, int pid, const char **why);

/* 8, 11, 17, ...; 0: not known. */
int jvm_version(const struct jvm *jvm);

/* Is it the Zero VM?  That has no compiler, and its interpreter is C++: no frame of Java is on its native stacks. */
bool jvm_is_zero(const struct jvm *jvm);

void jvm_close(struct jvm *jvm);

#endif
