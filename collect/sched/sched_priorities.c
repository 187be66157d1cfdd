#include "collect/sched/sched_priorities.h"

#include <sched.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

enum {
	MOST = 1 << 16, /* maximum of dead threads, in a recorder that runs for weeks */
	PRIO_SHIFT = 8,
};

/* usual: the value that most threads have, which is not worth a note, unless the thread had another value before. */
static void sched_priorities_keep(struct map *values, const struct sched_thread *t, uint32_t value, bool usual)
{
	if (usual && !map_get(values, t->tid, t->pid))
		return;
	if (values->count >= MOST)
		map_free(values);
	*map_at(values, t->tid, t->pid) = value;
}

void sched_priorities_note(struct sched_priorities *p, const struct sched_thread *t)
{
	uint32_t policy = t->policy & 0xff, prio = t->static_prio & 0xff;

	if (!t->tid || !prio)
		return;
	sched_priorities_keep(&p->known, t, policy << PRIO_SHIFT | prio, policy == SCHED_OTHER && prio == SCHED_NICE_0);
	if (p->cpus && t->cpus_allowed)
		sched_priorities_keep(&p->affinity, t, t->cpus_allowed, t->cpus_allowed >= p->cpus);
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

/* All known threads, in order; the caller frees the list. */
static struct map_entry *sched_priorities_sorted(const struct map *values, size_t *count)
{
	struct map_entry *sorted = xcalloc(values->count + 1, sizeof(*sorted));

	*count = 0;
	for (size_t i = 0; i < values->entry_count; i++) {
		if (values->entries[i].value)
			sorted[(*count)++] = values->entries[i];
	}
	qsort(sorted, *count, sizeof(*sorted), sched_priorities_by_pid);
	return sorted;
}

void sched_priorities_describe(struct sched_priorities *p, struct str *out)
{
	size_t count;
	struct map_entry *sorted = sched_priorities_sorted(&p->known, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t policy = sorted[i].value >> PRIO_SHIFT, prio = sorted[i].value & 0xff;

		str_addf(out, "%u %llu %s %d\n", sorted[i].b, (unsigned long long)sorted[i].a,
			 sched_priorities_policy(policy), (int)prio - SCHED_NICE_0);
	}
	free(sorted);
	map_free(&p->known);
}

void sched_priorities_describe_affinity(struct sched_priorities *p, struct str *out)
{
	size_t count;
	struct map_entry *sorted = sched_priorities_sorted(&p->affinity, &count);

	if (p->cpus)
		str_addf(out, "cpus %u\n", p->cpus);
	for (size_t i = 0; i < count; i++) {
		if (sorted[i].value < p->cpus)
			str_addf(out, "%u %llu %u\n", sorted[i].b, (unsigned long long)sorted[i].a, sorted[i].value);
	}
	free(sorted);
	map_free(&p->affinity);
}

void sched_priorities_free(struct sched_priorities *p)
{
	map_free(&p->known);
	map_free(&p->affinity);
}
