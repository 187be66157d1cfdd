/* tables: the call frame information of modules, through libdw.  A file is opened when one of its addresses is
 * first needed; if there are many, only those used last stay open. */
#ifndef CORE_UNWIND_TABLES_H
#define CORE_UNWIND_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/modules.h"
#include "core/unwind/rules.h"

struct table;

/* {0} is valid and empty. */
struct tables {
	struct table **items; /* by module number; NULL: not opened yet */
	size_t count, cap;
	size_t open_count;
	uint64_t clock; /* counts uses */
};

/* The number of the rule for an address in a module, added to rules; or RULE_NO_CFI etc. */
uint32_t tables_rule(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
		     struct rules *rules, enum unwind_machine machine);

/* len bytes of a module's code, or NULL if they are not in its file.  Valid until the next call of any of these
 * functions. */
const uint8_t *tables_code(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
			   size_t len);

/* The start of the function at an address that has no rule.  Returns false if unknown. */
bool tables_function(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
		     uint64_t *start);

/* The file of a module, or NULL.  Valid until the next call of any of these functions. */
const struct elf_file *tables_file(struct tables *t, const struct modules *modules, uint32_t module);

void tables_free(struct tables *t);

#endif
