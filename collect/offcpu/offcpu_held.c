#include "collect/offcpu/offcpu_held.h"

#include "collect/offcpu/offcpu_program.h"
#include "collect/spans/held_stack.h"
#include "core/wallclock.h"

/* Number of blocks per request.  The record of each takes at most 2 kB, and the ring has 16 MB. */
enum { ASK_MAX = 4096 };

enum { FEW = 512 }; /* with fewer threads than this, a part is due after one second */
#define PART_MAX_NS (8 * NS_PER_SEC)

size_t offcpu_ask_all(size_t *next)
{
	size_t slot_count, asked = 0;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&slot_count);

	for (; *next < slot_count && asked < ASK_MAX; ++*next) {
		slots[*next].asked_ns = slots[*next].since_ns;
		asked += slots[*next].since_ns != 0;
	}
	return asked;
}

size_t offcpu_ask_overdue(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns)
{
	size_t slot_count, asked = 0;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&slot_count);

	for (size_t i = 0; i < slot_count && asked < ASK_MAX; i++) {
		uint64_t since = slots[i].since_ns;

		if (!since || slots[i].woken_ns > since || now_ns < since + min_ns ||
		    offcpu_thread(t, slots[i].tid)->reported_ns == since)
			continue;
		slots[i].asked_ns = since;
		asked++;
	}
	return asked;
}

uint64_t offcpu_untold_ns(const struct offcpu_thread *thread, uint64_t since_ns)
{
	return thread->told_since_ns == since_ns && thread->told_ns > since_ns ? thread->told_ns : since_ns;
}

/* What may be lost of a block if the collector is killed: a second or a quarter of the block, more with many
 * threads, but never more than PART_MAX_NS. */
static uint64_t longest_untold_ns(uint64_t blocked_ns, size_t slot_count)
{
	uint64_t least = NS_PER_SEC * (1 + slot_count / FEW), quarter = blocked_ns / 4;
	uint64_t ns = quarter > least ? quarter : least;

	return ns < PART_MAX_NS ? ns : PART_MAX_NS;
}

/* The thread in this slot, if its block has lasted min_ns at now_ns and a part of it is due, else NULL. */
static struct offcpu_thread *find_due(struct offcpu_threads *t, const volatile struct offcpu_slot *slot,
				      size_t slot_count, uint64_t now_ns, uint64_t min_ns)
{
	uint64_t since = slot->since_ns;
	struct offcpu_thread *thread;

	if (!since || slot->woken_ns > since || now_ns < since + min_ns || now_ns < since + NS_PER_SEC)
		return NULL;
	thread = offcpu_thread(t, slot->tid);
	if (now_ns - offcpu_untold_ns(thread, since) < longest_untold_ns(now_ns - since, slot_count))
		return NULL;
	return thread;
}

size_t offcpu_ask_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns)
{
	size_t slot_count, asked = 0;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&slot_count);

	for (size_t i = 0; i < slot_count && asked < ASK_MAX; i++) {
		uint64_t since = slots[i].since_ns;
		const struct offcpu_thread *thread = find_due(t, &slots[i], slot_count, now_ns, min_ns);

		if (!thread || thread->held_since_ns == since)
			continue;
		slots[i].asked_ns = since;
		asked++;
	}
	return asked;
}

void offcpu_tell_parts(struct offcpu_threads *t, uint64_t now_ns, uint64_t min_ns, offcpu_take_part *take)
{
	size_t slot_count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&slot_count);

	for (size_t i = 0; i < slot_count; i++) {
		uint64_t since = slots[i].since_ns;
		struct offcpu_thread *thread = find_due(t, &slots[i], slot_count, now_ns, min_ns);

		if (!thread || thread->held_since_ns != since)
			continue;
		take(thread, slots[i].pid, offcpu_untold_ns(thread, since), now_ns, now_ns - since);
		thread->told_since_ns = since;
		thread->told_ns = now_ns;
	}
}

/* Is the thread still in the block of the record? */
static bool is_held(const struct offcpu_record *r)
{
	size_t slot_count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&slot_count);

	return r->slot < slot_count && slots[r->slot].tid == r->tid && slots[r->slot].since_ns == r->since_ns;
}

size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES])
{
	size_t count = held_stack_follow((int)r->tid, r->ip, r->bp, stack, OFFCPU_FRAMES);

	return !count || is_held(r) ? count : 1;
}

void offcpu_complete_copy(const struct offcpu_record *r, struct str *copy)
{
	if (copy->len == sizeof(struct user_copy) &&
	    (!held_stack_complete((int)r->pid, (int)r->tid, r->sp, copy) || !is_held(r)))
		str_clear(copy);
}
