#include "collect/locks/lock_threads.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define PART_GAP_NS 1000000

enum { KEPT_MAX = 64 << 20 }; /* maximum bytes of kept records; beyond that, a sum may have no stack */

struct lock_thread *lock_thread(struct lock_threads *t, const struct locks_record *r)
{
	uint32_t *number = map_at(&t->by_tid, r->tid, 0);
	struct lock_thread *thread;

	if (!*number) {
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] = (struct lock_thread){ .pid = r->pid, .tid = r->tid };
		*number = (uint32_t)t->count;
	}
	thread = &t->list[*number - 1];
	if (thread->pid == r->pid)
		return thread;
	/* The id belongs to another thread now. */
	thread->pid = r->pid;
	thread->owner.count = 0;
	thread->meanwhile.count = 0;
	for (size_t i = 0; i < LOCKS_SUMS; i++) {
		t->kept -= thread->last[i].len;
		str_clear(&thread->last[i]);
	}
	return thread;
}

bool lock_thread_goes_on(const struct lock_thread *thread, const struct locks_record *r)
{
	const struct locks_record *first;

	if (!thread->part_count)
		return false;
	first = (const struct locks_record *)(const void *)thread->parts[0].buf;
	return r->lock == first->lock && r->ip == first->ip && r->sp == first->sp &&
	       r->since_ns < thread->parts_end_ns + PART_GAP_NS;
}

bool lock_thread_keep_part(struct lock_thread *thread, const struct locks_record *r, size_t size)
{
	struct str *part = &thread->parts[thread->part_count];

	if (r->kind != LOCKS_WAIT || r->lock != RECORDING_LOCK_FUTEX || r->owner_tid ||
	    thread->part_count == LOCK_PARTS_MAX)
		return false;
	str_clear(part);
	str_add(part, (const char *)r, size);
	thread->part_count++;
	thread->parts_end_ns = r->until_ns;
	return true;
}

static struct str *last_of(struct lock_threads *t, const struct locks_record *r)
{
	bool kernels = (r->lock & RECORDING_LOCK_KIND) >= RECORDING_LOCK_SPIN;
	unsigned kind = kernels ? LOCKS_OF_KERNEL : LOCKS_OF_FUTEXES;

	return &lock_thread(t, r)->last[kind + (r->is_long ? LOCKS_LONG_OF_FUTEXES : 0)];
}

void lock_threads_keep(struct lock_threads *t, const struct locks_record *r, size_t size)
{
	struct str *last = last_of(t, r);

	t->kept -= last->len;
	str_clear(last);
	if (t->kept + size > KEPT_MAX)
		return;
	str_add(last, (const char *)r, size);
	t->kept += size;
}

const struct locks_record *lock_threads_complete(struct lock_threads *t, const struct locks_record *r)
{
	const struct str *last = last_of(t, r);
	struct locks_record *made;

	if (!last->len)
		return r;
	str_clear(&t->made);
	str_add(&t->made, last->buf, last->len);
	made = (struct locks_record *)(void *)t->made.buf;
	made->since_ns = r->since_ns;
	made->until_ns = r->until_ns;
	made->count = r->count;
	made->ns = r->ns;
	made->longest_ns = r->longest_ns;
	made->runnable_ns = r->runnable_ns;
	return made;
}

static void lock_threads_free_one(struct lock_thread *thread)
{
	chain_builder_free(&thread->owner);
	chain_builder_free(&thread->meanwhile);
	for (size_t k = 0; k < LOCK_PARTS_MAX; k++)
		str_free(&thread->parts[k]);
	for (size_t k = 0; k < LOCKS_SUMS; k++)
		str_free(&thread->last[k]);
}

enum { GONE_LONG = 2 };

void lock_threads_forget(struct lock_threads *t, const struct map *living)
{
	size_t left = 0;

	map_free(&t->by_tid);
	for (size_t i = 0; i < t->count; i++) {
		struct lock_thread *thread = &t->list[i];

		thread->gone = map_get(living, thread->tid, 0) || thread->part_count ? 0 : thread->gone + 1;
		if (thread->gone >= GONE_LONG) {
			for (size_t k = 0; k < LOCKS_SUMS; k++)
				t->kept -= thread->last[k].len;
			lock_threads_free_one(thread);
			continue;
		}
		t->list[left++] = *thread;
		*map_at(&t->by_tid, t->list[left - 1].tid, 0) = (uint32_t)left;
	}
	t->count = left;
}

void lock_threads_free(struct lock_threads *t)
{
	for (size_t i = 0; i < t->count; i++)
		lock_threads_free_one(&t->list[i]);
	free(t->list);
	map_free(&t->by_tid);
	str_free(&t->made);
	*t = (struct lock_threads){ 0 };
}
