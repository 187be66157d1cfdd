#include "collect/offcpu/offcpu_threads.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

enum {
	FIRST_SLOTS = 256,
	PENDING_MAX = 64, /* number of blocks in one system call after which we stop waiting for its user stack */
};

struct offcpu_pending {
	struct offcpu_record record; /* the block's record, without the stack */
	struct chain_builder kernel, waker;
};

static size_t offcpu_threads_kernel_count(const struct offcpu_record *r)
{
	return r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
}

static void add_own_kernel(struct offcpu_threads *t, struct chain_builder *c, const struct offcpu_record *r)
{
	chain_builder_add_kernel(c, r->stack, offcpu_threads_kernel_count(r));
	t->lost_stacks += r->kernel_count < 0;
}

void offcpu_copy_take(const struct offcpu_record *r, struct str *copy)
{
	size_t user = r->user_count > 0 ? (size_t)r->user_count : 0;

	str_clear(copy);
	str_add(copy, (const char *)(r->stack + offcpu_threads_kernel_count(r) + user), r->copied);
}

/* If the user stack is walked later, the chain has only the leaf until then. */
static void add_own_user(struct offcpu_threads *t, struct chain_builder *c, const struct offcpu_record *r)
{
	if (r->copied) {
		uint64_t ip = r->ip;

		chain_builder_add_user(c, &ip, 1, &t->lost_stacks);
		return;
	}
	chain_builder_add_user(c, r->stack + offcpu_threads_kernel_count(r),
			       r->user_count > 0 ? (size_t)r->user_count : 0, &t->lost_stacks);
	t->lost_stacks += r->user_count < 0;
}

/* Keep only this many hops of the wakers' stacks. */
static void add_hops(struct chain_builder *c, const struct chain_builder *wakers, unsigned hops)
{
	size_t count = 0;

	for (unsigned labels = 0; count < wakers->count; count++) {
		uint64_t entry = wakers->list[count];

		if (RECORDING_IS_LABEL(entry) && RECORDING_LABEL_KIND(entry) == RECORDING_LABEL_WAKER &&
		    labels++ == hops)
			break;
	}
	chain_builder_add(c, wakers->list, count);
}

/* ---- threads ---- */

static size_t offcpu_threads_slot_of(const struct offcpu_threads *t, uint32_t tid)
{
	size_t i = hash_mix(tid, 0) & (t->slot_count - 1);

	while (t->slots[i] && t->slots[i]->tid != tid)
		i = (i + 1) & (t->slot_count - 1);
	return i;
}

static void offcpu_threads_grow(struct offcpu_threads *t)
{
	struct offcpu_thread **old = t->slots;
	size_t old_count = t->slot_count;

	if (2 * (t->count + 1) <= t->slot_count)
		return;
	t->slot_count = old_count ? 2 * old_count : FIRST_SLOTS;
	t->slots = xcalloc(t->slot_count, sizeof(struct offcpu_thread *));
	for (size_t i = 0; i < old_count; i++) {
		if (old[i])
			t->slots[offcpu_threads_slot_of(t, old[i]->tid)] = old[i];
	}
	free(old);
}

/* Only a new thread may change the order, since existing ones are looked up while we go through all. */
struct offcpu_thread *offcpu_thread(struct offcpu_threads *t, uint32_t tid)
{
	size_t i = t->slot_count ? offcpu_threads_slot_of(t, tid) : 0;

	if (t->slot_count && t->slots[i])
		return t->slots[i];
	offcpu_threads_grow(t);
	i = offcpu_threads_slot_of(t, tid);
	t->slots[i] = xcalloc(1, sizeof(**t->slots));
	t->slots[i]->tid = tid;
	t->count++;
	return t->slots[i];
}

/* ---- records ---- */

static void take_waker(struct offcpu_threads *t, const struct offcpu_record *r)
{
	struct offcpu_thread *waker = offcpu_thread(t, r->waker_tid), *woken = offcpu_thread(t, r->tid);
	bool interrupt;

	woken->woken_since_ns = r->since_ns;
	woken->waker.count = 0;
	interrupt = chain_builder_add_waker(&woken->waker, &(struct waker_stack){
								   .frames = &t->trace_frames,
								   .pid = r->waker_pid,
								   .tid = r->waker_tid,
								   .stack = r->stack,
								   .kernel_count = r->kernel_count,
								   .user_count = r->user_count,
								   .cut = &t->lost_stacks,
							   });
	t->lost_stacks += r->kernel_count < 0 || (r->user_count < 0 && !interrupt);
	if (r->copied && !interrupt && t->add_waker)
		t->add_waker(r, &woken->waker);
	if (t->hops > 1 && !interrupt && waker != woken && waker->last_until_ns >= r->since_ns)
		add_hops(&woken->waker, &waker->last_waker, t->hops - 1);
}

static void offcpu_threads_finish(struct offcpu_threads *t, const struct offcpu_record *r,
				  const struct chain_builder *waker)
{
	chain_builder_add_one(&t->chain, RECORDING_LABEL(RECORDING_LABEL_STATE, r->state));
	if (waker)
		add_hops(&t->chain, waker, t->hops);
	t->finish(r, t->chain.list, t->chain.count);
}

static void finish_pending(struct offcpu_threads *t, struct offcpu_thread *thread, const uint64_t *user, size_t count)
{
	for (size_t i = 0; i < thread->pending_count; i++) {
		struct offcpu_pending *p = &thread->pending[i];
		uint64_t ip = p->record.ip;

		chain_builder_swap(&t->chain, &p->kernel);
		chain_builder_add_user(&t->chain, count ? user : &ip, count ? count : ip != 0, &t->lost_stacks);
		t->lost_stacks += !count && !t->copy.len;
		offcpu_threads_finish(t, &p->record, &p->waker);
		chain_builder_free(&p->kernel);
		chain_builder_free(&p->waker);
	}
	free(thread->pending);
	thread->pending = NULL;
	thread->pending_count = thread->pending_cap = 0;
}

/* Keep a block until its user stack arrives; t->chain has its kernel part. */
static void put_off(struct offcpu_threads *t, struct offcpu_thread *thread, const struct offcpu_record *r,
		    const struct chain_builder *waker)
{
	struct offcpu_pending *p;

	if (thread->pending_count == PENDING_MAX)
		finish_pending(t, thread, NULL, 0);
	thread->pending =
		xgrow(thread->pending, &thread->pending_cap, thread->pending_count + 1, sizeof(*thread->pending));
	p = &thread->pending[thread->pending_count++];
	*p = (struct offcpu_pending){ 0 };
	memcpy(&p->record, r, offsetof(struct offcpu_record, stack));
	chain_builder_copy(&p->kernel, &t->chain);
	if (waker)
		chain_builder_copy(&p->waker, waker);
}

static void take_block(struct offcpu_threads *t, const struct offcpu_record *r)
{
	struct offcpu_thread *thread = offcpu_thread(t, r->tid);
	bool woken = t->hops && thread->woken_since_ns == r->since_ns;
	const struct chain_builder *waker = woken ? &thread->waker : NULL;

	t->chain.count = 0;
	offcpu_copy_take(r, &t->copy);
	add_own_kernel(t, &t->chain, r);
	if (!r->follows) {
		add_own_user(t, &t->chain, r);
		offcpu_threads_finish(t, r, waker);
	} else if (thread->user_since_ns == r->since_ns) {
		chain_builder_add_user(&t->chain, thread->user.list, thread->user.count, &t->lost_stacks);
		str_add(&t->copy, str_text(&thread->user_copy), thread->user_copy.len);
		offcpu_threads_finish(t, r, waker);
	} else {
		put_off(t, thread, r, waker);
	}
	thread->last_until_ns = r->until_ns;
	thread->last_waker.count = 0;
	if (woken)
		chain_builder_swap(&thread->waker, &thread->last_waker);
}

static void offcpu_threads_take_user(struct offcpu_threads *t, const struct offcpu_record *r)
{
	struct offcpu_thread *thread = offcpu_thread(t, r->tid);
	size_t count = r->user_count > 0 ? (size_t)r->user_count : 0;
	uint64_t ip = r->ip;

	if (r->since_ns) {
		thread->user_since_ns = r->since_ns;
		thread->user.count = 0;
		chain_builder_add(&thread->user, r->copied ? &ip : r->stack, r->copied ? 1 : count);
		offcpu_copy_take(r, &thread->user_copy);
		t->lost_stacks += !count && !r->copied;
	} else {
		offcpu_copy_take(r, &t->copy);
		finish_pending(t, thread, r->stack, count);
	}
}

void offcpu_threads_take(struct offcpu_threads *t, const struct offcpu_record *r)
{
	if (r->kind == OFFCPU_WAKER)
		take_waker(t, r);
	else if (r->kind == OFFCPU_BLOCK)
		take_block(t, r);
	else if (r->kind == OFFCPU_USER)
		offcpu_threads_take_user(t, r);
}

void offcpu_threads_held(struct offcpu_threads *t, const struct offcpu_record *r, const uint64_t *user,
			 size_t user_count)
{
	const struct offcpu_thread *thread = offcpu_thread(t, r->tid);

	t->chain.count = 0;
	offcpu_copy_take(r, &t->copy);
	add_own_kernel(t, &t->chain, r);
	chain_builder_add_user(&t->chain, user, user_count, &t->lost_stacks);
	chain_builder_add_one(&t->chain, RECORDING_LABEL(RECORDING_LABEL_STATE, r->state));
	if (t->hops && thread->woken_since_ns == r->since_ns) /* the thread was woken, but does not run yet */
		add_hops(&t->chain, &thread->waker, t->hops);
}

void offcpu_threads_end(struct offcpu_threads *t)
{
	str_clear(&t->copy);
	for (size_t i = 0; i < t->slot_count; i++) {
		if (t->slots[i])
			finish_pending(t, t->slots[i], NULL, 0);
	}
}

static void offcpu_threads_free_one(struct offcpu_thread *thread)
{
	if (!thread)
		return;
	for (size_t i = 0; i < thread->pending_count; i++) {
		chain_builder_free(&thread->pending[i].kernel);
		chain_builder_free(&thread->pending[i].waker);
	}
	free(thread->pending);
	str_free(&thread->name);
	str_free(&thread->stack);
	chain_builder_free(&thread->waker);
	chain_builder_free(&thread->last_waker);
	chain_builder_free(&thread->user);
	chain_builder_free(&thread->held);
	str_free(&thread->held_copy);
	str_free(&thread->user_copy);
	free(thread);
}

enum { GONE_LONG = 2 };

/* Complete the blocks of threads that have been gone for long. */
static void find_gone(struct offcpu_threads *t, const struct map *living)
{
	str_clear(&t->copy);
	for (size_t i = 0; i < t->slot_count; i++) {
		struct offcpu_thread *thread = t->slots[i];

		if (!thread)
			continue;
		thread->gone = map_get(living, thread->tid, 0) || thread->unsaid ? 0 : thread->gone + 1;
		if (thread->gone >= GONE_LONG)
			finish_pending(t, thread, NULL, 0);
	}
}

void offcpu_threads_forget(struct offcpu_threads *t, const struct map *living)
{
	struct offcpu_thread **old;
	size_t old_count = t->slot_count;

	find_gone(t, living);
	old = t->slots;
	t->slots = NULL;
	t->slot_count = t->count = 0;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i] && old[i]->gone >= GONE_LONG) {
			offcpu_threads_free_one(old[i]);
		} else if (old[i]) {
			offcpu_threads_grow(t);
			t->slots[offcpu_threads_slot_of(t, old[i]->tid)] = old[i];
			t->count++;
		}
	}
	free(old);
}

void offcpu_threads_free(struct offcpu_threads *t)
{
	for (size_t i = 0; i < t->slot_count; i++)
		offcpu_threads_free_one(t->slots[i]);
	free(t->slots);
	chain_builder_free(&t->chain);
	str_free(&t->copy);
	trace_frames_free(&t->trace_frames);
	*t = (struct offcpu_threads){ 0 };
}
