/* code_tables: call frame information of code without a file, as given by a JIT. */
#ifndef CORE_UNWIND_CODE_TABLES_H
#define CORE_UNWIND_CODE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/unwind/rules.h"

/* The .eh_frame of one piece of code. */
struct code_table {
	uint32_t module;
	uint64_t address, size; /* of the code */
	const uint8_t *eh_frame;
	size_t len;
	uint64_t eh_frame_address; /* relative to the same start as address */
	size_t order;              /* when it was added: 0, 1, ... */
};

/* {0} is valid and empty. */
struct code_tables {
	struct code_table *items; /* sorted by module and address when needed; of equal ones, the last counts */
	size_t count, cap;
	bool sorted;
	struct arena bytes;
};

/* Add a table; its bytes are copied. */
void code_tables_add(struct code_tables *t, const struct code_table *table);

/* The number of the rule for an address, added to rules; or RULE_NO_CFI. */
uint32_t code_tables_rule(struct code_tables *t, uint32_t module, uint64_t address, struct rules *rules,
			  enum unwind_machine machine);

void code_tables_free(struct code_tables *t);

#endif
