#include "collect/windows/window_pairs.h"

#include <stdlib.h>

enum { MANY = 1 << 14 };

static struct window_thread *window_pairs_thread_of(struct window_pairs *p, uint32_t pid, uint32_t tid)
{
	uint32_t *number = map_at(&p->by_tid, tid, 0);

	if (!*number) {
		p->threads = xgrow(p->threads, &p->thread_cap, p->thread_count + 1, sizeof(*p->threads));
		p->threads[p->thread_count++] = (struct window_thread){ .pid = pid, .tid = tid };
		*number = (uint32_t)p->thread_count;
	}
	return &p->threads[*number - 1];
}

static struct window_process *window_pairs_process_of(struct window_pairs *p, uint32_t pid)
{
	uint32_t *number = map_at(&p->by_pid, pid, 0);

	if (!*number) {
		p->processes = xgrow(p->processes, &p->process_cap, p->process_count + 1, sizeof(*p->processes));
		p->processes[p->process_count++] = (struct window_process){ .pid = pid };
		*number = (uint32_t)p->process_count;
	}
	return &p->processes[*number - 1];
}

static void give(struct window_pairs *p, uint64_t begin_ns, const struct window_record *r, uint32_t flags, bool open)
{
	struct window_pair w = { r->pid, r->tid, r->cpu, flags, open, begin_ns, r->time_ns };

	if (p->whole_process)
		w.flags |= RECORDING_WINDOW_PROCESS;
	if (w.end_ns < w.begin_ns) /* begun after the end of the recording */
		return;
	p->take(p->self, &w);
}

/* ---- of a process ---- */

static void enter_process(struct window_pairs *p, struct window_process *process, uint64_t time_ns)
{
	if (process->inside)
		p->counts[RECORDING_WINDOWS_overlapping]++;
	else
		process->begin_ns = time_ns;
	process->inside++;
}

static void leave_process(struct window_pairs *p, struct window_process *process, const struct window_record *r)
{
	if (!--process->inside) {
		process->owed = 0;
		give(p, process->begin_ns, r, 0, false);
	}
}

/* A thread begins a window although it is in one.  Returns whether another thread has ended that window. */
static bool settle_debt(struct window_process *process)
{
	if (!process->owed)
		return false;
	process->owed--;
	return true;
}

static void end_process(struct window_pairs *p, const struct window_record *r)
{
	struct window_process *process = window_pairs_process_of(p, r->pid);

	if (process->inside)
		give(p, process->begin_ns, r, RECORDING_WINDOW_CUT, false);
	*process = (struct window_process){ .pid = r->pid, .era = process->era + 1 };
}

/* ---- of a thread ---- */

static bool is_deeper(const struct window_record *r, const struct window_thread *t)
{
	return r->sp && r->sp < t->sp;
}

static void begin_again(struct window_pairs *p, struct window_thread *t, const struct window_record *r)
{
	struct window_process *process = window_pairs_process_of(p, r->pid);

	if (is_deeper(r, t)) {
		p->counts[RECORDING_WINDOWS_nested]++;
		t->depth++;
		return;
	}
	t->depth = 1;
	t->sp = r->sp;
	t->begin_ns = r->time_ns;
	if (p->whole_process && settle_debt(process)) {
		enter_process(p, process, r->time_ns);
		return;
	}
	p->counts[RECORDING_WINDOWS_replaced]++;
	if (p->whole_process && process->inside == 1)
		process->begin_ns = r->time_ns;
}

static void window_pairs_begin(struct window_pairs *p, struct window_thread *t, const struct window_record *r)
{
	struct window_process *process = p->whole_process ? window_pairs_process_of(p, r->pid) : NULL;

	/* Others have ended all windows of the process, including this thread's. */
	if (process && !process->inside)
		t->depth = 0;
	if (t->depth) {
		begin_again(p, t, r);
		return;
	}
	t->depth = 1;
	t->sp = r->sp;
	t->begin_ns = r->time_ns;
	if (process)
		enter_process(p, process, r->time_ns);
}

static void end_by_other(struct window_pairs *p, const struct window_record *r)
{
	struct window_process *process = window_pairs_process_of(p, r->pid);

	if (!p->whole_process || !process->inside) {
		p->counts[RECORDING_WINDOWS_stray]++;
		return;
	}
	process->owed++;
	leave_process(p, process, r);
}

static void window_pairs_end(struct window_pairs *p, struct window_thread *t, const struct window_record *r)
{
	if (p->whole_process && !window_pairs_process_of(p, r->pid)->inside)
		t->depth = 0;
	if (!t->depth) {
		end_by_other(p, r);
	} else if (!--t->depth) {
		if (p->whole_process)
			leave_process(p, window_pairs_process_of(p, r->pid), r);
		else
			give(p, t->begin_ns, r, 0, false);
	}
}

/* An event that is both begin and end ends the open window, if there is one, and begins the next. */
static void window_pairs_change(struct window_pairs *p, struct window_thread *t, const struct window_record *r)
{
	struct window_process *process = p->whole_process ? window_pairs_process_of(p, r->pid) : NULL;

	if (process) {
		if (process->inside)
			give(p, process->begin_ns, r, 0, false);
		process->inside = 1;
		process->begin_ns = r->time_ns;
		return;
	}
	if (t->depth)
		give(p, t->begin_ns, r, 0, false);
	t->depth = 1;
	t->begin_ns = r->time_ns;
}

static void window_pairs_end_thread(struct window_pairs *p, struct window_thread *t, const struct window_record *r)
{
	if (t->depth && !p->whole_process)
		give(p, t->begin_ns, r, RECORDING_WINDOW_CUT, false);
	if (!p->whole_process)
		t->depth = 0;
}

/* After a thread has ended, its number may be given to another thread, in another process. */
static void look_at_era(struct window_pairs *p, struct window_thread *t, uint32_t pid)
{
	uint32_t era = window_pairs_process_of(p, pid)->era;

	if (t->pid != pid || t->era != era)
		t->depth = 0;
	t->pid = pid;
	t->era = era;
}

/* Is the thread, or its process because of it, in a window? */
static bool is_inside(struct window_pairs *p, const struct window_thread *t)
{
	const struct window_process *process = window_pairs_process_of(p, t->pid);

	return t->depth && t->era == process->era && (process->inside || !p->whole_process);
}

/* Forget threads that are in no window, most of which have ended; the others will be treated as new. */
static void forget_others(struct window_pairs *p)
{
	struct window_pairs old = *p;

	p->threads = NULL;
	p->processes = NULL;
	p->thread_count = p->thread_cap = p->process_count = p->process_cap = 0;
	p->by_tid = p->by_pid = (struct map){ 0 };
	for (size_t i = 0; i < old.process_count; i++) {
		struct window_process *process = &old.processes[i];

		if (process->inside)
			*window_pairs_process_of(p, process->pid) =
				(struct window_process){ process->pid, process->inside, process->owed, 0,
							 process->begin_ns };
	}
	for (size_t i = 0; i < old.thread_count; i++) {
		struct window_thread t = old.threads[i];

		if (!is_inside(&old, &t))
			continue;
		t.era = 0;
		*window_pairs_thread_of(p, t.pid, t.tid) = t;
	}
	p->many = 2 * (p->thread_count + p->process_count) + MANY;
	window_pairs_free(&old);
}

void window_pairs_add(struct window_pairs *p, const struct window_record *r)
{
	struct window_thread *t;

	if (p->thread_count + p->process_count > (p->many ? p->many : MANY))
		forget_others(p);
	t = window_pairs_thread_of(p, r->pid, r->tid);
	look_at_era(p, t, r->pid);
	if ((r->what & WINDOW_BEGIN) && (r->what & WINDOW_END))
		window_pairs_change(p, t, r);
	else if (r->what & WINDOW_BEGIN)
		window_pairs_begin(p, t, r);
	else if (r->what & WINDOW_END)
		window_pairs_end(p, t, r);
	if (r->what & (WINDOW_THREAD_GONE | WINDOW_PROCESS_GONE))
		window_pairs_end_thread(p, t, r);
	if (r->what & WINDOW_PROCESS_GONE)
		end_process(p, r);
}

void window_pairs_finish(struct window_pairs *p, uint64_t end_ns)
{
	for (size_t i = 0; p->whole_process && i < p->process_count; i++) {
		struct window_process *process = &p->processes[i];
		struct window_record r = { .time_ns = end_ns, .pid = process->pid, .tid = process->pid };

		if (process->inside)
			give(p, process->begin_ns, &r, 0, true);
		process->inside = 0;
	}
	for (size_t i = 0; !p->whole_process && i < p->thread_count; i++) {
		struct window_thread *t = &p->threads[i];
		struct window_record r = { .time_ns = end_ns, .pid = t->pid, .tid = t->tid };

		if (is_inside(p, t))
			give(p, t->begin_ns, &r, 0, true);
		t->depth = 0;
	}
}

void window_pairs_free(struct window_pairs *p)
{
	free(p->threads);
	free(p->processes);
	map_free(&p->by_tid);
	map_free(&p->by_pid);
	*p = (struct window_pairs){ 0 };
}
