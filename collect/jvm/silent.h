/* silent: methods that were inlined without leaving debug information: those without calls and traps whose loops are not
 * polled (under the serial and the parallel collector, and before JDK 10).
 *
 * The bytecodes of a method call them, but debug information has nothing for that place.  Each gets two scopes in the
 * tree, one after the other: the place that calls it, and itself. */
#ifndef COLLECT_JVM_SILENT_H
#define COLLECT_JVM_SILENT_H

#include "collect/jvm/callees.h"
#include "collect/jvm/inline_tree.h"

/* Links the silent calls of each activation (calls), of a list that ends with pairs of them. */
void silent_link(struct inlined_scope *list, size_t count);

void silent_add(struct inline_tree *t, const struct callees *c);

#endif
