#include "collapse/parse/stack_table.h"

#include <stdlib.h>

#include "collapse/parse/label_keys.h"
#include "collapse/parse/stack_chain.h"
#include "core/memory.h"
#include "core/str.h"

enum { NS_PER_MS_POWER = 6 };

void stack_table_strings(struct stack_table *t, struct json array)
{
	struct json item;
	size_t cap = 0;

	while (json_next_item(&array, &item)) {
		t->strings = xgrow(t->strings, &cap, t->string_count + 1, sizeof(*t->strings));
		t->strings[t->string_count++] = item;
	}
}

static uint32_t stack_table_make_stack(struct stack_table *t, uint64_t stack,
				       uint32_t (*frame_of)(const void *of, uint64_t frame), const void *of)
{
	struct stack_chain chain = { 0 };
	uint64_t at = stack;

	for (; at < t->count; at = at < t->prefix_count ? t->prefix[at] : UINT64_MAX) {
		if (!t->frames[at])
			t->frames[at] = frame_of(of, t->frame[at]) + 1;
		if (!stack_chain_add(&chain, t->s, t->frames[at] - 1))
			break;
	}
	return stack_chain_end(&chain, t->s);
}

void stack_table_sample(struct stack_table *t, struct json stack, struct text_sample sample,
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
		t->frames = xcalloc(t->count, sizeof(*t->frames));
	}
	if (!t->made[number])
		t->stacks[number] = stack_table_make_stack(t, number, frame_of, of);
	t->made[number] = true;
	sample.stack = t->stacks[number];
	fold_add_text(t->s, &sample);
}

uint64_t stack_table_time(struct json ms, uint64_t start_ns, uint64_t before_ns)
{
	int64_t at;

	if (!json_signed(ms, NS_PER_MS_POWER, &at) || __builtin_add_overflow((int64_t)start_ns, at, &at))
		return before_ns;
	return at > 0 ? (uint64_t)at : 0;
}

uint64_t stack_table_start(struct json profile)
{
	uint64_t ns;

	if (!json_rounded(json_member(json_member(profile, "meta"), "startTime"), NS_PER_MS_POWER, &ns) ||
	    ns > INT64_MAX)
		return 0;
	return ns;
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
	free(t->frames);
	*t = (struct stack_table){ 0 };
}
