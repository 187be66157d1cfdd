#include "collect/java/thread_names.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/jvm/threads.h"
#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/changes.h"
#include "core/wallclock.h"

/* ---- finding our id of a thread by its id in another PID namespace, such as a container's ---- */

struct aliases { /* {0} is valid and empty */
	int pid;
	bool in_namespace;
	struct alias {
		int inner, outer;
	} * list; /* [count] */
	size_t count, cap;
};

/* Read "NSpid: 8513 12": the ids of a process or thread, from our PID namespace to its own.  Returns the last id,
 * and how many there are; 0: the thread is gone. */
static int aliases_innermost(int pid, int tid, int *depth)
{
	struct str text = { 0 };
	const char *field;
	char path[64], *end;
	long number = 0;

	*depth = 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	if (!read_whole(path, &text) && (field = strstr(str_text(&text), "\nNSpid:"))) {
		for (field += strlen("\nNSpid:"); *field == '\t'; field = end, ++*depth)
			number = strtol(field + 1, &end, 10);
	}
	str_free(&text);
	return (int)number;
}

static void read_aliases(struct aliases *a)
{
	struct pids tids = { 0 };
	int depth;

	pids_read_threads(&tids, a->pid);
	a->list = xgrow(a->list, &a->cap, tids.count + 1, sizeof(*a->list));
	a->count = 0;
	for (size_t i = 0; i < tids.count; i++) {
		int inner = aliases_innermost(a->pid, tids.list[i], &depth);

		if (inner)
			a->list[a->count++] = (struct alias){ inner, tids.list[i] };
	}
	pids_free(&tids);
}

static void aliases_free(struct aliases *a)
{
	free(a->list);
	*a = (struct aliases){ 0 };
}

static void aliases_init(struct aliases *a, int pid)
{
	int depth;

	aliases_free(a);
	a->pid = pid;
	aliases_innermost(pid, pid, &depth);
	a->in_namespace = depth > 1;
}

/* Our id for the thread that its process calls tid; 0: there is none.  *fresh: the ids of all threads were read a
 * moment ago, so they are not read again. */
static int aliases_find(struct aliases *a, int tid, bool *fresh)
{
	if (!a->in_namespace)
		return tid;
	for (;;) {
		for (size_t i = 0; i < a->count; i++) {
			if (a->list[i].inner == tid)
				return a->list[i].outer;
		}
		if (*fresh)
			return 0;
		read_aliases(a);
		*fresh = true;
	}
}

/* ---- the names of threads ---- */

enum {
	OPENINGS = 30,          /* seconds that a JVM may take to start */
	REST = 50,              /* reading a JVM takes at most 1 / this of the time */
	PATIENCE_NS = 50000000, /* the longest time that the first and the last reading wait for a garbage collection to
				 * end */
	PAUSE_US = 2000,        /* how often they look whether it has ended */
	ROUND_NS = 10000000,    /* the longest time of one thread_names_update() */
	COMM_BYTES = 15,        /* bytes of the kernel's names */
};

static const uint64_t LONG_TIME_NS = UINT64_MAX / 2;

struct jvm_process {
	int pid;
	bool is_open;
	bool is_due; /* something has changed: read it */
	int openings;
	unsigned reads;
	uint64_t read_ns, took_ns;
	struct jvm jvm;
	struct java_threads *threads;
	struct aliases aliases;
};

/* ---- threads ---- */

static struct jvm_process *thread_names_process_of(const struct thread_names *n, int pid)
{
	for (size_t i = 0; i < n->process_count; i++) {
		if (n->processes[i]->pid == pid)
			return n->processes[i];
	}
	return NULL;
}

unsigned thread_names_reads(const struct thread_names *n, int pid)
{
	const struct jvm_process *p = thread_names_process_of(n, pid);

	return p ? p->reads : UINT_MAX;
}

struct thread_name *thread_names_find(struct thread_names *n, int pid, int tid)
{
	uint32_t *place = map_at(&n->by_tid, (uint64_t)pid, (uint32_t)tid);

	if (!*place) {
		n->threads = xgrow(n->threads, &n->thread_cap, n->thread_count + 1, sizeof(*n->threads));
		n->threads[n->thread_count++] =
			(struct thread_name){ .pid = pid, .tid = tid, .seen = thread_names_reads(n, pid) };
		*place = (uint32_t)n->thread_count;
	}
	return &n->threads[*place - 1];
}

static void thread_names_give_name(struct thread_name *t, const char *name, size_t len)
{
	t->unread = false;
	if (t->name && strlen(t->name) == len && !memcmp(t->name, name, len))
		return;
	free(t->name);
	t->name = xmalloc(len + 1);
	memcpy(t->name, name, len);
	t->name[len] = '\0';
	t->is_decided = false;
}

/* ---- one JVM ---- */

static void close_jvm(struct jvm_process *p)
{
	java_threads_free(p->threads);
	jvm_close(&p->jvm);
	p->threads = NULL;
	p->is_open = false;
}

static void process_free(struct jvm_process *p)
{
	close_jvm(p);
	aliases_free(&p->aliases);
	free(p);
}

static void open_jvm(struct thread_names *n, struct jvm_process *p)
{
	const char *why;

	if (p->openings++ >= OPENINGS || jvm_open(&p->jvm, p->pid, &why))
		return;
	p->threads = java_threads_new(&p->jvm, &why);
	p->is_open = p->threads;
	if (!p->is_open) {
		jvm_close(&p->jvm);
		return;
	}
	aliases_init(&p->aliases, p->pid);
	if (n->probe)
		thread_probe_attach(n->probe, p->jvm.lib.path);
}

/* Is the kernel's name a truncation of the JVM's? */
static bool comm_agrees(int pid, int tid, const char *name)
{
	struct str comm = { 0 };
	size_t len = strlen(name);
	bool agrees;

	if (len > COMM_BYTES)
		len = COMM_BYTES;
	agrees = read_comm(pid, tid, &comm) && comm.len == len && !memcmp(str_text(&comm), name, len);
	str_free(&comm);
	return agrees;
}

static bool thread_names_is_thread_of(const struct thread_names *n, int pid, int tid)
{
	char path[64];

	if (map_get(&n->by_tid, (uint64_t)pid, (uint32_t)tid))
		return true;
	snprintf(path, sizeof(path), "/proc/%d/task/%d", pid, tid);
	return !access(path, F_OK);
}

static void thread_names_note(struct thread_names *n, struct jvm_process *p, const struct java_thread *java,
			      bool *fresh)
{
	int tid = aliases_find(&p->aliases, java->tid, fresh);
	struct thread_name *t;

	if (tid <= 0 || !thread_names_is_thread_of(n, p->pid, tid))
		return;
	t = thread_names_find(n, p->pid, tid);
	if (java->name && (java->is_sure || comm_agrees(p->pid, tid, java->name)))
		thread_names_give_name(t, java->name, strlen(java->name));
	else if (java->is_sure || !java->name)
		t->unread = true;
}

/* Add the threads that existed before the first reading, so that we know whether the JVM has names for them. */
static void thread_names_add_threads(struct thread_names *n, int pid)
{
	struct pids tids = { 0 };

	pids_read_threads(&tids, pid);
	for (size_t i = 0; i < tids.count; i++)
		thread_names_find(n, pid, tids.list[i]);
	pids_free(&tids);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Waits until until_ns at most. */
static void read_jvm(struct thread_names *n, struct jvm_process *p, uint64_t until_ns)
{
	const struct java_thread *list;
	uint64_t start_ns = monotonic_ns(), waited_ns = 0;
	bool fresh = false, patient = !p->reads || until_ns >= LONG_TIME_NS;
	size_t unread = 0;
	int count;

	if (!p->is_open)
		open_jvm(n, p);
	if (!p->is_open) {
		p->read_ns = start_ns;
		p->took_ns = NS_PER_SEC / REST;
		return;
	}
	if (monotonic_ns() >= until_ns) /* opening the JVM has used up the time: read its threads next time */
		return;
	if (!p->reads)
		thread_names_add_threads(n, p->pid);
	until_ns = earlier(until_ns, start_ns + PATIENCE_NS);
	count = java_threads_read(p->threads, &list, &unread);
	while (unread && patient && monotonic_ns() < until_ns) {
		usleep(PAUSE_US);
		waited_ns += PAUSE_US * 1000;
		count = java_threads_read(p->threads, &list, &unread);
	}
	if (count < 0)
		close_jvm(p);
	for (int i = 0; i < count; i++)
		thread_names_note(n, p, &list[i], &fresh);
	p->reads++;
	p->is_due = unread;
	p->read_ns = monotonic_ns();
	p->took_ns = p->read_ns - start_ns - waited_ns;
}

/* ---- what records say ---- */

static bool thread_names_ends_in(const char *text, size_t len, const char *end)
{
	return len >= strlen(end) && !memcmp(text + len - strlen(end), end, strlen(end));
}

static void thread_names_add_process(struct thread_names *n, int pid)
{
	struct jvm_process *p = thread_names_process_of(n, pid);

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->pid = pid;
		n->processes = xgrow(n->processes, &n->process_cap, n->process_count + 1, sizeof(struct jvm_process *));
		n->processes[n->process_count++] = p;
	}
	if (!p->is_open) {
		p->openings = 0;
		p->took_ns = 0;
		p->is_due = true;
	}
}

/* Note that a thread has started (FORK: pid ppid tid ptid), that it was renamed (COMM: pid tid), or that its process
 * executed another program. */
static void thread_names_note_thread(struct thread_names *n, const uint8_t *record,
				     const struct perf_event_header *header)
{
	bool is_fork = header->type == PERF_RECORD_FORK;
	uint32_t fields[3];
	struct jvm_process *p;

	memcpy(fields, record + sizeof(*header), sizeof(fields));
	p = thread_names_process_of(n, (int)fields[0]);
	if (!p)
		return;
	if (!is_fork && header->misc & PERF_RECORD_MISC_COMM_EXEC)
		close_jvm(p);
	p->is_due = true;
	thread_names_find(n, p->pid, (int)fields[is_fork ? 2 : 1]);
}

static void thread_names_look_at(void *argument, const uint8_t *record, uint32_t type)
{
	static const char name[] = "/libjvm.so", deleted[] = "/libjvm.so (deleted)";
	struct thread_names *n = argument;
	struct perf_event_header header;
	struct mmap_record m;

	memcpy(&header, record, sizeof(header));
	if ((type == PERF_RECORD_FORK || type == PERF_RECORD_COMM) && header.size >= 8 + 3 * sizeof(uint32_t))
		thread_names_note_thread(n, record, &header);
	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) || !mmap_record_read(record, true, &m) || m.kernel)
		return;
	if (thread_names_ends_in(m.path, m.path_len, name) || thread_names_ends_in(m.path, m.path_len, deleted))
		thread_names_add_process(n, m.pid);
}

/* Take the name of a thread that has just started. */
static void thread_names_take(void *self, int pid, int tid, const char *name, size_t len)
{
	struct thread_names *n = self;
	struct str text = { 0 };

	if (!thread_names_process_of(n, pid))
		return;
	str_add(&text, name, len);
	for (size_t i = 0; i < text.len; i++) {
		if (!text.buf[i] || text.buf[i] == '\n' || text.buf[i] == '\r')
			text.buf[i] = '?';
	}
	thread_names_give_name(thread_names_find(n, pid, tid), str_text(&text), text.len);
	str_free(&text);
}

void thread_names_hear(struct thread_names *n)
{
	thread_probe_drain(n->probe);
}

/* Read the JVMs that are due, in turn. */
static void read_due(struct thread_names *n, uint64_t until_ns)
{
	for (size_t i = 0; i < n->process_count; i++) {
		struct jvm_process *p = n->processes[n->next % n->process_count];
		uint64_t now = monotonic_ns();

		if (now >= until_ns)
			break;
		n->next++;
		if (p->is_due && now - p->read_ns >= REST * p->took_ns)
			read_jvm(n, p, until_ns);
	}
}

static void thread_names_update_one(struct thread_names *n, const char *path, uint64_t size, bool all, uint64_t time_ns)
{
	if (n->off)
		return;
	new_records_read(&n->records, path, size, thread_names_look_at, n);
	if (n->process_count && !n->asked_for_probe) {
		n->probe = thread_probe_open(thread_names_take, n);
		n->asked_for_probe = true;
	}
	thread_names_hear(n);
	for (size_t i = 0; all && i < n->process_count; i++) {
		n->processes[i]->is_due = true;
		n->processes[i]->took_ns = 0;
	}
	read_due(n, monotonic_ns() + time_ns);
}

void thread_names_update(struct thread_names *n, const char *path, uint64_t size, bool all)
{
	thread_names_update_one(n, path, size, all, ROUND_NS);
}

void thread_names_complete(struct thread_names *n, const char *path, uint64_t size)
{
	thread_names_update_one(n, path, size, true, LONG_TIME_NS);
}

/* ---- the section ---- */

static int by_pid_tid(const void *a, const void *b)
{
	const struct thread_name *x = *(const struct thread_name *const *)a, *y = *(const struct thread_name *const *)b;

	return ORDER(x->pid, y->pid) ?: ORDER(x->tid, y->tid);
}

uint64_t thread_names_format(const struct thread_names *n, struct str *out)
{
	const struct thread_name **sorted = xcalloc(n->thread_count + 1, sizeof(struct thread_name *));
	uint64_t unread = 0;
	size_t count = 0;

	for (size_t i = 0; i < n->thread_count; i++) {
		if (n->threads[i].name)
			sorted[count++] = &n->threads[i];
		else
			unread += n->threads[i].unread;
	}
	qsort(sorted, count, sizeof(*sorted), by_pid_tid);
	for (size_t i = 0; i < count; i++)
		str_addf(out, "%d %d %s\n", sorted[i]->pid, sorted[i]->tid, sorted[i]->name);
	free(sorted);
	return unread + thread_probe_lost(n->probe);
}

static void forget_processes(struct thread_names *n, const struct living *living)
{
	size_t kept = 0;

	for (size_t i = 0; i < n->process_count; i++) {
		if (living_has(living, n->processes[i]->pid, 0))
			n->processes[kept++] = n->processes[i];
		else
			process_free(n->processes[i]);
	}
	n->process_count = kept;
}

void thread_names_forget(struct thread_names *n, const struct living *living)
{
	size_t kept = 0;

	forget_processes(n, living);
	map_free(&n->by_tid);
	for (size_t i = 0; i < n->thread_count; i++) {
		const struct thread_name *t = &n->threads[i];

		if (!living_has(living, t->pid, t->tid)) {
			free(t->name);
			continue;
		}
		n->threads[kept++] = *t;
		*map_at(&n->by_tid, (uint64_t)t->pid, (uint32_t)t->tid) = (uint32_t)kept;
	}
	n->thread_count = kept;
}

void thread_names_free(struct thread_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->process_count; i++)
		process_free(n->processes[i]);
	for (size_t i = 0; i < n->thread_count; i++)
		free(n->threads[i].name);
	thread_probe_close(n->probe);
	free(n->processes);
	free(n->threads);
	map_free(&n->by_tid);
	*n = (struct thread_names){ 0 };
}
