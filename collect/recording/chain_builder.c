#include "collect/recording/chain_builder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* This many equal addresses at the end of a stack are a loop. */
enum { LOOP = 3 };

void chain_builder_add(struct chain_builder *c, const uint64_t *entries, size_t count)
{
	if (!count)
		return;
	c->list = xgrow(c->list, &c->cap, c->count + count, sizeof(*c->list));
	memcpy(c->list + c->count, entries, count * sizeof(*entries));
	c->count += count;
}

void chain_builder_add_one(struct chain_builder *c, uint64_t entry)
{
	chain_builder_add(c, &entry, 1);
}

void chain_builder_add_kernel(struct chain_builder *c, const uint64_t *stack, size_t count)
{
	if (count)
		chain_builder_add_one(c, (uint64_t)PERF_CONTEXT_KERNEL);
	chain_builder_add(c, stack, count);
}

/* Number of equal entries at the end. */
static size_t same_at_end(const uint64_t *stack, size_t count)
{
	size_t same = count > 0;

	while (same < count && stack[count - 1 - same] == stack[count - 1])
		same++;
	return same;
}

/* In code without frame pointers, entries may be garbage that even looks like labels. */
void chain_builder_add_user(struct chain_builder *c, const uint64_t *stack, size_t count, uint64_t *cut)
{
	size_t same;

	for (size_t i = 0; i < count; i++) {
		if (!stack[i] || stack[i] >> 56)
			count = i;
	}
	same = same_at_end(stack, count);
	if (same >= LOOP) {
		count -= same - 1;
		++*cut;
	}
	if (count)
		chain_builder_add_one(c, (uint64_t)PERF_CONTEXT_USER);
	chain_builder_add(c, stack, count);
}

bool chain_builder_add_waker(struct chain_builder *c, const struct waker_stack *w)
{
	size_t kernel = w->kernel_count > 0 ? (size_t)w->kernel_count : 0;
	size_t user = w->user_count > 0 ? (size_t)w->user_count : 0;
	size_t interrupt = trace_frames_interrupt(w->frames, w->stack, kernel);
	size_t skip = trace_frames_count(w->frames, w->stack, kernel);
	uint64_t who = interrupt ? 0 : (uint64_t)w->pid << 24 | w->tid;

	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_WAKER, who));
	chain_builder_add_kernel(c, w->stack + skip, (interrupt ? interrupt : kernel) - skip);
	if (!interrupt)
		chain_builder_add_user(c, w->stack + kernel, user, w->cut);
	return interrupt;
}

void chain_builder_copy(struct chain_builder *to, const struct chain_builder *from)
{
	to->count = 0;
	chain_builder_add(to, from->list, from->count);
}

void chain_builder_swap(struct chain_builder *a, struct chain_builder *b)
{
	struct chain_builder c = *a;

	*a = *b;
	*b = c;
}

void chain_builder_free(struct chain_builder *c)
{
	free(c->list);
	*c = (struct chain_builder){ 0 };
}
