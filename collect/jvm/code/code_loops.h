/* code_loops: finds the methods of loops that have no debug information (silent.h).  Machine loops come in the order of
 * the loops in the bytecodes, and calculate the same; a loop in bytecodes may become several (before, unrolled, after):
 *
 *     int hash()  loop at 4: * +       <----  loops with imul, add
 *     int mix()   loop at 2: ^ << +    <--+-  a loop with xor, shl
 *                                         '-  and another one */
#ifndef COLLECT_JVM_CODE_CODE_LOOPS_H
#define COLLECT_JVM_CODE_CODE_LOOPS_H

#include "collect/jvm/code/code_map.h"
#include "collect/jvm/code/work.h"

struct code_loop {
	int32_t behind, ahead; /* scopes of the nearest debug information */
	int32_t usual;         /* the scope that it would get otherwise */
	uint32_t work;         /* of all its instructions */
};

/* Finds the scopes of `count` loops, in the order of their code.  0: unknown. */
void code_loops_find(const struct method_code *c, const struct code_loop *loops, size_t count, int32_t *scopes);

#endif
