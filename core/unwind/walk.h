/* walk: one walk from frame to frame, shared by unwinder.c and the two kinds of steps. */
#ifndef CORE_UNWIND_WALK_H
#define CORE_UNWIND_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/code_tables.h"
#include "core/unwind/registers.h"
#include "core/unwind/rules.h"
#include "core/unwind/tables.h"
#include "core/unwind/unwinder.h"

struct unwinder {
	const struct modules *modules;
	enum unwind_machine machine;
	struct rules rules;
	struct tables tables;
	struct code_tables code_tables;
	struct unwind_runtime runtime; /* step NULL: there is no runtime */
	bool reads_memory;             /* code may be read from the memory of the processes */
	struct rules returns;          /* rules for code read from memory, by address: step_by_guess.c */
};

/* One walk, at one of its frames. */
struct walk {
	struct unwinder *u;
	struct space *space;
	uint64_t time_ns;
	struct registers now;
	struct stack_copy stack;
	bool stack_is_cut; /* the copy of the stack is incomplete */
	bool jumped;       /* the walk went to another stack, out of a signal handler */
	bool leaves_out;   /* a runtime has left out callers */
	uint64_t pc;
	bool is_exact;                 /* pc is the interrupted instruction, not a return address */
	uint64_t floor;                /* the caller's CFA must be above this */
	uint32_t module;               /* number of the module that contains pc */
	const struct mapping *mapping; /* the mapping of an earlier pc, see walk_mapping() */
	enum unwind_end end;
};

/* End the walk for this reason.  Returns false. */
bool walk_stop(struct walk *w, enum unwind_end end);

/* End the walk because stack.missed was needed, but is not in the copy.  Returns false. */
bool walk_stop_unread(struct walk *w);

/* Go to the caller, whose frame begins at cfa.  Returns false if that is implausible, or if pc is 0. */
bool walk_go_on(struct walk *w, uint64_t cfa, uint64_t pc, bool is_signal);

/* The mapping of an address, or NULL. */
const struct mapping *walk_mapping(struct walk *w, uint64_t address);

/* x86-64: is an address directly after a call?  On other machines, and if the code cannot be read: true. */
bool walk_is_behind_call(struct walk *w, uint64_t pc);

/* x86-64: the target of the direct call before pc, a return address.  Returns false if there is none, and on other
 * machines. */
bool walk_call_target(struct walk *w, uint64_t pc, uint64_t *target);

/* aarch64: remove the bits above the address, which may sign it (pointer authentication). */
uint64_t walk_strip_signature(const struct walk *w, uint64_t address);

unsigned walk_stack_pointer(const struct walk *w);
unsigned walk_program_counter(const struct walk *w);

/* One step by a rule from the tables.  The rule must have a return address. */
bool step_by_rule(struct walk *w, const struct rule *rule);

/* One step without tables: number is RULE_NO_CFI etc., or RULE_FIRST for a rule whose CFA cannot be
 * computed. */
bool step_by_guess(struct walk *w, uint32_t number);

#endif
