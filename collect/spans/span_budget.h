/* span_budget: says what became of a program's stacks, which may cost only so much (--budget; bpf/stack_budget.bpf.h). */
#ifndef COLLECT_SPANS_SPAN_BUDGET_H
#define COLLECT_SPANS_SPAN_BUDGET_H

#include <stdint.h>

#include "collect/spans/span_program.h"

/* How many spans have no stack, to keep to the budget. */
struct span_untaken {
	uint64_t none;  /* a frame says so */
	uint64_t other; /* they have the stack of another one of their thread */
};

/* Say how many, and warn of what stacks cost that the user asked for expressly. */
void span_budget_say(const struct span_program *p, const struct collection *c, struct span_untaken untaken);

#endif
