/* pmcstat: the call graph that FreeBSD's pmcstat -G writes, with the leaf at the top.
 *
 *     @ CPU_CLK_UNHALTED_CORE [4653 samples]
 *
 *     51.99%  [2419]     lock_delay @ /boot/kernel/kernel
 *      100.0%  [2419]      __mtx_lock_sleep
 *       60.00%  [1451]      vm_fault
 *
 * becomes
 *
 *     vm_fault;__mtx_lock_sleep;lock_delay 1451
 *     __mtx_lock_sleep;lock_delay 968                     others called it
 *
 * Each "@" begins an event. */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"

struct graph {
	struct call_tree tree;
	struct stack_builder stack;
	struct text_labels labels;
	struct str name; /* scratch */
};

/* The path is from the leaf. */
static void pmcstat_add_stack(struct call_tree *t, uint32_t unused, const struct call_row *leaf, uint64_t count)
{
	struct graph *g = t->user;

	(void)unused;
	(void)leaf;
	for (size_t i = 0; i < t->depth; i++)
		stack_builder_add_number(&g->stack, t->frames[i]);
	stack_builder_sample(&g->stack, LEAF_FIRST, &(struct text_value){ .whole = count }, &g->labels);
}

/* "  60.00%  [1451]      vm_fault @ /boot/kernel/kernel": the indentation, the count, the function */
static bool pmcstat_take_columns(struct text_span line, size_t *indent, uint64_t *count, struct text_span *function)
{
	struct decimal percent;

	*indent = span_indent(line);
	line = span_after(line, *indent);
	if (!decimal_read(&line.text, &line.len, &percent) || !span_skip(&line, "%"))
		return false;
	line = span_trim(line);
	if (!span_skip(&line, "[") || !span_number(&line, UINT64_MAX, count) || !span_skip(&line, "]"))
		return false;
	*function = span_trim(line);
	return function->len > 0;
}

static void pmcstat_take_line(struct graph *g, struct text_span line)
{
	struct call_row row = { .at = line.text };
	enum text_kind kind = TEXT_PLAIN;
	struct text_span function;
	size_t indent, at;

	if (!pmcstat_take_columns(line, &indent, &row.count, &function)) {
		text_wrong(g->tree.out, line.text, "no '%  [count]  function'");
		return;
	}
	at = span_find_last(function, " @ ");
	if (at < function.len && span_begins(span_after(function, at), " @ /boot/"))
		kind = TEXT_KERNEL;
	function.len = at;
	function = function_name_clean(function, &g->name);
	call_tree_row(&g->tree, indent, text_frame(g->tree.out, kind, function.text, function.len), &row);
}

/* "@ CPU_CLK_UNHALTED_CORE [4653 samples]" */
static void pmcstat_begin_event(struct graph *g, struct text_span line)
{
	struct text_span event = span_trim(span_after(line, 1));

	call_tree_end(&g->tree);
	event.len = span_find(event, " [");
	g->labels.event = text_name(g->tree.out, event.text, event.len);
}

static void pmcstat_parse(const struct text_part *part)
{
	struct graph g = { .tree = { .out = part->out, .add = pmcstat_add_stack },
			   .stack = { .out = part->out },
			   .labels = TEXT_NO_LABELS };
	const char *next = NULL;
	struct text_span line;

	g.tree.user = &g;
	while (span_line(part, &next, &line)) {
		if (span_begins(line, "@ "))
			pmcstat_begin_event(&g, line);
		else if (span_trim(line).len)
			pmcstat_take_line(&g, line);
	}
	call_tree_end(&g.tree);
	call_tree_free(&g.tree);
	stack_builder_free(&g.stack);
	str_free(&g.name);
}

static enum sniffed pmcstat_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, function;
	size_t indent;
	uint64_t count;

	while (span_line(&part, &next, &line)) {
		if (span_trim(line).len && !span_begins(line, "@ "))
			return pmcstat_take_columns(line, &indent, &count, &function) ? SNIFF_SURE : SNIFF_NO;
	}
	return SNIFF_NO;
}

const struct input_format pmcstat_format = {
	.name = "pmcstat",
	.holds = "stacks and events",
	.wanted = "'50.00%  [12]  function'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_EVENTS,
	.sniff = pmcstat_sniff,
	.parse = pmcstat_parse,
};
