#include "collect/processes/process_table.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "collect/processes/tracked_process.h"
#include "core/memory.h"

struct leaver {
	uint64_t start_ns, end_ns;
	uint32_t pid;
};

void process_table_open(struct process_table *t, uint32_t limit)
{
	t->limit = limit;
	t->live = xcalloc(limit, sizeof(struct tracked_process *));
	t->leaving = xcalloc(limit, sizeof(struct tracked_process *));
}

static void process_table_forget(struct tracked_process **slot)
{
	tracked_process_free(*slot);
	*slot = NULL;
}

/* ---- processes ---- */

static uint64_t pages_to_bytes(uint64_t pages)
{
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void name_it(struct tracked_process *p, const struct process_record *r)
{
	memcpy(p->name, r->name, sizeof(p->name));
}

static void set_arguments(struct tracked_process *p, const char *args, size_t len, bool cut)
{
	str_clear(&p->args);
	str_add(&p->args, args, len < PROCESS_ARGS ? len : PROCESS_ARGS);
	p->cut = cut || len > PROCESS_ARGS;
}

/* If a process's first thread has ended, its values are read from its other threads. */
static void read_arguments(struct tracked_process *p)
{
	struct pids threads = { 0 };
	struct str args = { 0 };

	if (!read_process((pid_t)p->pid, "cmdline", &args) && !args.len)
		pids_read_threads(&threads, (pid_t)p->pid);
	for (size_t i = 0; i < threads.count && !args.len; i++)
		read_process(threads.list[i], "cmdline", &args);
	if (args.len)
		set_arguments(p, args.buf, args.len, false);
	pids_free(&threads);
	str_free(&args);
}

static struct tracked_process *process_table_begin(struct process_table *t, const struct process_record *r,
						   enum recording_begun begun)
{
	struct tracked_process *p = xcalloc(1, sizeof(*p));

	p->pid = r->pid;
	p->parent = r->parent;
	p->start_ns = r->start_ns;
	p->begin_ns = r->start_ns > t->begin_ns ? r->start_ns : t->begin_ns;
	p->begun = begun;
	p->look = t->look;
	name_it(p, r);
	t->live[r->pid] = p;
	return p;
}

static void begin_at(struct tracked_process *p, uint64_t ns, enum recording_begun begun, uint64_t cpu_before_ns,
		     uint64_t main_before_ns)
{
	p->begin_ns = ns;
	p->begun = begun;
	p->cpu_before_ns = cpu_before_ns;
	p->main_before_ns = main_before_ns;
	p->mark_ns = 0;
}

/* The end of an earlier process with this pid was missed. */
static void end_unseen(struct process_table *t, uint32_t pid, uint64_t now_ns)
{
	struct tracked_process *p = t->live[pid];

	if (!p)
		return;
	t->unpaired++;
	tracked_process_write_before(&t->to, p, UINT64_MAX);
	tracked_process_write(&t->to, p, now_ns > p->begin_ns ? now_ns : p->begin_ns, RECORDING_LOST);
	process_table_forget(&t->live[pid]);
}

static struct tracked_process *process_table_find(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = t->live[r->pid];

	return p && p->start_ns == r->start_ns ? p : NULL;
}

/* Add the process of an event, whose fork was not seen.  For a process older than the recording, it is unknown how much
 * CPU time it used before, so none of that time counts. */
static struct tracked_process *find_or_begin(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = process_table_find(t, r);
	bool before = r->start_ns < t->begin_ns;

	if (p)
		return p;
	end_unseen(t, r->pid, r->time_ns);
	p = process_table_begin(t, r, before ? RECORDING_BEFORE : RECORDING_FORKED);
	p->cpu_before_ns = before ? r->cpu_ns : 0;
	p->main_before_ns = before ? r->main_ns : 0;
	p->is_first = before;
	return p;
}

static void process_table_add_fork(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = process_table_find(t, r),
			       *parent = r->parent < t->limit ? t->live[r->parent] : NULL;

	t->forks++;
	if (p) { /* a look was faster */
		p->begun = RECORDING_FORKED;
		return;
	}
	end_unseen(t, r->pid, r->time_ns);
	p = process_table_begin(t, r, RECORDING_FORKED);
	if (parent)
		set_arguments(p, str_text(&parent->args), parent->args.len, parent->cut);
	else
		read_arguments(p);
}

static void note_replaced(struct process_table *t, const struct process_record *r)
{
	t->replaced = xgrow(t->replaced, &t->replaced_cap, t->replaced_count + 1, sizeof(*t->replaced));
	t->replaced[t->replaced_count++] = (struct leaver){ r->start_ns, r->time_ns, r->pid };
}

/* The fork of a COMMAND is our own, so its time before the exec is left out. */
static void add_exec(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = process_table_find(t, r);
	uint64_t more_ns = 0;

	t->execs++;
	if (p) {
		p->cpu_ns = r->cpu_ns;
		p->main_ns = r->flags & PROCESS_OTHER ? p->main_before_ns : r->main_ns;
		p->peak_bytes = pages_to_bytes(r->peak_pages);
		p->end_ns = r->time_ns;
		more_ns = tracked_process_replace(&t->to, p);
		if (t->is_always_on)
			note_replaced(t, r);
	} else {
		p = find_or_begin(t, r);
		p->is_first = true;
	}
	begin_at(p, r->time_ns, RECORDING_EXECED, r->cpu_ns - more_ns, r->main_ns - more_ns);
	name_it(p, r);
	set_arguments(p, r->args, r->args_bytes, r->args_whole > r->args_bytes);
	if (!r->args_bytes && r->args_whole)
		read_arguments(p);
}

static void add_failed(struct process_table *t, const struct process_record *r)
{
	const struct tracked_process *runs = find_or_begin(t, r);
	struct tracked_process p = {
		.pid = r->pid,
		.parent = r->parent,
		.start_ns = r->start_ns,
		.begin_ns = r->time_ns,
		.begun = RECORDING_FAILED,
		.status = r->status,
	};

	t->failed++;
	name_it(&p, r);
	memcpy(p.name, runs->name, sizeof(p.name));
	set_arguments(&p, r->args, r->args_bytes, r->args_whole > r->args_bytes);
	tracked_process_write(&t->to, &p, r->time_ns, RECORDING_REPLACED);
	str_free(&p.args);
}

/* Write a program that has ended; final: its CPU time is final. */
static void process_table_leave(struct process_table *t, struct tracked_process **slot, bool final)
{
	t->not_final += *slot && !final;
	if (*slot) {
		tracked_process_settle(*slot);
		tracked_process_write_before(&t->to, *slot, UINT64_MAX);
		tracked_process_write(&t->to, *slot, (*slot)->end_ns, RECORDING_EXITED);
	}
	process_table_forget(slot);
}

static void add_exit(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = t->leaving[r->pid];

	if (p && p->start_ns == r->start_ns) /* two threads ended at once */
		return;
	t->exits++;
	p = find_or_begin(t, r);
	process_table_leave(t, &t->leaving[r->pid], false);
	t->live[r->pid] = NULL;
	t->leaving[r->pid] = p;
	name_it(p, r);
	p->end_ns = r->time_ns;
	p->cpu_ns = r->cpu_ns;
	p->main_ns = r->main_ns;
	p->peak_bytes = pages_to_bytes(r->peak_pages);
	p->status = r->status & 0xffff;
	p->flags |= (r->flags & PROCESS_PARENT_SLEEPS ? RECORDING_AWAITED : 0) |
		    (r->flags & PROCESS_CORE ? RECORDING_CORE : 0);
	t->queue = xgrow(t->queue, &t->queue_cap, t->queue_count + 1, sizeof(*t->queue));
	t->queue[t->queue_count++] = (struct leaver){ r->start_ns, r->time_ns, r->pid };
}

static void add_free(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = t->leaving[r->pid];

	if (!p || p->start_ns != r->start_ns)
		return;
	if (r->cpu_ns > p->cpu_ns)
		p->cpu_ns = r->cpu_ns;
	if (r->main_ns > p->main_ns)
		p->main_ns = r->main_ns;
	process_table_leave(t, &t->leaving[r->pid], true);
}

/* The process ended after the recording, but its CPU time is known. */
static void process_table_note_cpu(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = process_table_find(t, r);

	if (p && r->event == PROCESS_EXIT) {
		p->cpu_ns = r->cpu_ns;
		p->main_ns = r->main_ns;
	}
}

void process_table_add(struct process_table *t, const struct process_record *r)
{
	if (r->pid >= t->limit || (r->flags & PROCESS_KERNEL && r->event != PROCESS_EXEC))
		return;
	if (t->end_ns && r->time_ns > t->end_ns && r->event != PROCESS_FREE) {
		process_table_note_cpu(t, r);
		return;
	}
	switch ((enum process_event)r->event) {
	case PROCESS_FORK: process_table_add_fork(t, r); break;
	case PROCESS_EXEC: add_exec(t, r); break;
	case PROCESS_FAILED: add_failed(t, r); break;
	case PROCESS_EXIT: add_exit(t, r); break;
	case PROCESS_FREE: add_free(t, r); break;
	case PROCESS_THERE: break;
	}
}

void process_table_add_there(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p;

	if (r->pid >= t->limit || process_table_find(t, r) || t->leaving[r->pid])
		return;
	t->there++;
	p = process_table_begin(t, r, r->start_ns < t->begin_ns ? RECORDING_BEFORE : RECORDING_FORKED);
	p->cpu_before_ns = r->start_ns < t->begin_ns ? r->cpu_ns : 0;
	p->main_before_ns = r->start_ns < t->begin_ns ? r->main_ns : 0;
	p->is_first = r->start_ns < t->begin_ns;
	read_arguments(p);
}

/* ---- looks ---- */

void process_table_begin_look(struct process_table *t, uint64_t now_ns)
{
	t->look++;
	t->look_ns = now_ns;
}

void process_table_update(struct process_table *t, const struct process_record *r)
{
	struct tracked_process *p = r->pid < t->limit ? process_table_find(t, r) : NULL;

	if (!p)
		return;
	p->cpu_ns = r->cpu_ns;
	p->main_ns = r->main_ns;
	p->look = t->look;
	name_it(p, r);
}

void process_table_end_missing(struct process_table *t)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		if (t->live[pid] && t->live[pid]->look != t->look)
			end_unseen(t, pid, t->look_ns);
	}
}

void process_table_mark(struct process_table *t)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		struct tracked_process *p = t->live[pid];

		if (!p || p->begin_ns >= t->look_ns)
			continue;
		if (p->mark_ns)
			begin_at(p, p->mark_ns, RECORDING_BEFORE, p->mark_cpu_ns, p->mark_main_ns);
		p->mark_ns = t->look_ns;
		p->mark_cpu_ns = p->cpu_ns;
		p->mark_main_ns = p->main_ns;
	}
}

uint64_t process_table_tell(struct process_table *t, uint64_t from_ns, uint64_t now_ns)
{
	uint64_t count = 0;

	for (uint32_t pid = 0; pid < t->limit; pid++) {
		if (!t->live[pid] || t->live[pid]->begin_ns >= now_ns)
			continue;
		tracked_process_write_open(&t->to, t->live[pid], from_ns, now_ns);
		count++;
	}
	return count;
}

void process_table_tell_ended(const struct process_table *t, uint64_t from_ns)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		const struct tracked_process *p = t->leaving[pid];

		if (t->live[pid])
			tracked_process_tell_before(&t->to, t->live[pid], from_ns);
		if (!p || p->end_ns < from_ns)
			continue;
		tracked_process_tell_before(&t->to, p, from_ns);
		tracked_process_write(&t->to, p, p->end_ns, RECORDING_EXITED);
	}
}

void process_table_write_before(struct process_table *t, uint64_t until_ns)
{
	size_t left = 0;

	for (size_t i = 0; i < t->replaced_count; i++) {
		const struct leaver *l = &t->replaced[i];
		struct tracked_process *p = t->live[l->pid] ? t->live[l->pid] : t->leaving[l->pid];

		if (l->end_ns >= until_ns)
			t->replaced[left++] = *l;
		else if (p && p->start_ns == l->start_ns)
			tracked_process_write_before(&t->to, p, until_ns);
	}
	t->replaced_count = left;
}

void process_table_cut(struct process_table *t, uint64_t now_ns)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		struct tracked_process *p = t->live[pid];

		if (p && p->begin_ns < now_ns) {
			begin_at(p, now_ns, RECORDING_BEFORE, p->cpu_ns, p->main_ns);
			p->is_first = false;
		}
	}
	t->begin_ns = now_ns;
}

/* ---- ends ---- */

void process_table_flush(struct process_table *t, uint64_t before_ns)
{
	size_t i = 0;

	for (; i < t->queue_count && t->queue[i].end_ns < before_ns; i++) {
		struct tracked_process *p = t->leaving[t->queue[i].pid];

		if (p && p->start_ns == t->queue[i].start_ns)
			process_table_leave(t, &t->leaving[t->queue[i].pid], false);
	}
	if (!i)
		return;
	memmove(t->queue, t->queue + i, (t->queue_count - i) * sizeof(*t->queue));
	t->queue_count -= i;
}

bool process_table_awaits_cpu(const struct process_table *t)
{
	for (size_t i = t->queue_count; i; i--) {
		const struct leaver *l = &t->queue[i - 1];
		const struct tracked_process *p = t->leaving[l->pid];

		if (p && p->start_ns == l->start_ns && kill((pid_t)l->pid, 0) && errno == ESRCH)
			return true;
	}
	return false;
}

void process_table_finish(struct process_table *t, uint64_t end_ns, bool has_losses)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		struct tracked_process *p = t->live[pid];
		bool is_lost;

		process_table_leave(t, &t->leaving[pid], false);
		if (!p)
			continue;
		is_lost = has_losses && p->look != t->look;
		t->open += !is_lost;
		t->unpaired += is_lost;
		tracked_process_end_open(p, end_ns);
		tracked_process_write_before(&t->to, p, UINT64_MAX);
		if (is_lost)
			tracked_process_write(&t->to, p, end_ns, RECORDING_LOST);
		else
			tracked_process_write_open(&t->to, p, 0, end_ns);
		process_table_forget(&t->live[pid]);
	}
}

void process_table_free(struct process_table *t)
{
	for (uint32_t pid = 0; pid < t->limit; pid++) {
		process_table_forget(&t->live[pid]);
		process_table_forget(&t->leaving[pid]);
	}
	free(t->live);
	free(t->leaving);
	free(t->queue);
	free(t->replaced);
	*t = (struct process_table){ 0 };
}
