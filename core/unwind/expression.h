/* expression: evaluates the DWARF expressions of call frame information (DWARF 5, 2.5 and
 * 6.4.2): arithmetic on registers and on the copy of the stack. */
#ifndef CORE_UNWIND_EXPRESSION_H
#define CORE_UNWIND_EXPRESSION_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "core/unwind/registers.h"

/* The result of an expression: a value, the address of a value, or the register that holds one. */
enum expression_kind { EXPRESSION_ADDRESS, EXPRESSION_VALUE, EXPRESSION_REGISTER };

enum expression_result {
	EXPRESSION_OK,
	EXPRESSION_BAD,    /* invalid, or needs something unknown */
	EXPRESSION_UNREAD, /* an address (stack->missed) is not in the copy of the stack */
};

/* cfa is NULL when the expression computes the CFA itself. */
enum expression_result expression_run(const Dwarf_Op *ops, size_t count, const struct registers *registers,
				      struct stack_copy *stack, const uint64_t *cfa, uint64_t *value,
				      enum expression_kind *kind);

#endif
