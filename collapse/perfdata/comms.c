#include "collapse/perfdata/comms.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

struct naming {
	uint64_t from_ns;
	uint32_t name;
	uint32_t life; /* how many threads had the number before */
	int pid;
	int parent; /* tid of the thread that started it; 0: not known */
	bool born;  /* a new thread that reuses the number begins here */
};

struct comm_thread {
	struct naming *names; /* in the order of time */
	size_t count, cap;
	int tid;
};

static struct comm_thread *comms_find_thread(const struct comms *c, int tid)
{
	uint32_t number = map_get(&c->by_tid, (uint32_t)tid, 0);

	return number ? &c->threads[number - 1] : NULL;
}

static struct comm_thread *comms_thread_of(struct comms *c, int tid)
{
	uint32_t *number = map_at(&c->by_tid, (uint32_t)tid, 0);

	if (!*number) {
		c->threads = xgrow(c->threads, &c->cap, c->count + 1, sizeof(*c->threads));
		c->threads[c->count++] = (struct comm_thread){ .tid = tid };
		*number = (uint32_t)c->count;
	}
	return &c->threads[*number - 1];
}

/* A thread that starts while the recording begins may be described twice: at time 0, as an existing
 * one, and by the kernel's record of its start. */
static bool is_known_already(const struct comm_thread *t, int pid)
{
	return t->count && !t->names[t->count - 1].from_ns && t->names[t->count - 1].pid == pid;
}

static void comms_add(struct comms *c, int pid, int tid, uint64_t time_ns, uint32_t name, bool born)
{
	struct comm_thread *t = comms_thread_of(c, tid);

	born &= !is_known_already(t, pid);
	if (!born && t->count && t->names[t->count - 1].name == name && t->names[t->count - 1].pid == pid)
		return;
	t->names = xgrow(t->names, &t->cap, t->count + 1, sizeof(*t->names));
	t->names[t->count] = (struct naming){ .from_ns = time_ns, .name = name, .pid = pid, .born = born };
	t->names[t->count].life = t->count ? t->names[t->count - 1].life + born : 0;
	t->count++;
}

void comms_set(struct comms *c, int pid, int tid, uint64_t time_ns, const char *name, size_t len)
{
	comms_add(c, pid, tid, time_ns, intern_add(&c->names, name, len), false);
}

void comms_fork(struct comms *c, int pid, int tid, int parent_tid, uint64_t time_ns)
{
	struct comm_thread *t;

	if (tid == parent_tid)
		return;
	comms_add(c, pid, tid, time_ns, comms_find(c, parent_tid, time_ns), true);
	t = comms_thread_of(c, tid);
	t->names[t->count - 1].parent = parent_tid;
}

int comms_parent(const struct comms *c, int pid)
{
	const struct comm_thread *t = comms_find_thread(c, pid);
	uint32_t life = t && t->count ? t->names[t->count - 1].life : 0;

	for (size_t i = t ? t->count : 0; i && t->names[i - 1].life == life; i--) {
		if (t->names[i - 1].parent)
			return t->names[i - 1].parent;
	}
	return 0;
}

static const struct naming *find_naming(const struct comms *c, int tid, uint64_t time_ns)
{
	const struct comm_thread *t = comms_find_thread(c, tid);
	size_t after;

	if (!t)
		return NULL;
	after = FIRST_NOT(i, t->count, t->names[i].from_ns <= time_ns);
	return &t->names[after ? after - 1 : 0];
}

int comms_pid(const struct comms *c, int tid, uint64_t time_ns)
{
	const struct naming *naming = find_naming(c, tid, time_ns);

	return naming ? naming->pid : tid;
}

/* The idle task has no record of its own. */
static uint32_t name_unknown(struct comms *c, int tid)
{
	char text[16];

	snprintf(text, sizeof(text), tid ? ":%d" : "swapper", tid);
	return intern_add(&c->names, text, strlen(text));
}

uint32_t comms_find(struct comms *c, int tid, uint64_t time_ns)
{
	const struct naming *naming = find_naming(c, tid, time_ns);

	return naming ? naming->name : name_unknown(c, tid);
}

static const struct naming *last_of_life(const struct comm_thread *t, const struct naming *naming)
{
	return &t->names[FIRST_NOT(i, t->count, t->names[i].life <= naming->life) - 1];
}

uint32_t comms_last(struct comms *c, int tid, uint64_t time_ns)
{
	const struct naming *naming = find_naming(c, tid, time_ns);

	return naming ? last_of_life(comms_find_thread(c, tid), naming)->name : name_unknown(c, tid);
}

void comms_each(const struct comms *c, comms_sink *sink, void *argument)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct comm_thread *t = &c->threads[i];

		for (size_t n = 0; n < t->count; n++) {
			uint64_t from_ns = t->names[n].from_ns;

			n = (size_t)(last_of_life(t, &t->names[n]) - t->names);
			sink(t->names[n].pid, t->tid, from_ns, t->names[n].name, argument);
		}
	}
}

uint64_t comms_begin(const struct comms *c, int pid, int tid)
{
	const struct comm_thread *t = comms_find_thread(c, tid);
	size_t i = t ? t->count : 0;

	while (i && t->names[i - 1].pid != pid)
		i--;
	if (!i)
		return 0;
	i = FIRST_NOT(k, i, t->names[k].life < t->names[i - 1].life);
	return t->names[i].born ? t->names[i].from_ns : 0;
}

bool comms_changed(const struct comms *c, int tid)
{
	const struct comm_thread *t = comms_find_thread(c, tid);

	return t && t->count > 1;
}

bool comms_known(const struct comms *c, int tid)
{
	return !tid || comms_find_thread(c, tid);
}

void comms_free(struct comms *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		free(c->threads[i].names);
	free(c->threads);
	map_free(&c->by_tid);
	intern_free(&c->names);
	*c = (struct comms){ 0 };
}
