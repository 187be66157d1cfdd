/* library: see library.c.  The library itself calls none of these functions. */
#ifndef TESTS_WORKLOADS_LAZY_LIBRARY_H
#define TESTS_WORKLOADS_LAZY_LIBRARY_H

#include <stddef.h>

int lazy_yield(void);                 /* calls sched_yield() */
int lazy_parent(void);                /* ends with a jump to getppid() */
size_t lazy_length(const char *text); /* calls strlen(), which has a resolver */

#endif
