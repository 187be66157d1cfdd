/* span_budget: reports how the budget (--budget; bpf/stack_budget.bpf.h) limited a program's stacks. */
#ifndef COLLECT_SPANS_SPAN_BUDGET_H
#define COLLECT_SPANS_SPAN_BUDGET_H

#include <stdint.h>

#include "collect/spans/span_program.h"

/* How many spans have no stack because of the budget. */
struct span_untaken {
	uint64_t none;  /* a frame says so */
	uint64_t other; /* spans that have the stack of another span of their thread */
};

/* Say how many, and warn about the cost of stacks that the user asked for explicitly. */
void span_budget_say(const struct span_program *p, const struct collection *c, struct span_untaken untaken);

#endif
