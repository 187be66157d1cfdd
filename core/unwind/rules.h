/* rules: how to get from a frame to its caller, made with libdw once for each observed
 * address.
 *
 * The canonical frame address (CFA) of a frame is the stack pointer that its caller had before
 * the call.  Nearly every rule is plain: the CFA is a register + a number, and saved registers
 * are at CFA + numbers.  There are few distinct rules: addresses share them. */
#ifndef CORE_UNWIND_RULES_H
#define CORE_UNWIND_RULES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/unwind/unwinder.h"

enum { RULE_SAVED_MAX = 12 };

enum rule_kind { RULE_PLAIN, RULE_EXPRESSIONS };

enum rule_return {
	RETURN_SAVED,     /* the return address is at CFA + return_offset */
	RETURN_REGISTER,  /* the return address is still in the link register */
	RETURN_UNDEFINED, /* there is none: this is the thread's first function */
};

struct rule {
	uint8_t kind;      /* enum rule_kind */
	uint8_t returns;   /* enum rule_return; only for plain rules */
	uint8_t is_signal; /* the caller was interrupted by a signal: it did not call */
	uint8_t cfa_register;
	int32_t cfa_offset;
	int32_t return_offset;
	uint32_t recipes; /* index of the first of recipe_count, if the rule is not plain */
	uint32_t recipe_count;
	uint32_t saved_count;
	uint64_t kept;                    /* bit n: register n, if known here, has the same value in the caller */
	int32_t saved_at[RULE_SAVED_MAX]; /* offsets from the CFA */
	uint8_t saved[RULE_SAVED_MAX];    /* the registers that are saved there */
	uint32_t unused;
};

/* One register of the caller, or its CFA (which comes first), by a DWARF expression. */
struct recipe {
	const Dwarf_Op *ops;
	uint32_t count;
	uint32_t target; /* a register, RECIPE_CFA, or RECIPE_RETURN */
};

enum { RECIPE_CFA = 1000, RECIPE_RETURN };

/* Numbers that stand for the lack of a rule. */
enum {
	RULE_NO_CFI = 1, /* nothing is known about the code: it may keep frame pointers */
	RULE_NO_FILE,    /* nothing is known, because the code's file cannot be read */
	RULE_NO_FRAME,   /* the code sets up no frame pointer: the register still has the caller's */
	RULE_UNCLEAR,    /* the code may or may not set up a frame pointer: it has no symbol, or its file has no
			  * tables at all */
	RULE_ENTRY,      /* where the kernel lets programs begin */
	RULE_FIRST,
};

/* {0} is valid and empty. */
struct rules {
	struct rule *items; /* [count]; the number of items[i] is RULE_FIRST + i */
	size_t count, cap;
	struct intern known; /* their bytes, to find equal ones */
	struct recipe *recipes;
	size_t recipe_count, recipe_cap;
	struct arena ops;
	struct map by_address; /* (address in the module, module) -> number */
};

/* The number of the rule for an address; 0: the address is new. */
uint32_t unwind_rules_find(const struct rules *r, uint32_t module, uint64_t address);
void unwind_rules_remember(struct rules *r, uint32_t module, uint64_t address, uint32_t rule);

/* The number of the rule for a frame of libdw; RULE_NO_CFI if we cannot use that frame. */
uint32_t unwind_rules_add(struct rules *r, Dwarf_Frame *frame, enum unwind_machine machine);

/* The number of the rule for code that ends a signal handler: the kernel has saved all registers
 * on the stack. */
uint32_t unwind_rules_add_signal_return(struct rules *r, enum unwind_machine machine);

void unwind_rules_free(struct rules *r);

#endif
