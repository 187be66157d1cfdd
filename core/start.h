/* start: where the other programs of Pyrograph are, and why no process or thread can be started. */
#ifndef CORE_START_H
#define CORE_START_H

#include "core/str.h"

/* Append the path of the program of this name in the directory of the one that runs; the name alone if that is unknown. */
void sibling_path(const char *name, struct str *path);

/* The meaning of an errno of fork(2) or pthread_create(3), and which limit must be raised.  Valid until the next
 * call. */
const char *start_failure(int err);

#endif
