/* runtime: which of the known runtimes makes the code of a process, and how to ask it for more. */
#ifndef CORE_SYMBOLS_SPACE_RUNTIME_H
#define CORE_SYMBOLS_SPACE_RUNTIME_H

#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

enum runtime { RUNTIME_UNKNOWN, RUNTIME_JAVA, RUNTIME_NODE, RUNTIME_PYTHON, RUNTIMES };

/* By what a file or a thread is called: "libpython3.13.so.1.0". */
enum runtime runtime_named(const char *name);

/* By the files that a process has mapped, at last. */
enum runtime runtime_of(struct spaces *spaces, const struct modules *modules, int pid);

const char *runtime_map_remedy(enum runtime runtime);    /* what names its code */

/* How stacks were found that are not whole: by frame pointers, of samples and of spans of time, or walked. */
enum runtime_stacks { STACKS_OF_SAMPLES, STACKS_OF_SPANS, STACKS_WALKED, STACKS_KINDS };

/* What makes them whole. */
const char *runtime_stack_remedy(enum runtime runtime, enum runtime_stacks stacks);

#endif
