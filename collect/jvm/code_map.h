/* code_map: which debug information tells best of each instruction of a compiled method, where the compiler tells of
 * some only: of calls and polls, and so of the loads that fault into a trap, and of the branches that lead to a trap
 * or a call and nowhere else.  Of all others the nearest of these tells, along the ways that the code can take:
 *
 *         cmp   0xc(%rsi), %ecx        nearest: the branch
 *         jae   9f -------------.      the scope of the trap
 *         xor   %eax, %eax      |      nearest: the branch
 *     .-> imul  $31, %eax, %eax |      in a loop that nothing is told of: what comes next
 *     |   cmp   %ebx, %edx      |      ...
 *     '-- jl                    |      ...
 *         test  %eax, (%r10)    |      the scope of this poll
 *     9f: call  uncommon trap <-'      the scope of this call
 *
 * But what calculates something that only one of the methods does that are on the way from what is told to what is told
 * next, is of that method (code_path.h).  */
#ifndef COLLECT_JVM_CODE_MAP_H
#define COLLECT_JVM_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/work.h"

/* A PcDesc: where a call returns to, or an instruction is, from the beginning of the code; and its scope. */
struct told {
	int32_t at;
	int32_t scope;        /* offset among the scopes; 0 and less: none */
};

/* An entry of the table of implicit null checks: an instruction, and where the code goes on when it faults. */
struct null_check {
	uint32_t at, handler;
};

/* A scope, where a method was inlined: of it, at a bytecode of it. */
struct inlined_scope {
	int32_t scope, caller; /* scopes; caller 0: none */
	uint32_t method;      /* its number among the methods */
	int bci;
};

/* The machine code of a method; all is its maker's. */
struct method_code {
	const uint8_t *bytes;
	size_t len;
	const struct told *told;  /* sorted */
	size_t told_count;
	const struct null_check *checks;
	size_t check_count;
	const struct inlined_scope *inlined; /* sorted by their scopes: of all that is told, and their callers */
	size_t inlined_count;
	const struct bytecodes *methods;
};

/* {0} is empty. */
struct code_map {
	struct told *list;    /* where another scope begins, sorted */
	size_t count, cap;
};

/* Returns false, and leaves the map empty, when not all of the code can be decoded. */
bool code_map_make(struct code_map *m, const struct method_code *code);

/* The scope of the instruction at an offset; 0: nothing is near. */
uint32_t code_map_scope(const struct code_map *m, uint32_t at);

void code_map_free(struct code_map *m);

#endif
