/* foreign: explains what a file is that collapse cannot read as a perf.data file. */
#ifndef COLLAPSE_PERFDATA_FOREIGN_H
#define COLLAPSE_PERFDATA_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this the beginning of a flame graph in SVG that FlameGraph or inferno drew? */
bool foreign_is_flame_graph(const char *text, size_t len);

/* Print which kind of file path is, judging by its first bytes[0..size), and what the user can do with it. path is
 * "stdin" for standard input.  Returns -1. */
int foreign_explain(const char *path, const uint8_t *bytes, size_t size);

#endif
