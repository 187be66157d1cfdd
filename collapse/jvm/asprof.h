/* asprof: how to tell async-profiler's folded text from other folded text. */
#ifndef COLLAPSE_JVM_ASPROF_H
#define COLLAPSE_JVM_ASPROF_H

#include <stdbool.h>
#include <stddef.h>

/* Does the line begin with a frame such as "[dw-20 tid=8530];", which names the thread? */
bool asprof_names_thread(const char *line, size_t len);

#endif
