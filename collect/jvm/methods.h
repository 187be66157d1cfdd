/* methods: what Methods and Klasses of a JVM are called. */
#ifndef COLLECT_JVM_METHODS_H
#define COLLECT_JVM_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

struct java_methods;

/* Returns NULL, and *why (static), when the tables have not what is needed.  jvm must outlive it. */
struct java_methods *java_methods_new(const struct jvm *jvm, const char **why);

struct java_method {
	const char *name;     /* "com.example.App.handle"; hidden classes without what changes from run
			       * to run: "App$$Lambda.run" (core/symbols/names/class_name.h) */
	const char *file;     /* "App.java"; NULL: not known */
	uint64_t since_ns;    /* CLOCK_MONOTONIC; before, another may have been there (class_changes.h) */
};

/* method: a Method*.  Returns false when there is none.  What it gives is valid until m is freed.  What
 * was read before is checked again when java_methods_epoch() has changed: classes are unloaded. */
bool java_method(struct java_methods *m, uint64_t method, struct java_method *to);

/* The line of a bytecode index; 0: not known. */
uint32_t java_method_line(struct java_methods *m, uint64_t method, int bci);

/* klass: a Klass*, as it was at a time (CLOCK_MONOTONIC).  Its name as in the source: "java.lang.String[]", "byte[]";
 * NULL when there is none, or it may have been another then. */
const char *java_class(struct java_methods *m, uint64_t klass, uint64_t when_ns);

/* As long as this number stays, each Method and Klass that was read is what it was.  It changes with a batch, at most;
 * with each, of a JVM that does not count its classes. */
uint64_t java_methods_epoch(const struct java_methods *m);

/* How often classes were seen to be unloaded; -1: the JVM does not tell. */
int64_t java_methods_unloads(const struct java_methods *m);

/* Until when what is known is sure: of a JVM that has ended, and had unloaded classes, the time when it was looked at
 * last; else UINT64_MAX. */
uint64_t java_methods_until(const struct java_methods *m);

void java_methods_next_batch(struct java_methods *m);
void java_methods_free(struct java_methods *m);

#endif
