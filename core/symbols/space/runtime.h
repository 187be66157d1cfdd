/* runtime: which known runtime generates the code of a process, and how to get more names from it. */
#ifndef CORE_SYMBOLS_SPACE_RUNTIME_H
#define CORE_SYMBOLS_SPACE_RUNTIME_H

#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

enum runtime { RUNTIME_UNKNOWN, RUNTIME_JAVA, RUNTIME_NODE, RUNTIME_PYTHON, RUNTIMES };

/* The runtime that a file or thread belongs to, by its name: "libpython3.13.so.1.0". */
enum runtime runtime_named(const char *name);

/* The runtime of a process, by the files that it had mapped last. */
enum runtime runtime_of(struct spaces *spaces, const struct modules *modules, int pid);

const char *runtime_map_remedy(enum runtime runtime); /* how to get names for its code */

/* Whose stacks are incomplete: those found by frame pointers, in samples or in spans of time; or those that we
 * walked. */
enum runtime_stacks { STACKS_OF_SAMPLES, STACKS_OF_SPANS, STACKS_WALKED, STACKS_KINDS };

/* How to get complete stacks. */
const char *runtime_stack_remedy(enum runtime runtime, enum runtime_stacks stacks);

#endif
