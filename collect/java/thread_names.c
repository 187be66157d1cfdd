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

struct named_process {
	int pid;
	bool is_open;
	bool is_due; /* something has changed: read it */
	int openings;
	unsigned reads;
	uint64_t read_ns, took_ns;
	const struct thread_reader *reader;
	void *runtime;
	struct aliases aliases;
};

/* ---- JVMs ---- */

struct named_jvm {
	struct jvm jvm;
	struct java_threads *threads;
};

static bool named_jvm_is_named(const char *name, size_t len)
{
	return len == strlen("libjvm.so") && !memcmp(name, "libjvm.so", len);
}

static void named_jvm_close(void *runtime)
{
	struct named_jvm *j = runtime;

	java_threads_free(j->threads);
	jvm_close(&j->jvm);
	free(j);
}

static void *named_jvm_open(int pid)
{
	struct named_jvm *j = xcalloc(1, sizeof(*j));
	const char *why;

	if (jvm_open(&j->jvm, pid, &why)) {
		free(j);
		return NULL;
	}
	j->threads = java_threads_new(&j->jvm, &why);
	if (j->threads)
		return j;
	named_jvm_close(j);
	return NULL;
}

static int named_jvm_read(void *runtime, const struct runtime_thread **list, size_t *unread)
{
	return java_threads_read(((struct named_jvm *)runtime)->threads, list, unread);
}

static const char *named_jvm_probed(const void *runtime)
{
	return ((const struct named_jvm *)runtime)->jvm.lib.path;
}

static const struct thread_reader named_jvm_reader = {
	.is_named = named_jvm_is_named,
	.open = named_jvm_open,
	.read = named_jvm_read,
	.probed = named_jvm_probed,
	.close = named_jvm_close,
};

/* ---- threads ---- */

static struct named_process *thread_names_process_of(const struct thread_names *n, int pid)
{
	for (size_t i = 0; i < n->process_count; i++) {
		if (n->processes[i]->pid == pid)
			return n->processes[i];
	}
	return NULL;
}

unsigned thread_names_reads(const struct thread_names *n, int pid)
{
	const struct named_process *p = thread_names_process_of(n, pid);

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

static void thread_names_take_back(struct thread_name *t)
{
	free(t->name);
	t->name = NULL;
	t->is_decided = false;
}

/* ---- one runtime ---- */

static void close_runtime(struct named_process *p)
{
	if (p->is_open)
		p->reader->close(p->runtime);
	p->is_open = false;
}

static void process_free(struct named_process *p)
{
	close_runtime(p);
	aliases_free(&p->aliases);
	free(p);
}

static void open_runtime(struct thread_names *n, struct named_process *p)
{
	if (p->openings++ >= OPENINGS)
		return;
	p->runtime = p->reader->open(p->pid);
	p->is_open = p->runtime;
	if (!p->is_open)
		return;
	aliases_init(&p->aliases, p->pid);
	if (n->probe && p->reader->probed)
		thread_probe_attach(n->probe, p->reader->probed(p->runtime));
}

/* Is the kernel's name a truncation of the runtime's? */
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

/* Does the kernel have no name but that of the program? */
static bool is_named_as_process(int pid, int tid)
{
	struct str comm = { 0 }, program = { 0 };
	bool is;

	is = read_comm(pid, tid, &comm) && read_comm(pid, pid, &program) &&
	     !strcmp(str_text(&comm), str_text(&program));
	str_free(&comm);
	str_free(&program);
	return is;
}

static bool thread_names_is_thread_of(const struct thread_names *n, int pid, int tid)
{
	char path[64];

	if (map_get(&n->by_tid, (uint64_t)pid, (uint32_t)tid))
		return true;
	snprintf(path, sizeof(path), "/proc/%d/task/%d", pid, tid);
	return !access(path, F_OK);
}

static void thread_names_note(struct thread_names *n, struct named_process *p, const struct runtime_thread *thread,
			      bool *fresh)
{
	int tid = aliases_find(&p->aliases, thread->tid, fresh);
	struct thread_name *t;

	if (tid <= 0 || !thread_names_is_thread_of(n, p->pid, tid))
		return;
	t = thread_names_find(n, p->pid, tid);
	if (thread->is_default && !comm_agrees(p->pid, tid, thread->name) && !is_named_as_process(p->pid, tid))
		thread_names_take_back(t);
	else if (thread->name && (thread->is_sure || comm_agrees(p->pid, tid, thread->name)))
		thread_names_give_name(t, thread->name, strlen(thread->name));
	else if (thread->is_sure || !thread->name)
		t->unread = true;
}

/* Add the threads that existed before the first reading, so that we know whether the runtime has names for them. */
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
static void read_runtime(struct thread_names *n, struct named_process *p, uint64_t until_ns)
{
	const struct runtime_thread *list;
	uint64_t start_ns = monotonic_ns(), waited_ns = 0;
	bool fresh = false, patient = !p->reads || until_ns >= LONG_TIME_NS;
	size_t unread = 0;
	int count;

	if (!p->is_open)
		open_runtime(n, p);
	if (!p->is_open) {
		p->read_ns = start_ns;
		p->took_ns = NS_PER_SEC / REST;
		return;
	}
	if (monotonic_ns() >= until_ns) /* opening it has used up the time: read its threads next time */
		return;
	if (!p->reads)
		thread_names_add_threads(n, p->pid);
	until_ns = earlier(until_ns, start_ns + PATIENCE_NS);
	count = p->reader->read(p->runtime, &list, &unread);
	while (unread && patient && monotonic_ns() < until_ns) {
		usleep(PAUSE_US);
		waited_ns += PAUSE_US * 1000;
		count = p->reader->read(p->runtime, &list, &unread);
	}
	if (count < 0)
		close_runtime(p);
	for (int i = 0; i < count; i++)
		thread_names_note(n, p, &list[i], &fresh);
	p->reads++;
	p->is_due = unread;
	p->read_ns = monotonic_ns();
	p->took_ns = p->read_ns - start_ns - waited_ns;
}

/* ---- what records say ---- */

static void thread_names_add_process(struct thread_names *n, int pid, const struct thread_reader *reader)
{
	struct named_process *p = thread_names_process_of(n, pid);

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->pid = pid;
		n->processes =
			xgrow(n->processes, &n->process_cap, n->process_count + 1, sizeof(struct named_process *));
		n->processes[n->process_count++] = p;
	}
	if (p->is_open && p->reader != reader && reader->probed) /* a JVM in a program of another language */
		close_runtime(p);
	if (!p->is_open) {
		p->reader = reader;
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
	struct named_process *p;

	memcpy(fields, record + sizeof(*header), sizeof(fields));
	p = thread_names_process_of(n, (int)(is_fork ? fields[1] : fields[0]));
	if (p && is_fork && fields[0] != fields[1] && !p->reader->probed) /* it maps what its parent does */
		thread_names_add_process(n, (int)fields[0], p->reader);
	p = thread_names_process_of(n, (int)fields[0]);
	if (!p)
		return;
	if (!is_fork && header->misc & PERF_RECORD_MISC_COMM_EXEC)
		close_runtime(p);
	p->is_due = true;
	thread_names_find(n, p->pid, (int)fields[is_fork ? 2 : 1]);
}

static void thread_names_look_at_file(struct thread_names *n, const struct mmap_record *m)
{
	static const char deleted[] = " (deleted)";
	const size_t deleted_len = sizeof(deleted) - 1;
	const char *slash = memrchr(m->path, '/', m->path_len), *name = slash ? slash + 1 : m->path;
	size_t len = m->path_len - (size_t)(name - m->path);

	if (len > deleted_len && !memcmp(name + len - deleted_len, deleted, deleted_len))
		len -= deleted_len;
	if (slash && !n->off && named_jvm_is_named(name, len))
		thread_names_add_process(n, m->pid, &named_jvm_reader);
	for (size_t i = 0; slash && n->readers && n->readers[i]; i++) {
		if (n->readers[i]->is_named(name, len))
			thread_names_add_process(n, m->pid, n->readers[i]);
	}
}

static void thread_names_look_at(void *argument, const uint8_t *record, uint32_t type)
{
	struct thread_names *n = argument;
	struct perf_event_header header;
	struct mmap_record m;

	memcpy(&header, record, sizeof(header));
	if ((type == PERF_RECORD_FORK || type == PERF_RECORD_COMM) && header.size >= 8 + 3 * sizeof(uint32_t))
		thread_names_note_thread(n, record, &header);
	if ((type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2) && mmap_record_read(record, true, &m) && !m.kernel)
		thread_names_look_at_file(n, &m);
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

/* Read the runtimes that are due, in turn. */
static void read_due(struct thread_names *n, uint64_t until_ns)
{
	for (size_t i = 0; i < n->process_count; i++) {
		struct named_process *p = n->processes[n->next % n->process_count];
		uint64_t now = monotonic_ns();

		if (now >= until_ns)
			break;
		n->next++;
		if (p->is_due && now - p->read_ns >= REST * p->took_ns)
			read_runtime(n, p, until_ns);
	}
}

static bool thread_names_want_probe(const struct thread_names *n)
{
	for (size_t i = 0; i < n->process_count; i++) {
		if (n->processes[i]->reader->probed)
			return true;
	}
	return false;
}

static void thread_names_update_one(struct thread_names *n, const char *path, uint64_t size, bool all, uint64_t time_ns)
{
	if (n->off && !n->readers)
		return;
	new_records_read(&n->records, path, size, thread_names_look_at, n);
	if (thread_names_want_probe(n) && !n->asked_for_probe) {
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
