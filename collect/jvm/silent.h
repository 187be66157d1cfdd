/* silent: methods that were inlined without leaving debug information: those without calls and traps whose loops are not
 * polled (under the serial and the parallel collector, and before JDK 10).
 *
 * Bytecodes call these methods, but debug information has nothing for the place of the call.  Each such method gets two
 * scopes in the tree, one after the other: one for the place of the call, and one for the method itself. */
#ifndef COLLECT_JVM_SILENT_H
#define COLLECT_JVM_SILENT_H

#include "collect/jvm/callees.h"
#include "collect/jvm/inline_tree.h"

/* Links the silent calls of each activation through `calls`.  The list of scopes ends with the pairs of scopes of these
 * calls. */
void silent_link(struct inlined_scope *list, size_t count);

void silent_add(struct inline_tree *t, const struct callees *c);

#endif
