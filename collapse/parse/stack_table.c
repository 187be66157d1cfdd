#include "collapse/parse/stack_table.h"

#include <stdlib.h>

#include "collapse/parse/label_keys.h"
#include "collapse/parse/stack_chain.h"
#include "core/memory.h"
#include "core/str.h"

void stack_table_strings(struct stack_table *t, struct json array)
{
	struct json item;
	size_t cap = 0;

	while (json_next_item(&array, &item)) {
		t->strings = xgrow(t->strings, &cap, t->string_count + 1, sizeof(*t->strings));
		t->strings[t->string_count++] = item;
	}
}

static uint32_t make_stack(const struct stack_table *t, uint64_t stack,
			   uint32_t (*frame_of)(const void *of, uint64_t frame), const void *of)
{
	struct stack_chain chain = { 0 };
	uint64_t at = stack;

	while (at < t->count && stack_chain_add(&chain, t->s, frame_of(of, t->frame[at])))
		at = at < t->prefix_count ? t->prefix[at] : UINT64_MAX;
	return stack_chain_end(&chain, t->s);
}

void stack_table_sample(struct stack_table *t, struct json stack, const struct text_value *value, uint32_t labels,
			uint32_t (*frame_of)(const void *of, uint64_t frame), const void *of)
{
	uint64_t number;

	if (stack.at < stack.end && *stack.at == 'n') /* null: the thread had none */
		return;
	if (!json_scaled(stack, 0, &number) || number >= t->count) {
		text_wrong(t->s, stack.at, "a stack that is not in the table");
		return;
	}
	if (!t->made) {
		t->stacks = xcalloc(t->count, sizeof(*t->stacks));
		t->made = xcalloc(t->count, sizeof(*t->made));
	}
	if (!t->made[number])
		t->stacks[number] = make_stack(t, number, frame_of, of);
	t->made[number] = true;
	fold_add_text(t->s, &(struct text_sample){ .values = value, .stack = t->stacks[number], .labels = labels });
}

void stack_table_thread(struct json thread, struct text_labels *labels)
{
	labels->tid = json_thread_number(json_member(thread, "tid"));
	labels->pid = json_thread_number(json_member(thread, "pid"));
	labels_complete(labels);
}

void stack_table_free(struct stack_table *t)
{
	free(t->frame);
	free(t->prefix);
	free(t->strings);
	free(t->stacks);
	free(t->made);
	*t = (struct stack_table){ 0 };
}
