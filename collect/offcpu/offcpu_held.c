#include "collect/offcpu/offcpu_held.h"

#include <string.h>
#include <sys/uio.h>

#include "collect/offcpu/offcpu_program.h"
#include "collect/sampling/stack_walk.h"
#include "core/wallclock.h"

/* Number of blocks per request: the record of each takes at most 2 kB, and the ring has 16 MB. */
enum { ASK_MAX = 4096 };

enum { FEW = 512 }; /* with fewer threads than this, a part is due after a second */
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

/* The thread in this slot, if its block has lasted min_ns at now_ns, and a part of it is due. */
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

/* rbp -> { rbp of the caller, return address } -> ... */
size_t offcpu_user_stack(const struct offcpu_record *r, uint64_t stack[OFFCPU_FRAMES])
{
	uint64_t at = r->bp, frame[2];
	size_t count = 0;

	if (!r->ip)
		return 0;
	stack[count++] = r->ip;
	while (count < OFFCPU_FRAMES && at % sizeof(at) == 0) {
		struct iovec to = { frame, sizeof(frame) };
		struct iovec from = { (void *)(uintptr_t)at, sizeof(frame) };

		if (process_vm_readv((pid_t)r->tid, &to, 1, &from, 1, 0) != sizeof(frame))
			break;
		if (!frame[1] || frame[1] >> 63)
			break;
		stack[count++] = frame[1];
		if (frame[0] <= at)
			break;
		at = frame[0];
	}
	return is_held(r) ? count : 1;
}

/* Read page by page: a transfer fails for a part that is not completely readable. */
static size_t read_stack(pid_t pid, uint64_t sp, uint8_t *to, size_t room)
{
	struct iovec local = { to, room }, pages[CALL_GRAPH_BYTES / USER_COPY_PAGE + 1];
	size_t count = 0, done = 0;
	ssize_t n;

	while (done < room && count < sizeof(pages) / sizeof(*pages)) {
		size_t len = USER_COPY_PAGE - (sp + done) % USER_COPY_PAGE;

		if (len > room - done)
			len = room - done;
		pages[count++] = (struct iovec){ (void *)(uintptr_t)(sp + done), len };
		done += len;
	}
	n = process_vm_readv(pid, &local, 1, pages, count, 0);
	return n > 0 ? (size_t)n : 0;
}

void offcpu_complete_copy(const struct offcpu_record *r, struct str *copy)
{
	uint8_t stack[CALL_GRAPH_BYTES];
	size_t len;

	if (copy->len != sizeof(struct user_copy))
		return;
	len = read_stack((pid_t)r->tid, r->sp, stack, sizeof(stack));
	if (len && is_held(r))
		str_add(copy, (const char *)stack, len);
	else
		str_clear(copy);
}
