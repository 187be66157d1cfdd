#include "collect/sched/sched_priorities.h"

#include <sched.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

enum {
	MOST = 1 << 16, /* of dead threads, in a recorder that runs for weeks */
	PRIO_SHIFT = 8,
};

void sched_priorities_note(struct sched_priorities *p, const struct sched_thread *t)
{
	uint32_t policy = t->policy & 0xff, prio = t->static_prio & 0xff;

	if (!t->tid || !prio)
		return;
	if (policy == SCHED_OTHER && prio == SCHED_NICE_0 && !map_get(&p->known, t->tid, t->pid))
		return;
	if (p->known.count >= MOST)
		map_free(&p->known);
	*map_at(&p->known, t->tid, t->pid) = policy << PRIO_SHIFT | prio;
}

static const char *sched_priorities_policy(uint32_t policy)
{
	static const char *const names[] = {
		[SCHED_OTHER] = "other", [SCHED_FIFO] = "fifo", [SCHED_RR] = "rr",
		[SCHED_BATCH] = "batch", [SCHED_IDLE] = "idle", [6] = "deadline",
	};

	return policy < sizeof(names) / sizeof(*names) && names[policy] ? names[policy] : "unknown";
}

static int sched_priorities_by_pid(const void *a, const void *b)
{
	const struct map_entry *x = a, *y = b;

	return ORDER(x->b, y->b) ?: ORDER(x->a, y->a);
}

void sched_priorities_describe(struct sched_priorities *p, struct str *out)
{
	struct map_entry *sorted = xcalloc(p->known.count + 1, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < p->known.entry_count; i++) {
		if (p->known.entries[i].value)
			sorted[count++] = p->known.entries[i];
	}
	qsort(sorted, count, sizeof(*sorted), sched_priorities_by_pid);
	for (size_t i = 0; i < count; i++) {
		uint32_t policy = sorted[i].value >> PRIO_SHIFT, prio = sorted[i].value & 0xff;

		str_addf(out, "%u %llu %s %d\n", sorted[i].b, (unsigned long long)sorted[i].a,
			 sched_priorities_policy(policy), (int)prio - SCHED_NICE_0);
	}
	free(sorted);
	map_free(&p->known);
}

void sched_priorities_free(struct sched_priorities *p)
{
	map_free(&p->known);
}
