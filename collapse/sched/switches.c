#include "collapse/sched/switches.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/sched/switch_spans.h"
#include "core/memory.h"

/* --- order ------------------------------------------------------------------------ */

void switches_add(struct switches *s, const struct sched_event *e)
{
	s->events = xgrow(s->events, &s->cap, s->count + 1, sizeof(*s->events));
	s->events[s->count++] = *e;
	s->seen[e->kind] = true;
	if (e->cpu != SCHED_CPU_UNKNOWN)
		switches_add_cpu(s, e->cpu);
	if (e->kind == SCHED_IN || e->kind == SCHED_OUT) {
		s->by_thread = true;
		*map_at(&s->recorded, (uint32_t)e->tid, 0) = 1;
	}
	if (e->kind != SCHED_SWITCH && e->next >= 0 && e->next < SCHED_CPU_UNKNOWN)
		switches_add_cpu(s, (uint32_t)e->next);
}

/* The end of the ascending run that begins at index from. */
static size_t run_end(const struct sched_event *e, size_t from, size_t count)
{
	size_t i = from + (from < count);

	while (i < count && e[i - 1].time_ns <= e[i].time_ns)
		i++;
	return i;
}

static void switches_merge(struct sched_event *out, const struct sched_event *a, size_t a_count,
			   const struct sched_event *b, size_t b_count)
{
	while (a_count && b_count) {
		if (a->time_ns <= b->time_ns)
			*out++ = *a++, a_count--;
		else
			*out++ = *b++, b_count--;
	}
	memcpy(out, a, a_count * sizeof(*out));
	memcpy(out + a_count, b, b_count * sizeof(*out));
}

/* A recording consists of long ascending runs, one CPU's after the other.  Merge neighbouring runs until only one is
 * left.  Events with the same time stay in the order of the file. */
static void sort_events(struct switches *s)
{
	struct sched_event *other = NULL;

	while (run_end(s->events, 0, s->count) < s->count) {
		struct sched_event *swap = s->events;

		if (!other)
			other = xmalloc(s->count * sizeof(*other));
		for (size_t at = 0; at < s->count;) {
			size_t middle = run_end(s->events, at, s->count);
			size_t end = run_end(s->events, middle, s->count);

			switches_merge(other + at, s->events + at, middle - at, s->events + middle, end - middle);
			at = end;
		}
		s->events = other;
		s->cap = s->count;
		other = swap;
	}
	free(other);
}

/* Detect the kernels of tracing_unshift(), by the idle thread, which is only ever switched out in state R. */
static void undo_shift(struct switches *s)
{
	bool shifted = false;

	for (size_t i = 0; i < s->count; i++) {
		const struct sched_event *e = &s->events[i];

		if (e->kind != SCHED_SWITCH || e->tid)
			continue;
		if (e->state == 'R')
			return;
		shifted |= e->state == 'S';
	}
	for (size_t i = 0; shifted && i < s->count; i++)
		s->events[i].state = tracing_unshift(s->events[i].state);
}

void switches_running_first(struct switches *s, uint32_t cpu, int32_t tid)
{
	if (cpu >= SCHED_CPU_UNKNOWN || tid < 0)
		return;
	switches_add_cpu(s, cpu);
	if (!s->cpus[cpu].known)
		s->cpus[cpu].first = tid;
	s->cpus[cpu].known = true;
}

/* --- events ----------------------------------------------------------------------- */

static uint8_t switches_state_of(char letter)
{
	switch (letter) {
	case '+': return RECORDING_PREEMPTED;
	case 'R': return RECORDING_QUANTUM;
	case 'S': return RECORDING_SLEEPING;
	case 'D':
	case 'K': return RECORDING_BLOCKED;
	case 'T': return RECORDING_STOPPED;
	case 't': return RECORDING_TRACED;
	case 'P': return RECORDING_PARKED;
	case 'I': return RECORDING_IDLE;
	case 'X':
	case 'Z':
	case 'x': return RECORDING_DEAD;
	default: return RECORDING_STATE_UNKNOWN;
	}
}

/* The thread that is switched out is not the one that we saw come, and no loss explains this: some
 * kernels hide the switches of some threads, and of the idle one, from perf.  Returns when the thread
 * came, computed from its run time in sched_stat_runtime; 0 if that is unknown. */
static uint64_t find_arrival(struct switches *s, const struct switch_thread *t, const struct sched_event *e)
{
	uint64_t earliest_ns = s->cpus[e->cpu].since_ns;

	if (t->since_ns > earliest_ns)
		earliest_ns = t->since_ns;
	if (!t->ran_ns) {
		s->unpaired++;
		return 0;
	}
	s->repaired++;
	return t->ran_ns < e->time_ns - earliest_ns ? e->time_ns - t->ran_ns : earliest_ns;
}

/* The thread that seemed to be on the CPU had left before e, at about gone_ns (0: not known). */
static void switches_replace(struct switches *s, const struct sched_event *e, uint64_t gone_ns)
{
	struct sched_event gone = *e;
	struct switch_thread *t;

	if (gone_ns)
		gone.time_ns = gone_ns;
	if (!s->cpus[e->cpu].current) {
		if (gone_ns)
			switches_emit_idle(s, e->cpu, gone_ns, false);
		return;
	}
	t = switches_thread(s, s->cpus[e->cpu].current, e->cpu);
	if (t->state != RECORDING_RUNNING || t->cpu != e->cpu)
		return;
	if (!gone_ns && switches_lost_from(s, t, e->cpu, e->time_ns) == e->time_ns)
		t->state = RECORDING_STATE_UNKNOWN;
	switches_end_state(s, t, e->cpu, gone.time_ns);
	switch_thread_begin(t, RECORDING_STATE_UNKNOWN, e->cpu, &gone);
}

/* The thread e->tid leaves the CPU.  Returns when it came; 0: not known. */
static uint64_t switches_leave(struct switches *s, const struct sched_event *e)
{
	int32_t current = s->cpus[e->cpu].current;
	struct sched_event came = *e;
	struct switch_thread *t;
	bool runs;

	came.time_ns = current == NO_THREAD ? 0 : s->cpus[e->cpu].since_ns;
	if (e->tid <= 0) {
		s->idle_left = true;
		if (!current)
			switches_emit_idle(s, e->cpu, e->time_ns, false);
		else if (current > 0)
			switches_replace(s, e, 0);
		return current ? 0 : came.time_ns;
	}
	t = switches_thread(s, e->tid, e->cpu);
	runs = t->state == RECORDING_RUNNING && t->cpu == e->cpu;
	if (current != NO_THREAD && !runs && switches_lost_from(s, t, e->cpu, e->time_ns) == e->time_ns) {
		if (t->state == RECORDING_RUNNING) /* on another CPU, until an unknown time */
			t->state = RECORDING_STATE_UNKNOWN;
		came.time_ns = find_arrival(s, t, e);
		if (came.time_ns) {
			switches_end_state(s, t, e->cpu, came.time_ns);
			switch_thread_begin(t, RECORDING_RUNNING, e->cpu, &came);
		} else {
			t->state = RECORDING_STATE_UNKNOWN;
		}
	}
	if (current != NO_THREAD && current != e->tid)
		switches_replace(s, e, came.time_ns);
	t = switches_thread(s, e->tid, e->cpu);
	switches_end_state(s, t, e->cpu, e->time_ns);
	switch_thread_begin(t, switches_state_of(e->state), e->cpu, e);
	if (t->state == RECORDING_DEAD) {
		switches_emit(s, t, e->time_ns, 1, false);
		t->dead = true;
	}
	return came.time_ns;
}

static void switches_enter(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t;

	if (e->next <= 0)
		return;
	t = switches_thread(s, e->next, e->cpu);
	/* A thread that is woken after it has decided to sleep, but before the switch, never left the run queue,
	 * although the switch says that it sleeps. */
	if (switch_is_blocked(t->state) && t->waking_ns)
		t->state = RECORDING_WOKEN;
	if (switch_is_wait(t->state) && !s->seen[SCHED_MIGRATE])
		t->cpu = e->cpu;
	switches_end_state(s, t, e->cpu, e->time_ns);
	switch_thread_begin(t, RECORDING_RUNNING, e->cpu, e);
	t->waking_ns = 0;
}

/* perf's record of a switch does not name the thread if that has ended. */
static void name_dead(const struct switches *s, struct sched_event *e)
{
	if (e->tid >= 0 || s->cpus[e->cpu].current <= 0)
		return;
	e->tid = s->cpus[e->cpu].current;
	e->state = 'X';
}

static void switches_on_switch(struct switches *s, struct sched_event *e)
{
	struct switch_cpu *c = &s->cpus[e->cpu];
	uint64_t came_ns;

	name_dead(s, e);
	came_ns = switches_leave(s, e);

	s->switches++;
	e->record = came_ns;
	e->before = c->last;
	c->last = (uint32_t)(e - s->events) + 1;
	switches_enter(s, e);
	c->current = e->next;
	c->since_ns = e->time_ns;
}

/* --- events of threads ------------------------------------------------------------ */

/* The thread e->tid comes. */
static void on_in(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t = switches_thread(s, e->tid, e->cpu);
	struct sched_event came = *e;

	if (t->state == RECORDING_RUNNING) { /* it had gone at an unknown time */
		s->unpaired++;
		if (switches_lost_from(s, t, e->cpu, e->time_ns) == e->time_ns)
			t->state = RECORDING_STATE_UNKNOWN;
	}
	s->switches++;
	came.next = e->tid;
	switches_enter(s, &came);
}

/* The thread e->tid leaves.  The tracepoint and perf's record report the same switch, so only the first of them
 * counts. */
static void on_out(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t = switches_thread(s, e->tid, e->cpu);

	if (t->fresh && t->state == RECORDING_STATE_UNKNOWN) {
		t->state = RECORDING_RUNNING;
		t->ran_on = e->cpu + 1u;
	}
	if (t->state != RECORDING_RUNNING)
		return;
	s->switches++;
	switches_end_state(s, t, e->cpu, e->time_ns);
	switch_thread_begin(t, switches_state_of(e->state), e->cpu, e);
	if (t->state == RECORDING_DEAD) {
		switches_emit(s, t, e->time_ns, 1, false);
		t->dead = true;
	}
}

/* The thread moves to cpu.  If it waits, its wait continues there. */
static void move(struct switches *s, struct switch_thread *t, uint32_t cpu, const struct sched_event *e)
{
	if (switch_is_wait(t->state) && t->cpu != cpu) {
		switches_emit(s, t, e->time_ns, 0, false);
		t->since_ns = e->time_ns;
	}
	t->cpu = cpu;
}

static uint32_t switches_cpu_of(int32_t number, uint32_t otherwise)
{
	return number >= 0 && number < SCHED_CPU_UNKNOWN ? (uint32_t)number : otherwise;
}

static void on_wakeup(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t = switches_thread(s, e->tid, e->cpu);
	uint32_t cpu = switches_cpu_of(e->next, e->cpu);

	if (t->state == RECORDING_RUNNING) {
		if (e->kind == SCHED_WAKING)
			t->waking_ns = e->time_ns;
	} else if (switch_is_wait(t->state)) {
		if (e->kind == SCHED_WAKEUP) /* waking comes before the CPU is chosen */
			move(s, t, cpu, e);
	} else {
		s->waking = e->kind == SCHED_WAKING ? e->record : 0;
		switches_end_state(s, t, e->cpu, e->time_ns);
		switch_thread_begin(t, RECORDING_WOKEN, cpu, e);
		s->waking = 0;
		t->waking_ns = 0;
	}
}

static void on_birth(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t = switches_thread(s, e->tid, e->cpu);

	if (!t->fresh) /* the old thread with this number has ended, but that event was lost */
		switches_end_state(s, t, e->cpu, e->time_ns);
	switch_thread_begin(t, RECORDING_WOKEN, switches_cpu_of(e->next, e->cpu), e);
	t->waking_ns = 0;
	t->ran_on = 0;
}

static void on_migration(struct switches *s, const struct sched_event *e)
{
	struct switch_thread *t = switches_thread(s, e->tid, e->cpu);

	if (t->state != RECORDING_RUNNING)
		move(s, t, switches_cpu_of(e->next, t->cpu), e);
}

/* Events of this CPU were lost after its last recorded one. */
static void lose(struct switches *s, uint32_t cpu, struct sched_event *e)
{
	struct switch_cpu *c = &s->cpus[cpu];
	uint64_t from_ns = c->last_ns > s->begin_ns ? c->last_ns : s->begin_ns;

	c->losses = xgrow(c->losses, &c->loss_cap, c->loss_count + 1, sizeof(*c->losses));
	c->losses[c->loss_count++] = (struct loss){ from_ns, e->time_ns };
	if (c->current > 0) {
		struct switch_thread *t = switches_thread(s, c->current, cpu);

		switches_end_state(s, t, cpu, e->time_ns);
		switch_thread_begin(t, RECORDING_STATE_UNKNOWN, cpu, e);
	} else if (!c->current) {
		switches_emit_idle(s, cpu, from_ns, false);
	}
	c->current = NO_THREAD;
}

static void on_loss(struct switches *s, struct sched_event *e)
{
	struct switch_cpu *c;

	if (e->cpu == SCHED_CPU_UNKNOWN) {
		for (uint32_t cpu = 0; cpu < s->cpu_count; cpu++) {
			if (s->cpus[cpu].known || s->by_thread)
				lose(s, cpu, e);
		}
		return;
	}
	lose(s, e->cpu, e);
	c = &s->cpus[e->cpu];
	e->time_ns = c->losses[c->loss_count - 1].from_ns; /* after that, it is not known which threads had the CPU */
	e->next = RECORDING_BY_OTHERS;
	e->before = c->last;
	c->last = (uint32_t)(e - s->events) + 1;
}

static void process_kind(struct switches *s, struct sched_event *e)
{
	switch ((enum sched_kind)e->kind) {
	case SCHED_SWITCH:
		if (s->by_thread)
			on_out(s, e);
		else
			switches_on_switch(s, e);
		break;
	case SCHED_IN: on_in(s, e); break;
	case SCHED_OUT: on_out(s, e); break;
	case SCHED_GONE:
		if (s->by_thread) /* otherwise a switch follows */
			on_out(s, e);
		break;
	case SCHED_WAKEUP:
	case SCHED_WAKING: on_wakeup(s, e); break;
	case SCHED_RUNTIME: switches_thread(s, e->tid, e->cpu)->ran_ns += e->record; break;
	case SCHED_FORK:
		if (s->seen[SCHED_WAKEUP_NEW])
			break;
		/* fallthrough */
	case SCHED_WAKEUP_NEW: on_birth(s, e); break;
	case SCHED_MIGRATE: on_migration(s, e); break;
	case SCHED_LOST: on_loss(s, e); break;
	default: break;
	}
}

/* Threads that are not recorded are also woken and created; ignore these events. */
static bool switches_is_of_others(const struct switches *s, const struct sched_event *e)
{
	return s->by_thread && e->kind != SCHED_LOST && !map_get(&s->recorded, (uint32_t)e->tid, 0);
}

static void process(struct switches *s, struct sched_event *e)
{
	uint64_t time_ns = e->time_ns;

	if (!switches_is_of_others(s, e))
		process_kind(s, e);
	if (e->cpu != SCHED_CPU_UNKNOWN)
		s->cpus[e->cpu].last_ns = time_ns;
}

/* --- the walk --------------------------------------------------------------------- */

static void switches_start(struct switches *s)
{
	for (uint32_t i = 0; i < s->cpu_count; i++) {
		struct switch_cpu *c = &s->cpus[i];

		c->since_ns = c->last_ns = s->begin_ns;
		c->known &= !s->by_thread; /* others may have run before */
		if (!c->known)
			continue;
		c->current = c->first;
		if (c->first) {
			struct switch_thread *t = switches_thread(s, c->first, i);

			t->state = RECORDING_RUNNING;
			t->ran_on = i + 1;
			t->fresh = false;
		}
	}
}

static void switches_finish(struct switches *s)
{
	for (uint32_t i = 0; i < s->cpu_count; i++) {
		if (!s->cpus[i].current && s->cpus[i].since_ns < s->end_ns)
			switches_emit_idle(s, i, s->end_ns, true);
	}
	for (size_t i = 0; i < s->thread_count; i++) {
		struct switch_thread *t = &s->threads[i];
		uint64_t loss_ns;

		if (t->dead)
			continue;
		loss_ns = switches_lost_from(s, t, t->cpu, s->end_ns);
		if (loss_ns < s->end_ns) {
			switches_emit(s, t, loss_ns, 1, false);
			t->state = RECORDING_STATE_UNKNOWN;
			t->since_ns = t->begun_ns = loss_ns;
		}
		switches_emit(s, t, s->end_ns, 1, true);
	}
}

void switches_run(struct switches *s, switches_sink *sink, void *argument)
{
	unsigned int fewer = s->parts_kept ? 8 : 1;

	s->sink = sink;
	s->argument = argument;
	sort_events(s);
	undo_shift(s);
	switches_start(s);
	s->parts_allowed = SWITCHES_PARTS_FREE / fewer;
	for (size_t i = 0; i < s->count; i++) {
		s->parts_allowed += SWITCHES_PARTS_PER_EVENT / fewer;
		process(s, &s->events[i]);
	}
	switches_finish(s);
}

void switches_free(struct switches *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->cpu_count; i++)
		free(s->cpus[i].losses);
	free(s->events);
	free(s->cpus);
	free(s->threads);
	map_free(&s->by_tid);
	map_free(&s->recorded);
	*s = (struct switches){ 0 };
}
