/* foreign: says what a file is if it is not a perf.data file of this kind of machine. */
#ifndef COLLAPSE_PERFDATA_FOREIGN_H
#define COLLAPSE_PERFDATA_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/* Print what path, which begins with bytes[0..size), is, and what to do with it;
 * the path "stdin" is not a file.  Returns -1. */
int foreign_explain(const char *path, const uint8_t *bytes, size_t size);

#endif
