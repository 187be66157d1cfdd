/* code_map: finds the best debug information for each instruction of a compiled method.  The compiler describes only
 * calls and polls; these also describe loads that fault into a trap, and branches that lead only to a trap or a call.
 * All other instructions get the nearest of these along the control flow:
 *
 *         cmp   0xc(%rsi), %ecx        nearest: the branch
 *         jae   9f -------------.      the scope of the trap
 *         xor   %eax, %eax      |      nearest: the branch
 *     .-> imul  $31, %eax, %eax |      in a loop without debug information: what comes next
 *     |   cmp   %ebx, %edx      |      ...
 *     '-- jl                    |      ...
 *         test  %eax, (%r10)    |      the scope of this poll
 *     9f: call  uncommon trap <-'      the scope of this call
 *
 * But if an instruction computes what only one of the methods between two described places does, it belongs to
 * that method (code_path.h). */
#ifndef COLLECT_JVM_CODE_CODE_MAP_H
#define COLLECT_JVM_CODE_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code/work.h"

/* A PcDesc: the offset in the code of an instruction, or of a call's return, and its scope. */
struct told {
	int32_t at;
	int32_t scope; /* offset of the scope; 0 or less: none */
};

/* An entry of the table of implicit null checks: an instruction, and where the code continues when it faults. */
struct null_check {
	uint32_t at, handler;
};

/* A scope: one bytecode of an inlined method. */
struct inlined_scope {
	int32_t scope, caller; /* scopes; caller 0: none */
	uint32_t method;       /* the method's number */
	int bci;
	uint32_t activation; /* number of the activation: this method, called from one place */
	uint32_t place;      /* the same for the same bci of the same activation */
	uint32_t calls;      /* 1 + index of the activation's first silent call or, in a silent call, of the next one */
};

/* Numbers of scopes that are not in debug information: that of a method without any and, from SILENT_SCOPE on, those of
 * methods that it calls (silent.h) and of the places that call them. */
enum { ROOT_SCOPE = (1 << 24) - 1, SILENT_SCOPE };

/* The machine code of a method; owned by the caller. */
struct method_code {
	const uint8_t *bytes;
	size_t len;
	const struct told *told; /* sorted by offset */
	size_t told_count;
	const struct null_check *checks;
	size_t check_count;
	const struct inlined_scope *inlined; /* sorted by scope: all scopes in told, their callers, and silent ones */
	size_t inlined_count;
	const struct bytecodes *methods;
};

/* The scope in a sorted list; NULL: it is not there. */
const struct inlined_scope *inlined_scope_find(const struct inlined_scope *list, size_t count, int32_t scope);

/* {0} is empty. */
struct code_map {
	struct told *list; /* where another scope begins, sorted */
	size_t count, cap;
};

/* Returns false, and leaves the map empty, if part of the code cannot be decoded. */
bool code_map_make(struct code_map *m, const struct method_code *code);

/* The scope of the instruction at offset `at`; 0: no debug information is near. */
uint32_t code_map_scope(const struct code_map *m, uint32_t at);

void code_map_free(struct code_map *m);

#endif
