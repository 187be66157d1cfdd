#include "collect/sched/sched_look.h"

#include <stdlib.h>

#include "collect/machine/anchors.h"
#include "core/format/recording.h"
#include "core/memory.h"

enum {
	YOUNG_NS = 1000000, /* waits younger than this may soon be over: leave them alone */
	MANY_SLICES = SCHED_SLICES / 8,
};

static void sched_look_make_room(struct sched_looker *l)
{
	uint32_t cpus = l->program->cpu_limit;

	if (l->heads)
		return;
	l->heads = xcalloc(cpus, sizeof(*l->heads));
	l->batches = xcalloc(cpus, sizeof(*l->batches));
	l->counts = xcalloc(cpus, sizeof(*l->counts));
}

static uint32_t sched_look_head_of(const struct sched_looker *l, uint32_t cpu)
{
	return __atomic_load_n(&l->program->cpus[cpu].head, __ATOMIC_RELAXED);
}

static void sched_look_now(struct sched_looker *l, uint32_t cpu, uint64_t before_ns)
{
	if (!l->counts[cpu])
		return;
	l->batches[cpu].before_ns = before_ns;
	sched_program_look(l->program, cpu, &l->batches[cpu]);
	l->batches[cpu] = (struct sched_look){ 0 };
	l->counts[cpu] = 0;
}

/* Our view of the thread may be stale: the program checks again. */
static bool sched_look_is_waiting(const struct sched_thread *t, uint64_t before_ns)
{
	const volatile struct sched_thread *shared = t;
	uint32_t state = shared->state;

	return state >= RECORDING_PREEMPTED && state <= RECORDING_WOKEN && shared->since_ns &&
	       shared->since_ns < before_ns && shared->charged_ns < before_ns;
}

static bool is_unknown(const struct sched_thread *t)
{
	return *(const volatile uint32_t *)&t->state == RECORDING_STATE_UNKNOWN && t->tid && !t->end_ns;
}

/* least: number of slices since the last look from which on a CPU is busy. */
static void look_at_threads(struct sched_looker *l, uint32_t least)
{
	uint64_t before_ns = monotonic_ns() - YOUNG_NS;
	uint32_t used = sched_program_used(l->program);

	l->unknown = false;
	for (uint32_t slot = 1; slot < used; slot++) {
		const struct sched_thread *t = &l->program->threads[slot];
		uint32_t cpu = *(const volatile uint32_t *)&t->cpu;

		l->unknown |= is_unknown(t);
		if (!sched_look_is_waiting(t, before_ns) || cpu >= l->program->cpu_limit ||
		    sched_look_head_of(l, cpu) - l->heads[cpu] < least)
			continue;
		l->batches[cpu].slots[l->counts[cpu]++] = slot;
		if (l->counts[cpu] == SCHED_LOOKS)
			sched_look_now(l, cpu, before_ns);
	}
	for (uint32_t cpu = 0; cpu < l->program->cpu_limit; cpu++) {
		sched_look_now(l, cpu, before_ns);
		if (sched_look_head_of(l, cpu) - l->heads[cpu] >= least)
			l->heads[cpu] = sched_look_head_of(l, cpu);
	}
}

void sched_look_all(struct sched_looker *l)
{
	sched_look_make_room(l);
	look_at_threads(l, 0);
}

void sched_look_busy(struct sched_looker *l)
{
	bool any = false;

	sched_look_make_room(l);
	for (uint32_t cpu = 0; cpu < l->program->cpu_limit; cpu++)
		any |= sched_look_head_of(l, cpu) - l->heads[cpu] >= MANY_SLICES;
	if (any)
		look_at_threads(l, MANY_SLICES);
}

void sched_look_free(struct sched_looker *l)
{
	free(l->heads);
	free(l->batches);
	free(l->counts);
	*l = (struct sched_looker){ 0 };
}
