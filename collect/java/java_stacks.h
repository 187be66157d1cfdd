/* java_stacks: Java frames as entries of call chains, for all JVMs of a recording.
 *
 * A Java frame is no address: the interpreter is one piece of code for all methods, compiled code is
 * freed and replaced.  Each distinct (process, method, tier, line) gets an address of its own, at which
 * nothing can be mapped, in a pseudo mapping that the recording tells of like of any other
 * (core/format/recording.h, "[java]"), as soon as it is seen, while its JVM lives:
 *
 *     0x4d00000000000000  +0x10 App.run_[0]   +0x20 App.burn_[j]   +0x30 java.lang.String[]  ... */
#ifndef COLLECT_JAVA_JAVA_STACKS_H
#define COLLECT_JAVA_JAVA_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/unwinder.h"

struct java_stacks;

/* modules: those of the spaces; not owned.  only_certain: without inlined methods that are only likely
 * (collect/jvm/scopes.h).  java_stacks_free() frees it. */
struct java_stacks *java_stacks_new(const struct modules *modules, bool only_certain);

/* Open the JVMs of these processes, some of them at least, before the first samples come: what happens in them is
 * known from then on. */
void java_stacks_open(struct java_stacks *j, const struct spaces *spaces);

/* For unwinder_set_runtime(). */
struct unwind_runtime java_stacks_runtime(struct java_stacks *j);

/* New records were learnt from: what was read of JVMs is checked again. */
void java_stacks_next_batch(struct java_stacks *j);

/* The address that stands for a Klass* of the process, as it was at a time (CLOCK_MONOTONIC); 0 when it cannot be read,
 * or may have been another then, or pid is no JVM. */
uint64_t java_stacks_class(struct java_stacks *j, int pid, uint64_t klass, uint64_t when_ns);

/* ... and for a class of which the JVM gave the name ("[Ljava/lang/String;"). */
uint64_t java_stacks_class_named(struct java_stacks *j, int pid, const char *name, size_t len);

/* The name of an address that java_stacks gave, with its annotation; NULL: it did not.  Valid until the next
 * call. */
const char *java_stacks_name(struct java_stacks *j, int pid, uint64_t address);

/* How many of the innermost entries of a call chain are the JVM's own, of libjvm and its stubs, for a Java
 * method, or native code, that called it.  0 when no Java method is in the chain. */
size_t java_stacks_own(const struct java_stacks *j, int pid, const uint64_t *chain, size_t count);

/* Append an MMAP2 record for each process that has got its first Java frame since the last call:
 * it must come before the samples.  id: of the event that its trailer names. */
void java_stacks_mappings(struct java_stacks *j, uint64_t id, struct str *out);

/* Give all names to files, whose modules "[java]" have them then.  At the end. */
void java_stacks_give_names(struct java_stacks *j, struct jit_files *files);

/* Frames that were there, but could not be read: of a JVM that ended, or that races with us. */
uint64_t java_stacks_unread(const struct java_stacks *j);

/* Say of which JVMs no Java frames were found, and why. */
void java_stacks_complain(const struct java_stacks *j);

void java_stacks_free(struct java_stacks *j);

#endif
