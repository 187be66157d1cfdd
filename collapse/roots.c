#include "collapse/roots.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/folded.h"
#include "collapse/frame.h"
#include "collapse/states.h"
#include "collect/recording.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"

struct root {
	const char *name;
	size_t words; /* that its key takes */
	void (*key)(struct roots *r, const struct sample *s, uint32_t *words);
	void (*write)(const struct roots *r, const uint32_t *words, struct str *out);
};

static void add_comm(const struct roots *r, uint32_t comm, struct str *out)
{
	const struct intern *names = &r->sideband->comms.names;

	frame_add(out, intern_text(names, comm), intern_len(names, comm));
}

static uint32_t comm_of(struct roots *r, int tid, const struct sample *s)
{
	return comms_find(&r->sideband->comms, tid, s->time_ns);
}

/* Where a process is one thing, also when it was renamed. */
static uint32_t last_comm_of(struct roots *r, int pid, const struct sample *s)
{
	return comms_last(&r->sideband->comms, pid, s->time_ns);
}

/* The same of a thread, which may have a name that the kernel does not know. */
static uint32_t thread_name_of(struct roots *r, int pid, int tid, const struct sample *s)
{
	return thread_name_last(&r->sideband->thread_names, &r->sideband->comms, pid, tid, s->time_ns);
}

/* "dw-20" -> "dw-*" */
static uint32_t pool_of(struct roots *r, uint32_t name)
{
	struct intern *names = &r->sideband->comms.names;
	size_t len = pool_len(intern_text(names, name), intern_len(names, name));
	struct str text = {0};

	if (!len)
		return name;
	str_add(&text, intern_text(names, name), len);
	str_addc(&text, '*');
	name = intern_add(names, text.buf, text.len);
	str_free(&text);
	return name;
}

/* A thread as "java-8513/dw-20"; with "-TID" behind it when the process has several
 * threads of that name; those of a pool, when there are several, as "java-8513/dw-*". */
enum { THREAD_WORDS = 3 };

static uint32_t pair_number(struct roots *r, int pid, int tid, uint32_t comm)
{
	uint32_t pair[2] = { (uint32_t)pid, comm }, number;
	size_t before = r->names.count;

	number = intern_add(&r->names, (const char *)pair, sizeof(pair));
	r->tids = xgrow(r->tids, &r->tid_cap, number + 1, sizeof(*r->tids));
	if (r->names.count > before)
		r->tids[number] = tid;
	else if (r->tids[number] != tid)
		r->tids[number] = -1;
	return number;
}

static void learn_thread(int pid, int tid, uint64_t from_ns, uint32_t name, void *roots)
{
	struct roots *r = roots;

	(void)from_ns;
	pair_number(r, pid, tid, r->pool ? pool_of(r, name) : name);
}

static void add_thread_key(struct roots *r, int pid, int tid, const struct sample *s, uint32_t *words)
{
	uint32_t name = thread_name_of(r, pid, tid, s);

	if (!r->knows_threads)
		thread_names_each(&r->sideband->thread_names, &r->sideband->comms, learn_thread, r);
	r->knows_threads = true;
	words[0] = last_comm_of(r, pid, s);
	words[1] = pair_number(r, pid, tid, r->pool ? pool_of(r, name) : name);
	words[2] = r->pool ? name : (uint32_t)tid;
}

static void add_thread(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint32_t pair[2];

	memcpy(pair, intern_text(&r->names, words[1]), sizeof(pair));
	add_comm(r, words[0], out);
	str_addf(out, "-%d/", (int)pair[0]);
	add_comm(r, r->pool && r->tids[words[1]] >= 0 ? words[2] : pair[1], out);
	if (!r->pool && r->tids[words[1]] < 0)
		str_addf(out, "-%d", (int)words[2]);
}

/* host: where the recording was made */
static void host_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	(void)r, (void)s, (void)words;
}

static void host_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *host = r->data->hostname ? r->data->hostname : "[unknown host]";

	(void)words;
	frame_add(out, host, strlen(host));
}

/* event: "cpu-clock" */
static void event_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->event - r->data->events);
}

static void event_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *name = r->data->events[words[0]].name;

	frame_add(out, name, strlen(name));
}

/* comm: "java", as the kernel knows the thread; of a pool, when there are several: "dw-*" */
enum { NO_PROCESS = -1 };

static void comm_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	words[0] = comm_of(r, s->tid, s);
	words[1] = r->pool ? pair_number(r, NO_PROCESS, (int)words[0], pool_of(r, words[0])) : 0;
}

static void comm_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint32_t pair[2] = { 0, words[0] };

	if (r->pool && r->tids[words[1]] < 0)
		memcpy(pair, intern_text(&r->names, words[1]), sizeof(pair));
	add_comm(r, pair[1], out);
}

/* pid: "java-8513", the name of the process */
static void pid_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	words[0] = last_comm_of(r, s->pid, s);
	words[1] = (uint32_t)s->pid;
}

static void pid_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	add_comm(r, words[0], out);
	str_addf(out, "-%d", (int)words[1]);
}

/* tid: "java-8513/8530", the name of the thread, as stackcollapse-perf.pl --tid */
static void tid_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	words[0] = thread_name_of(r, s->pid, s->tid, s);
	words[1] = (uint32_t)s->pid;
	words[2] = (uint32_t)s->tid;
}

static void tid_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	pid_write(r, words, out);
	str_addf(out, "/%d", (int)words[2]);
}

/* thread: "java-8513/dw-20" */
static void thread_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	add_thread_key(r, s->pid, s->tid, s, words);
}

static void thread_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	add_thread(r, words, out);
}

/* cpu: "cpu3" */
static void cpu_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->cpu;
}

static void cpu_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0] == UINT32_MAX)
		str_puts(out, "[unknown cpu]");
	else
		str_addf(out, "cpu%u", words[0]);
}

/* state: "sleeping" */
static void state_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->state + 1);
}

static void state_frame_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_addf(out, "[%s]", state_name((int)words[0] - 1));
}

static void state_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_puts(out, state_name((int)words[0] - 1));
}

/* by: "ls-4711/ls", the thread that had the CPU; waker: the one that woke this one.
 * The first word says what follows. */
enum other { OTHER_NONE, OTHER_IDLE, OTHER_INTERRUPT, OTHER_SEVERAL, OTHER_THREAD };

static void by_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = s->by < 0 ? OTHER_NONE : !s->by ? OTHER_IDLE :
		   s->by == RECORDING_BY_OTHERS ? OTHER_SEVERAL : OTHER_THREAD;
	if (words[0] == OTHER_THREAD)
		add_thread_key(r, comms_pid(&r->sideband->comms, s->by, s->time_ns), s->by, s,
			       words + 1);
}

static void waker_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = !s->has_wakers ? OTHER_NONE : !s->waker_tid ? OTHER_INTERRUPT : OTHER_THREAD;
	if (words[0] == OTHER_THREAD)
		add_thread_key(r, s->waker_pid, s->waker_tid, s, words + 1);
}

static void other_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	switch ((enum other)words[0]) {
	case OTHER_NONE:
		break;
	case OTHER_IDLE:
		str_puts(out, FOLDED_BY_IDLE);
		break;
	case OTHER_INTERRUPT:
		str_puts(out, FOLDED_WAKER_INTERRUPT);
		break;
	case OTHER_SEVERAL:
		str_puts(out, FOLDED_BY_OTHERS);
		break;
	case OTHER_THREAD:
		add_thread(r, words + 1, out);
		break;
	}
}

static const struct root roots[] = {
	{ "host", 0, host_key, host_write },	   { "event", 1, event_key, event_write },
	{ "comm", 2, comm_key, comm_write },	   { "pid", 2, pid_key, pid_write },
	{ "tid", 3, tid_key, tid_write },	   { "thread", THREAD_WORDS, thread_key, thread_write },
	{ "cpu", 1, cpu_key, cpu_write },	   { "state", 1, state_key, state_write },
	{ "by", 1 + THREAD_WORDS, by_key, other_write },
	{ "waker", 1 + THREAD_WORDS, waker_key, other_write },
	{0}
};

static const struct root state_frame = { "[state]", 1, state_key, state_frame_write };

static const struct root *find(const char *name, size_t len)
{
	for (const struct root *root = roots; root->name; root++) {
		if (strlen(root->name) == len && !memcmp(root->name, name, len))
			return root;
	}
	return NULL;
}

void roots_list(struct str *out)
{
	for (const struct root *root = roots; root->name; root++)
		str_addf(out, "%s%s", root == roots ? "" : " ", root->name);
}

/* The root that a list begins with; NULL for "none". */
static const struct root *parse_one(const char *list, size_t len)
{
	const struct root *root = find(list, len);
	struct str known = {0};

	if (!root && !(len == 4 && !memcmp(list, "none", 4))) {
		roots_list(&known);
		die_usage("--root: '%.*s' is none of: %s none", (int)len, list, known.buf);
	}
	return root;
}

static bool is_chosen(const struct roots *r, const struct root *root)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->chosen[i] == root)
			return true;
	}
	return false;
}

void roots_parse(struct roots *r, const char *list)
{
	r->count = 0;
	while (*list) {
		size_t len = strcspn(list, ",");
		const struct root *root = parse_one(list, len);

		if (r->count == ROOTS_MAX)
			die_usage("--root: more than %d", ROOTS_MAX);
		if (root)
			r->chosen[r->count++] = root;
		list += len + (list[len] == ',');
	}
}

void roots_append(struct roots *r, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		const struct root *root = parse_one(list, len);

		if (root && !is_chosen(r, root)) {
			if (r->count == ROOTS_MAX)
				die_usage("--root: more than %d", ROOTS_MAX);
			r->chosen[r->count++] = root;
		}
		list += len + (list[len] == ',');
	}
}

void roots_names(const struct roots *r, struct str *out)
{
	for (size_t i = 0; i < r->count; i++)
		str_addf(out, "%s%s", i ? "," : "", r->chosen[i]->name);
	if (!r->count)
		str_puts(out, "none");
}

bool roots_has(const struct roots *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++) {
		if (!strcmp(r->chosen[i]->name, name))
			return true;
	}
	return false;
}

size_t roots_key(struct roots *r, const struct sample *s, uint32_t *words)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		r->chosen[i]->key(r, s, words + n);
		n += r->chosen[i]->words;
	}
	if (r->state_frame) {
		state_frame.key(r, s, words + n);
		n += state_frame.words;
	}
	return n;
}

static void write_one(const struct roots *r, const struct root *root, const uint32_t *words, struct str *out)
{
	size_t before = out->len;

	root->write(r, words, out);
	if (out->len > before)
		str_addc(out, ';');
}

void roots_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	for (size_t i = 0; i < r->count; i++) {
		write_one(r, r->chosen[i], words, out);
		words += r->chosen[i]->words;
	}
	if (r->state_frame)
		write_one(r, &state_frame, words, out);
}

void roots_free(struct roots *r)
{
	if (!r)
		return;
	intern_free(&r->names);
	free(r->tids);
	*r = (struct roots){0};
}
