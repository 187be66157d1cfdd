/* python_lines: the line of an instruction, by the table of its code object. */
#ifndef COLLECT_PYTHON_PYTHON_LINES_H
#define COLLECT_PYTHON_PYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/python/python_layout.h"

/* first: the code's first line; at: bytes before the instruction.  0: unknown. */
uint32_t python_line(enum python_lines form, const uint8_t *table, size_t len, uint32_t first, uint32_t at);

#endif
