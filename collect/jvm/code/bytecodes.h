/* bytecodes: the bytecodes of a method, one after the other (JVMS 6.5; HotSpot's own, unchanged since JDK 9:
 * hotspot/share/interpreter/bytecodes.hpp). */
#ifndef COLLECT_JVM_CODE_BYTECODES_H
#define COLLECT_JVM_CODE_BYTECODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytecodes of a method. */
struct bytecodes {
	const uint8_t *bytes; /* NULL: unknown */
	size_t len;
};

/* Length of the bytecode at `at`; 0: it cannot be read, or is cut short. */
size_t bytecode_length(const struct bytecodes *b, size_t at);

/* The target of the branch at `at`, which must be readable; INT32_MAX: it is no branch. */
int32_t bytecode_target(const struct bytecodes *b, size_t at);

struct bytecode_loop {
	int32_t from, to; /* the first bytecode, and the branch that leads back to it */
};

/* The innermost loops, at most max.  Returns how many there are. */
size_t bytecode_loops(const struct bytecodes *b, struct bytecode_loop *loops, size_t max);

/* Gives HotSpot's own bytecodes of JDK 8 the numbers of JDK 9. */
void bytecodes_of_8(uint8_t *bytes, size_t len);

#endif
