#include "collapse/sched/switch_spans.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

void switches_add_cpu(struct switches *s, uint32_t number)
{
	while (s->cpu_count <= number) {
		s->cpus = xgrow(s->cpus, &s->cpu_cap, s->cpu_count + 1, sizeof(*s->cpus));
		s->cpus[s->cpu_count++] = (struct switch_cpu){ .current = NO_THREAD };
	}
}

struct switch_thread *switches_thread(struct switches *s, int32_t tid, uint32_t cpu)
{
	uint32_t *number = map_at(&s->by_tid, (uint32_t)tid, 0);
	struct switch_thread *t;

	if (!*number) {
		s->threads = xgrow(s->threads, &s->thread_cap, s->thread_count + 1, sizeof(*t));
		s->threads[s->thread_count++] = (struct switch_thread){
			.tid = tid, .cpu = cpu, .since_ns = s->begin_ns, .begun_ns = s->begin_ns, .fresh = true
		};
		*number = (uint32_t)s->thread_count;
	}
	t = &s->threads[*number - 1];
	if (t->dead) { /* the number now belongs to a new thread, whose creation was not recorded */
		t->dead = false;
		t->fresh = true;
		t->ran_on = 0;
		t->state = RECORDING_STATE_UNKNOWN;
	}
	return t;
}

/* --- spans ------------------------------------------------------------------------ */

static void switch_spans_emit(struct switches *s, struct switch_span span)
{
	if (!span.ns && !(span.count && span.state))
		return;
	s->sink(&span, s->argument);
}

/* Walks back through the parts of a wait for a CPU; switches on that CPU divide it into parts. */
struct parts {
	const struct switches *switches;
	uint64_t from_ns, to_ns; /* not covered by parts yet */
	uint32_t at, after;      /* indexes + 1 of the last switch before to_ns, and of the one after that */
	uint64_t begin_ns, ns;   /* the current part, */
	int32_t by;              /* and the thread that had the CPU */
	uint64_t left;           /* switches that may still be looked at */
	bool cut;                /* there were more */
};

static struct parts parts_of(const struct switches *s, const struct switch_span *wait, uint64_t to_ns)
{
	return (struct parts){ .switches = s,
			       .from_ns = wait->begin_ns,
			       .to_ns = to_ns,
			       .at = s->cpus[wait->cpu].last,
			       .left = s->parts_allowed - s->parts };
}

/* Between two switches one thread has the CPU.  If a switch between them is missing, the thread that
 * leaves is not the one that came.  The later switch then has, as its record, the time when the leaving thread came (0:
 * unknown; see switches.c).  Returns whether the walk continues with the previous switch. */
static bool find_runner(struct parts *p, const struct switch_cpu *c)
{
	const struct sched_event *e = p->at ? &p->switches->events[p->at - 1] : NULL;
	const struct sched_event *after = p->after ? &p->switches->events[p->after - 1] : NULL;

	p->by = e ? e->next : c->known ? c->first : RECORDING_BY_OTHERS;
	p->begin_ns = e ? e->time_ns : 0;
	if (!after || after->kind != SCHED_SWITCH || after->tid == p->by)
		return true;
	if (!after->record) {
		p->by = RECORDING_BY_OTHERS;
		return true;
	}
	if (p->to_ns <= after->record) /* the thread before the missing switch */
		return true;
	p->by = after->tid;
	p->begin_ns = after->record;
	return after->record <= (e ? e->time_ns : 0);
}

/* The rest of the wait is one part, in which an unknown thread had the CPU. */
static void cut_parts(struct parts *p)
{
	p->by = RECORDING_BY_OTHERS;
	p->begin_ns = p->from_ns;
	p->cut = true;
}

static void step_back(struct parts *p, const struct switch_cpu *c)
{
	p->left--;
	if (find_runner(p, c) && p->at) {
		p->after = p->at;
		p->at = p->switches->events[p->at - 1].before;
	}
}

static bool parts_next(struct parts *p, const struct switch_cpu *c)
{
	while (p->to_ns > p->from_ns) {
		if (p->left)
			step_back(p, c);
		else
			cut_parts(p);
		if (p->begin_ns < p->from_ns)
			p->begin_ns = p->from_ns;
		if (p->begin_ns >= p->to_ns)
			continue;
		p->ns = p->to_ns - p->begin_ns;
		p->to_ns = p->begin_ns;
		return true;
	}
	return false;
}

/* Split a wait for a CPU among the threads that had the CPU.  As in collect sched, the wait is counted
 * once, in the part of the thread that had the CPU longest. */
static void emit_wait(struct switches *s, struct switch_span span, uint64_t to_ns)
{
	const struct switch_cpu *c = &s->cpus[span.cpu];
	uint64_t longest_ns = span.longest_ns, best_ns = 0;
	struct parts p = parts_of(s, &span, to_ns);
	uint8_t count = span.count;
	bool open = span.open;

	if (s->whole_waits) {
		span.by = RECORDING_BY_OTHERS;
		switch_spans_emit(s, span);
		return;
	}
	while (parts_next(&p, c))
		best_ns = p.ns > best_ns ? p.ns : best_ns;
	if (!best_ns) {
		p.at = c->last;
		span.by = p.at ? s->events[p.at - 1].next : RECORDING_BY_OTHERS;
		switch_spans_emit(s, span);
	}
	for (p = parts_of(s, &span, to_ns); parts_next(&p, c);) {
		bool best = p.ns == best_ns;

		span.by = p.by;
		span.begin_ns = p.begin_ns;
		span.ns = p.ns;
		span.count = best ? count : 0;
		span.open = best && open;
		span.longest_ns = best && count ? longest_ns : p.ns;
		switch_spans_emit(s, span);
		if (best)
			best_ns = UINT64_MAX;
	}
	s->parts = s->parts_allowed - p.left;
	s->cut += p.cut;
}

void switches_emit(struct switches *s, const struct switch_thread *t, uint64_t to_ns, uint8_t count, bool open)
{
	struct switch_span span = { .begin_ns = t->since_ns,
				    .record = t->record,
				    .tid = t->tid,
				    .by = SWITCHES_BY_NOBODY,
				    .cpu = t->cpu,
				    .state = t->state,
				    .count = count,
				    .open = open,
				    .migrated = t->migrated,
				    .waking = s->waking };

	if (to_ns < t->since_ns) /* the clocks of two CPUs may differ */
		to_ns = t->since_ns;
	span.ns = to_ns - t->since_ns;
	span.longest_ns = to_ns - t->begun_ns;
	if (switch_is_wait(t->state))
		emit_wait(s, span, to_ns);
	else
		switch_spans_emit(s, span);
}

/* When the CPU's first loss of events between from_ns and to_ns began; to_ns if there is none. */
static uint64_t first_loss(const struct switches *s, uint32_t cpu, uint64_t from_ns, uint64_t to_ns)
{
	const struct switch_cpu *c = &s->cpus[cpu];
	size_t low = FIRST_NOT(i, c->loss_count, c->losses[i].to_ns <= from_ns);

	if (low == c->loss_count || c->losses[low].from_ns >= to_ns)
		return to_ns;
	return c->losses[low].from_ns > from_ns ? c->losses[low].from_ns : from_ns;
}

uint64_t switches_lost_from(const struct switches *s, const struct switch_thread *t, uint32_t cpu, uint64_t to_ns)
{
	if (t->state == RECORDING_STATE_UNKNOWN)
		return to_ns;
	return first_loss(s, cpu, t->since_ns, first_loss(s, t->cpu, t->since_ns, to_ns));
}

/* From a loss on, the thread's state is unknown. */
void switches_end_state(struct switches *s, struct switch_thread *t, uint32_t cpu, uint64_t to_ns)
{
	uint64_t loss_ns = switches_lost_from(s, t, cpu, to_ns);

	switches_emit(s, t, loss_ns, 1, false);
	if (loss_ns < to_ns) {
		t->since_ns = t->begun_ns = loss_ns;
		t->state = RECORDING_STATE_UNKNOWN;
		switches_emit(s, t, to_ns, 1, false);
	}
}

void switch_thread_begin(struct switch_thread *t, uint8_t state, uint32_t cpu, const struct sched_event *e)
{
	t->state = state;
	t->cpu = cpu;
	t->ran_ns = 0;
	t->since_ns = t->begun_ns = e->time_ns;
	t->record = e->record;
	t->migrated = state == RECORDING_RUNNING && t->ran_on && t->ran_on != cpu + 1;
	if (state == RECORDING_RUNNING)
		t->ran_on = cpu + 1;
	t->fresh = false;
}

void switches_emit_idle(struct switches *s, uint32_t cpu, uint64_t to_ns, bool open)
{
	const struct switch_cpu *c = &s->cpus[cpu];

	switch_spans_emit(s, (struct switch_span){ .begin_ns = c->since_ns,
						   .ns = to_ns - c->since_ns,
						   .longest_ns = to_ns - c->since_ns,
						   .by = SWITCHES_BY_NOBODY,
						   .cpu = cpu,
						   .count = 1,
						   .state = RECORDING_RUNNING,
						   .open = open });
}
