/* code_tables: call frame information of code that has no file, as a JIT hands it over. */
#ifndef CORE_UNWIND_CODE_TABLES_H
#define CORE_UNWIND_CODE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/unwind/rules.h"

/* Of one piece of code: its .eh_frame. */
struct code_table {
	uint32_t module;
	uint64_t address, size; /* of the code */
	const uint8_t *eh_frame;
	size_t len;
	uint64_t eh_frame_address; /* counted as address is */
	size_t order;           /* of adding */
};

/* {0} is valid and empty. */
struct code_tables {
	struct code_table *items; /* by module and address, once sorted; of equals the last counts */
	size_t count, cap;
	bool sorted;
	struct arena bytes;
};

/* A copy is kept. */
void code_tables_add(struct code_tables *t, const struct code_table *table);

/* The number of the rule for an address, added to rules; or RULE_NO_CFI. */
uint32_t code_tables_rule(struct code_tables *t, uint32_t module, uint64_t address, struct rules *rules,
			  enum unwind_machine machine);

void code_tables_free(struct code_tables *t);

#endif
