#include "collect/sched/sched_flush.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"

enum {
	FEW = 512,          /* number of inactive threads written per flush */
	PATIENCE = 8,       /* maximum number of flushes until an inactive thread is written */
	SUMS_MAX = 1 << 16, /* number of sums in memory; if there are more, they are written early */
	RUNNERS = 256,      /* number of threads distinguished in one wait that is still open at the end */
};

/* The state that a thread is in now, and since when. */
struct open {
	uint64_t since_ns, charged_ns;
	uint32_t state, cpu, moved;
};

static bool sched_flush_is_waiting(uint32_t state)
{
	return state >= RECORDING_PREEMPTED && state <= RECORDING_WOKEN;
}

/* Is time counted in this state?  (An idle thread that does not run counts as dead.) */
static bool takes_time(uint32_t state)
{
	return state != RECORDING_DEAD;
}

/* Add a span to out, or to the sums.  The CPU of a wait is set by the caller: s.cpu. */
static void add_labelled(struct sched_flush *f, struct sums *sums, uint32_t pid, uint32_t tid, uint32_t key,
			 struct span s)
{
	uint32_t state = SCHED_KEY_STATE(key), value = SCHED_KEY_VALUE(key);
	uint64_t labels[2] = { RECORDING_LABEL(RECORDING_LABEL_STATE, state),
			       RECORDING_LABEL(RECORDING_LABEL_BY, value) };

	f->awake_ns += sched_flush_is_waiting(state) || (state == RECORDING_RUNNING && tid) ? s.ns : 0;
	f->waited_ns += sched_flush_is_waiting(state) ? s.ns : 0;
	s.pid = (int)pid;
	s.tid = (int)tid;
	if (!sched_flush_is_waiting(state))
		s.cpu = state == RECORDING_RUNNING && value != SCHED_OTHERS ? value : UINT32_MAX;
	if (f->isolated && state == RECORDING_RUNNING && s.cpu != UINT32_MAX)
		isolated_add_time(f->isolated, s.cpu, pid, tid, s.ns, s.count, s.longest_ns);
	s.chain = labels;
	s.chain_count = sched_flush_is_waiting(state) ? 2 : 1;
	if (sums)
		sums_add(sums, &s);
	else
		span_add(&f->out, f->event, &s);
}

static void sched_flush_add_span(struct sched_flush *f, uint32_t pid, uint32_t tid, uint32_t key, struct span s)
{
	add_labelled(f, NULL, pid, tid, key, s);
}

static void write_sums(struct sched_flush *f, unsigned bank, uint64_t end_ns)
{
	sums_flush(&f->sums[bank], f->event, end_ns, &f->out);
}

/* Cells are summed before they are written, because a thread that waits for many others needs more cells than it has,
 * and keeps spilling the same ones. */
static void sched_flush_add_cell(struct sched_flush *f, uint32_t pid, uint32_t tid, const struct sched_cell *c,
				 unsigned bank, uint64_t begin_ns)
{
	struct sums *sums = &f->sums[bank];
	bool waits = sched_flush_is_waiting(SCHED_KEY_STATE(c->key));

	sums->by_cpu = true;
	if (!sums->count)
		sums->begin_ns = begin_ns;
	add_labelled(f, sums, pid, tid, c->key,
		     (struct span){ .begin_ns = begin_ns,
				    .ns = c->ns,
				    .count = c->count,
				    .longest_ns = c->longest_ns,
				    .cpu = waits && c->migrations && c->migrations != SCHED_OTHERS ? c->migrations - 1
												   : UINT32_MAX,
				    .migrations = waits ? 0 : c->migrations });
}

/* A spilled cell may belong to the epoch that just ended. */
static void add_spill(struct sched_flush *f, const struct sched_record *r)
{
	unsigned bank = r->cell.bank & 1;
	bool ended = bank != sched_program_bank(f->program) && f->last_epoch_ns;

	if (f->sums[bank].count >= SUMS_MAX)
		write_sums(f, bank, ended ? f->program->epoch_ns : monotonic_ns());
	sched_flush_add_cell(f, r->pid, r->tid, &r->cell, bank, ended ? f->last_epoch_ns : f->program->epoch_ns);
}

void sched_flush_record(struct sched_flush *f, const struct sched_record *r)
{
	uint64_t begin_ns = r->begin_ns < r->end_ns ? r->begin_ns : r->end_ns;

	if (r->kind == SCHED_SPILL)
		add_spill(f, r);
	else if (r->kind == SCHED_SPAN)
		sched_flush_add_span(f, r->pid, r->tid, r->cell.key,
				     (struct span){ .cpu = r->cpu,
						    .time_ns = r->end_ns,
						    .begin_ns = begin_ns,
						    .ns = r->end_ns - begin_ns,
						    .count = r->cell.count,
						    .longest_ns = r->cell.longest_ns,
						    .migrations = r->cell.migrations,
						    .flags = RECORDING_SINGLE });
}

/* Read the state of the thread in a slot.  Returns whether there is one. */
static bool read_open(const struct sched_thread *t, struct open *o)
{
	const volatile struct sched_thread *shared = t;

	for (;;) {
		o->since_ns = __atomic_load_n(&t->since_ns, __ATOMIC_ACQUIRE);
		o->charged_ns = shared->charged_ns;
		o->state = shared->state;
		o->cpu = shared->cpu;
		o->moved = shared->moved;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (o->since_ns && o->since_ns == shared->since_ns)
			return true;
		if (!o->state && !shared->tid)
			return false;
	}
}

static uint32_t sched_flush_key_of(const struct open *o)
{
	return SCHED_KEY(o->state, o->state == RECORDING_RUNNING ? o->cpu : 0);
}

static void write_pending(struct sched_flush *f, const struct sched_thread *t, struct sched_pending *p)
{
	if (p->key)
		sched_flush_add_span(f, t->pid, t->tid, p->key,
				     (struct span){ .time_ns = p->end_ns,
						    .begin_ns = p->begin_ns,
						    .ns = p->ns,
						    .longest_ns = p->longest_ns });
	*p = (struct sched_pending){ 0 };
}

/* Add the part up to end_ns of an interval that continues. */
static void sched_flush_add_part(struct sched_flush *f, const struct sched_thread *t, struct sched_pending *p,
				 uint32_t key, uint64_t ns, uint64_t since_ns, uint64_t end_ns)
{
	if (p->key != key)
		write_pending(f, t, p);
	if (!p->key)
		p->begin_ns = end_ns - ns;
	p->key = key;
	p->ns += ns;
	p->end_ns = end_ns;
	if (end_ns - since_ns > p->longest_ns)
		p->longest_ns = end_ns - since_ns;
}

/* Write the thread's cells.  Returns false if all were empty. */
static bool write_cells(struct sched_flush *f, struct sched_thread *t, unsigned bank, uint64_t begin_ns)
{
	bool any = false;

	for (size_t i = 0; i < SCHED_CELLS; i++) {
		if (!t->cells[bank][i].key)
			continue;
		any = true;
		sched_flush_add_cell(f, t->pid, t->tid, &t->cells[bank][i], bank, begin_ns);
		t->cells[bank][i] = (struct sched_cell){ 0 };
	}
	return any;
}

static void write_death(struct sched_flush *f, const struct sched_thread *t)
{
	if (t->tid)
		sched_flush_add_span(f, t->pid, t->tid, SCHED_KEY(RECORDING_DEAD, 0),
				     (struct span){ .time_ns = t->end_ns,
						    .begin_ns = t->end_ns,
						    .count = 1,
						    .flags = f->events ? RECORDING_SINGLE : 0 });
}

static bool is_idle_slot(const struct sched_flush *f, uint32_t slot)
{
	return slot > f->program->thread_limit;
}

/* Was the idle thread in this slot never seen on its CPU?  Then another thread runs there, or the CPU does not
 * exist. */
static bool is_idle_guess(const struct sched_flush *f, uint32_t slot)
{
	return is_idle_slot(f, slot) && !f->program->cpus[slot - f->program->thread_limit - 1].now.begin_ns;
}

/* Does the interval count, by its state and its CPU? */
static bool sched_flush_counts(const struct sched_flush *f, const struct open *o)
{
	if (!takes_time(o->state))
		return false;
	if (!f->some_cpus)
		return true;
	return (o->state == RECORDING_RUNNING || sched_flush_is_waiting(o->state)) && f->program->cpus[o->cpu].wanted;
}

static void flush_thread(struct sched_flush *f, uint32_t slot, unsigned bank, uint64_t begin_ns, uint64_t end_ns)
{
	struct sched_thread *t = &f->program->threads[slot];
	struct sched_pending *pending = &f->pending[slot];
	bool any, dead;
	struct open o;

	if (!read_open(t, &o))
		return;
	sched_priorities_note(&f->priorities, t);
	dead = __atomic_load_n(&t->end_ns, __ATOMIC_ACQUIRE) && t->end_ns < end_ns;
	any = write_cells(f, t, bank, begin_ns);
	if (f->events || is_idle_guess(f, slot))
		;
	else if (o.since_ns >= end_ns && t->crossing.epoch_ns == end_ns)
		sched_flush_add_part(f, t, pending, t->crossing.key, t->crossing.part_ns, t->crossing.begin_ns, end_ns);
	else if (o.since_ns < end_ns && !dead && !sched_flush_is_waiting(o.state) && sched_flush_counts(f, &o))
		sched_flush_add_part(f, t, pending, sched_flush_key_of(&o),
				     end_ns - (o.since_ns > begin_ns ? o.since_ns : begin_ns), o.since_ns, end_ns);
	if (any || dead || (slot + f->flushes) % f->patience == 0)
		write_pending(f, t, pending);
	if (!dead)
		return;
	write_death(f, t);
	sched_program_give_back(f->program, slot);
}

static uint32_t slot_count(const struct sched_flush *f)
{
	return f->program->thread_limit + 1 + f->program->cpu_limit;
}

/* The next slot that may be in use: threads first, then idle threads. */
static uint32_t next_slot(const struct sched_flush *f, uint32_t slot, uint32_t used)
{
	slot++;
	return slot >= used && slot <= f->program->thread_limit ? f->program->thread_limit + 1 : slot;
}

static void sched_flush_make_room(struct sched_flush *f)
{
	if (!f->pending)
		f->pending = xcalloc(slot_count(f), sizeof(*f->pending));
}

void sched_flush_epoch(struct sched_flush *f, unsigned bank, uint64_t begin_ns, uint64_t end_ns)
{
	uint32_t used = sched_program_used(f->program);

	sched_flush_make_room(f);
	f->flushes++;
	f->patience = 1 + used / FEW < PATIENCE ? 1 + used / FEW : PATIENCE;
	for (uint32_t slot = next_slot(f, 0, used); slot < slot_count(f); slot = next_slot(f, slot, used))
		flush_thread(f, slot, bank, begin_ns, end_ns);
	write_sums(f, bank, end_ns);
}

/* ---- the end ---- */

/* The threads that had a CPU during a wait, latest first. */
struct runners {
	uint64_t ns[RUNNERS];
	uint64_t begin_ns[RUNNERS];
	uint32_t tids[RUNNERS];
	size_t count;
	bool apart; /* if set, each turn is a span of its own; otherwise turns are summed */
};

static void add_runner(struct runners *r, uint32_t tid, uint64_t begin_ns, uint64_t ns)
{
	size_t i = r->apart ? r->count : 0;

	while (i < r->count && r->tids[i] != tid)
		i++;
	if (i == RUNNERS)
		tid = r->tids[--i] = SCHED_OTHERS;
	if (i == r->count)
		r->tids[r->count++] = tid;
	r->ns[i] += ns;
	r->begin_ns[i] = begin_ns;
}

/* Which threads had the CPU in [from, until)? */
static void find_runners(const struct sched_cpu *cpu, uint64_t from, uint64_t until, struct runners *r)
{
	struct sched_slice slice = cpu->now;

	for (uint32_t i = 1; i < SCHED_SLICES && slice.begin_ns && until > from; i++) {
		uint64_t begin = slice.begin_ns > from ? slice.begin_ns : from;

		if (until > begin) {
			add_runner(r, slice.tid, begin, until - begin);
			until = begin;
		}
		slice = cpu->slices[(cpu->head - i) & (SCHED_SLICES - 1)];
	}
	if (until > from)
		add_runner(r, SCHED_OTHERS, from, until - from);
}

static void close_wait(struct sched_flush *f, const struct sched_thread *t, const struct open *o, uint64_t end_ns)
{
	struct runners r = { .apart = f->events };

	find_runners(&f->program->cpus[o->cpu], o->charged_ns, end_ns, &r);
	for (size_t i = 0; i < r.count; i++)
		f->others_ns += r.tids[i] == SCHED_OTHERS ? r.ns[i] : 0;
	for (size_t i = 0; i < r.count; i++)
		sched_flush_add_span(
			f, t->pid, t->tid, SCHED_KEY(o->state, r.tids[i]),
			(struct span){ .cpu = o->cpu,
				       .time_ns = f->events ? r.begin_ns[i] + r.ns[i] : end_ns,
				       .begin_ns = f->events ? r.begin_ns[i] : end_ns - r.ns[i],
				       .ns = r.ns[i],
				       .count = !i,
				       .longest_ns = i ? r.ns[i] : end_ns - o->since_ns,
				       .flags = (i ? 0 : RECORDING_OPEN) | (f->events ? RECORDING_SINGLE : 0) });
}

static void close_interval(struct sched_flush *f, const struct sched_thread *t, const struct open *o,
			   struct sched_pending *pending, uint64_t begin_ns, uint64_t end_ns)
{
	struct span s = { .time_ns = end_ns,
			  .begin_ns = begin_ns,
			  .ns = end_ns - begin_ns,
			  .count = 1,
			  .longest_ns = end_ns - o->since_ns,
			  .flags = RECORDING_OPEN,
			  .migrations = o->state == RECORDING_RUNNING && o->moved };

	if (o->since_ns > begin_ns || f->events)
		s.begin_ns = o->since_ns;
	s.ns = end_ns - s.begin_ns;
	if (f->events)
		s.flags |= RECORDING_SINGLE;
	if (pending->key == sched_flush_key_of(o)) {
		s.begin_ns = pending->begin_ns;
		s.ns += pending->ns;
		*pending = (struct sched_pending){ 0 };
	}
	write_pending(f, t, pending);
	sched_flush_add_span(f, t->pid, t->tid, sched_flush_key_of(o), s);
}

static void finish_thread(struct sched_flush *f, uint32_t slot, unsigned bank, uint64_t begin_ns, uint64_t end_ns)
{
	struct sched_thread *t = &f->program->threads[slot];
	struct sched_pending *pending = &f->pending[slot];
	struct open o;

	if (!read_open(t, &o))
		return;
	sched_priorities_note(&f->priorities, t);
	if (write_cells(f, t, bank, begin_ns) || t->end_ns)
		write_pending(f, t, pending);
	if (t->end_ns) {
		write_death(f, t);
		return;
	}
	if (!sched_flush_counts(f, &o) || o.since_ns >= end_ns ||
	    (is_idle_guess(f, slot) && f->busy[slot - f->program->thread_limit - 1]))
		return;
	if (o.state == RECORDING_RUNNING)
		f->busy[o.cpu] = true;
	f->open_spans++;
	if (is_idle_guess(f, slot)) /* nothing of it was written yet */
		begin_ns = o.since_ns;
	if (sched_flush_is_waiting(o.state))
		close_wait(f, t, &o, end_ns);
	else
		close_interval(f, t, &o, pending, begin_ns, end_ns);
}

void sched_flush_rest(struct sched_flush *f, uint64_t end_ns)
{
	uint32_t used = sched_program_used(f->program);
	unsigned bank = sched_program_bank(f->program);

	sched_flush_make_room(f);
	f->busy = xcalloc(f->program->cpu_limit, sizeof(*f->busy));
	for (uint32_t slot = next_slot(f, 0, used); slot < slot_count(f); slot = next_slot(f, slot, used))
		finish_thread(f, slot, bank, f->program->epoch_ns, end_ns);
	write_sums(f, !bank, end_ns);
	write_sums(f, bank, end_ns);
}

void sched_flush_free(struct sched_flush *f)
{
	free(f->pending);
	free(f->busy);
	sums_free(&f->sums[0]);
	sums_free(&f->sums[1]);
	str_free(&f->out);
	sched_priorities_free(&f->priorities);
	*f = (struct sched_flush){ 0 };
}
