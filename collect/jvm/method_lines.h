/* method_lines: source lines of bytecodes, from the table that follows the bytecodes of a ConstMethod
 * (hotspot/share/oops/method.hpp, CompressedLineNumberReadStream). */
#ifndef COLLECT_JVM_METHOD_LINES_H
#define COLLECT_JVM_METHOD_LINES_H

#include "collect/jvm/metadata.h"

struct method_line {
	uint16_t bci; /* the first bytecode index of the line */
	uint16_t line;
};

struct method_lines {              /* {0} is empty */
	struct method_line *items; /* [count], by bci; the caller frees */
	size_t count, cap;
};

/* Decode the entries in bytes[0..len), which end with an entry of 0. excluded: as in struct metadata.  Returns false,
 * without entries, if they make no sense for a method of code_size bytes. */
bool method_lines_decode(struct method_lines *lines, const uint8_t *bytes, size_t len, unsigned excluded,
			 uint16_t code_size);

/* Read the table of a method.  Returns false if it has none. */
bool method_lines_read(struct method_lines *lines, const struct metadata *m, const struct method_parts *parts);

/* The line of a bytecode index; 0: unknown. */
uint32_t method_lines_find(const struct method_lines *lines, int bci);

#endif
