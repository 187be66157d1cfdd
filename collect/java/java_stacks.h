/* java_stacks: Java frames as entries of call chains, for all JVMs of a recording.
 *
 * An address does not identify a Java frame: all methods share the code of the interpreter, and compiled code is freed
 * and replaced.  So each distinct (process, method, tier, line) gets an address of its own, at which nothing can be
 * mapped, when it is first seen while its JVM lives.  These addresses are in a pseudo mapping that is recorded like any
 * other (core/format/recording.h, "[java]"):
 *
 *     0x4d00000000000000  +0x10 App.run_[0]   +0x20 App.burn_[j]   +0x30 java.lang.String[]  ... */
#ifndef COLLECT_JAVA_JAVA_STACKS_H
#define COLLECT_JAVA_JAVA_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/recording/living.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/unwinder.h"

struct java_stacks;

/* modules: the modules of the spaces; not owned. only_certain: leave out inlined methods that are only likely
 * (collect/jvm/scopes.h). java_stacks_free() frees it. */
struct java_stacks *java_stacks_new(const struct modules *modules, bool only_certain);

/* Open the JVMs of these processes, or at least some of them, before the first samples, so that their changes are
 * tracked from then on. */
void java_stacks_open(struct java_stacks *j, const struct spaces *spaces);

/* For unwinder_set_runtime(). */
struct unwind_runtime java_stacks_runtime(struct java_stacks *j);

/* Call this after new records were read: from then on, what was read from JVMs is checked again. */
void java_stacks_next_batch(struct java_stacks *j);

/* The address that stands for a Klass* of the process at time when_ns (CLOCK_MONOTONIC); 0 if it cannot be read,
 * may have been another class then, or pid is not a JVM. */
uint64_t java_stacks_class(struct java_stacks *j, int pid, uint64_t klass, uint64_t when_ns);

/* The same for a class by the name that the JVM has for it ("[Ljava/lang/String;"). */
uint64_t java_stacks_class_named(struct java_stacks *j, int pid, const char *name, size_t len);

/* The name of an address assigned by java_stacks, with its annotation; NULL: it was not assigned.  Valid until the
 * next call. */
const char *java_stacks_name(struct java_stacks *j, int pid, uint64_t address);

/* Number of innermost entries of a call chain that belong to the JVM itself (libjvm and its stubs), called by a Java
 * method or native code; 0 if the chain has no Java method. */
size_t java_stacks_own(const struct java_stacks *j, int pid, const uint64_t *chain, size_t count);

/* Append an MMAP2 record for each process whose first Java frame appeared since the last call.  These records must
 * precede the samples. id: that of the event to name in their trailers. */
void java_stacks_mappings(struct java_stacks *j, uint64_t id, struct str *out);

/* Add all names to files, as modules "[java]".  Call at the end. */
void java_stacks_give_names(struct java_stacks *j, struct jit_files *files);

/* Call this when the mappings of spaces were read anew: from now on processes are looked for there, and their pseudo
 * mappings are recorded once more. */
void java_stacks_move(struct java_stacks *j, struct spaces *spaces);

/* Forget the processes that nothing refers to any more, and the names of their frames. */
void java_stacks_forget(struct java_stacks *j, const struct living *living);

/* Number of frames that could not be read because the JVM ended or changed them meanwhile. */
uint64_t java_stacks_unread(const struct java_stacks *j);

/* Report the JVMs that have no Java frames, and why. */
void java_stacks_complain(const struct java_stacks *j);

void java_stacks_free(struct java_stacks *j);

#endif
