#include "collect/spans/span_budget.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/memory.h"

/* If stacks cost more than this share of each CPU, warn. */
static const double DEAR_SHARE = 0.03;

/* What stacks cost on all CPUs, and how many there were. */
static struct stack_account span_budget_spent(const struct span_program *p)
{
	int map = bpf_object__find_map_fd_by_name(p->object.object, "stack_accounts"),
	    cpus = libbpf_num_possible_cpus();
	struct stack_account sum = { 0 }, *each = xcalloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*each));
	uint32_t zero = 0;

	if (map >= 0 && cpus > 0 && !bpf_map_lookup_elem(map, &zero, each)) {
		for (int i = 0; i < cpus; i++) {
			sum.spent_ns += each[i].spent_ns;
			sum.stacks += each[i].stacks;
		}
	}
	free(each);
	return sum;
}

/* Stacks that the user asked for are kept, but the user should learn what they cost. */
static void span_budget_warn(const struct span_program *p, const struct collection *c)
{
	struct stack_account stacks = span_budget_spent(p);
	double share = c->ns ? (double)stacks.spent_ns / (double)c->ns / (double)c->all_cpus.count : 0;

	if (p->takes_all && share > DEAR_SHARE)
		warn("%s: %" PRIu64
		     " stacks took about %.0f %% of each CPU's time, as %s was given: --budget 3%% takes "
		     "fewer, and times all %s",
		     p->name, (uint64_t)stacks.stacks, 100 * share, c->opt.min_word ? "--min" : "--events",
		     event_untaken_noun(event_row_of(p->event_name)));
}

void span_budget_say(const struct span_program *p, const struct collection *c, struct span_untaken untaken)
{
	const struct event_row *row = event_row_of(p->event_name);

	if (untaken.none)
		detail("%s: %" PRIu64
		       " of these without a stack, to keep to --budget: counted and timed as %s or, those of a "
		       "millisecond or longer, %s",
		       p->name, untaken.none, event_untaken(row, false).text, event_untaken(row, true).text);
	if (untaken.other)
		detail("%s: %" PRIu64 " of these, of a millisecond or longer, with the stack of another one of their "
		       "thread, chosen at random, to keep to --budget",
		       p->name, untaken.other);
	span_budget_warn(p, c);
}
