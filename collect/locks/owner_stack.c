#include "collect/locks/owner_stack.h"

static void locks_owner_stack_add_label(struct chain_builder *chain, uint32_t pid, uint32_t tid)
{
	chain_builder_add_one(chain, RECORDING_LABEL(RECORDING_LABEL_WAKER, (uint64_t)pid << 24 | tid));
}

static void add_kernel(const struct owner_stacks *o, const uint64_t *stack, size_t count, struct chain_builder *chain)
{
	size_t skip = trace_frames_count(o->frames, stack, count);

	chain_builder_add_kernel(chain, stack + skip, count - skip);
}

void owner_stack_add_seen(const struct owner_stacks *o, const struct owner_seen *seen, struct chain_builder *chain)
{
	const struct locks_holder *h = &seen->holder;
	struct waker_copy copy = {
		.pid = h->pid,
		.tid = h->tid,
		.cpu = seen->cpu,
		.time_ns = seen->time_ns,
		.bytes = (const uint8_t *)seen->copy.buf,
		.len = seen->copy.len,
	};

	locks_owner_stack_add_label(chain, h->pid, h->tid);
	add_kernel(o, h->kernel, h->kernel_count > 0 ? (size_t)h->kernel_count : 0, chain);
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
	else
		chain_builder_add_user(chain, seen->followed, seen->count, o->lost);
}

static struct waker_copy locks_owner_stack_copy_of(const struct locks_record *r)
{
	size_t kernel = r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
	size_t user = r->user_count > 0 ? (size_t)r->user_count : 0;

	return (struct waker_copy){
		.pid = r->owner_pid,
		.tid = r->owner_tid,
		.cpu = r->cpu,
		.time_ns = r->until_ns,
		.bytes = (const uint8_t *)(r->stack + kernel + user),
		.len = r->copied,
	};
}

void owner_stack_add_sample(const struct owner_stacks *o, const struct locks_record *r, struct chain_builder *chain)
{
	size_t kernel = r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
	size_t user = r->user_count > 0 ? (size_t)r->user_count : 0;
	struct waker_copy copy = locks_owner_stack_copy_of(r);

	*o->lost += r->user_count < 0;
	locks_owner_stack_add_label(chain, r->owner_pid, r->owner_tid);
	add_kernel(o, r->stack, kernel, chain);
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
	else
		chain_builder_add_user(chain, r->stack + kernel, user, o->lost);
}

void owner_stack_add_release(const struct owner_stacks *o, const struct locks_record *r, struct chain_builder *chain)
{
	struct waker_copy copy = locks_owner_stack_copy_of(r);
	struct waker_stack stack = {
		.frames = o->frames,
		.pid = r->owner_pid,
		.tid = r->owner_tid,
		.stack = r->stack,
		.kernel_count = r->kernel_count,
		.user_count = r->user_count,
		.cut = o->lost,
	};
	size_t before = chain->count;

	if (chain_builder_add_waker(chain, &stack)) {
		chain->count = before;
		return;
	}
	*o->lost += r->kernel_count < 0 || r->user_count < 0;
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
}
