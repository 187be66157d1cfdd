/* jvm: reads a HotSpot JVM from outside, through the tables that libjvm exports for debuggers (vm_tables.h): without
 * flags, agents or safepoints, and without writing anything.
 *
 *     libjvm, vm_tables --> threads.h     names of its threads
 *                       --> methods.h     what a Method is called
 *                       --> code_cache.h  the place of compiled code, stubs and the interpreter
 *                       --> scopes.h      which methods were inlined at an address
 *                       --> frames.h      one step of a walk through Java frames
 *
 * Reading races with the JVM, which moves objects and frees code and classes: every value is checked before use,
 * and values that make no sense count as unknown.  A struct jvm belongs to one thread: the reader of threads and
 * the walker of stacks each have their own. */
#ifndef COLLECT_JVM_JVM_H
#define COLLECT_JVM_JVM_H

#include <stdbool.h>

#include "collect/jvm/tables/libjvm.h"
#include "collect/runtime/remote.h"
#include "collect/jvm/tables/vm_tables.h"

struct jvm {
	struct remote remote;
	struct runtime_file lib;
	bool has_lib; /* lib is complete */
	struct vm_tables *tables;
};

/* Returns 0; -1, and *why in a few words, if pid is not a JVM, or cannot be read: "no libjvm.so mapped" (the usual
 * case, not to be printed), "no right to read its memory", "no vmStructs". */
int jvm_open(struct jvm *jvm, int pid, const char **why);

/* The JDK version: 8, 11, 17, ...; 0: unknown. */
int jvm_version(const struct jvm *jvm);

/* Is it newer than those that the tests were run with?  It can be read as far as its own tables describe it. */
enum { JVM_NEWEST_TRIED = 28 };
bool jvm_is_untried(const struct jvm *jvm);

/* Is the JVM a Zero VM, which has no compiler and an interpreter in C++, so that its native stacks have no Java
 * frames? */
bool jvm_is_zero(const struct jvm *jvm);

/* Has the JVM ended, so that nothing can be read any more? */
bool jvm_has_ended(const struct jvm *jvm);

void jvm_close(struct jvm *jvm);

#endif
