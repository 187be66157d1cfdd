/* methods: names of the Methods and Klasses of a JVM. */
#ifndef COLLECT_JVM_METHODS_H
#define COLLECT_JVM_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

struct java_methods;

/* Returns NULL, and *why (static), if the tables lack what is needed.  jvm must outlive the result. */
struct java_methods *java_methods_new(const struct jvm *jvm, const char **why);

struct java_method {
	const char *name;  /* "com.example.App.handle"; names of hidden classes lack the part that changes from run to
			    * run: "App$$Lambda.run" (core/symbols/names/class_name.h) */
	const char *file;  /* "App.java"; NULL: unknown */
	uint64_t since_ns; /* before this time of CLOCK_MONOTONIC, another method may have been at this address */
};

/* method: a Method*.  Returns false if there is no Method at this address.  The result is valid until m is freed.
 * Earlier results are checked again when java_methods_epoch() has changed, since classes are unloaded. */
bool java_method(struct java_methods *m, uint64_t method, struct java_method *to);

/* The line of a bytecode index; 0: unknown. */
uint32_t java_method_line(struct java_methods *m, uint64_t method, int bci);

/* The name of the Klass* at a time (CLOCK_MONOTONIC), as in the source: "java.lang.String[]", "byte[]"; NULL if
 * klass is not a Klass, or may have been another one at that time. */
const char *java_class(struct java_methods *m, uint64_t klass, uint64_t when_ns);

/* While this number stays the same, each Method and Klass that was read does, too.  The number changes at most once per
 * batch, and with every batch if the JVM does not count its classes. */
uint64_t java_methods_epoch(const struct java_methods *m);

/* How often classes were seen to be unloaded; -1: the JVM does not count. */
int64_t java_methods_unloads(const struct java_methods *m);

/* The time until which names are certain: that of the last reading if the JVM has ended and had unloaded classes, else
 * UINT64_MAX. */
uint64_t java_methods_until(const struct java_methods *m);

void java_methods_next_batch(struct java_methods *m);
void java_methods_free(struct java_methods *m);

#endif
