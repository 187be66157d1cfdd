#include "collapse/perfdata/runtime_names.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"
#include "core/memory.h"

struct runtime_name {
	uint64_t from_ns; /* earlier, another thread had the number */
	uint32_t name;
};

void runtime_names_set(struct runtime_names *t, struct comms *c, int pid, int tid, const char *name, size_t len)
{
	int key[2] = { pid, tid };
	uint32_t number;

	if (!len)
		return;
	number = intern_add(&t->keys, (const char *)key, sizeof(key));
	t->items = xgrow(t->items, &t->cap, number + 1, sizeof(*t->items));
	t->items[number].from_ns = comms_begin(c, pid, tid);
	t->items[number].name = intern_add(&c->names, name, len);
}

/* "8513 8530 dw-20 - GET /" */
void runtime_names_read(struct runtime_names *t, struct comms *c, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_THREADS);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t pid, tid;

		if (field_number(&text, &len, 10, &pid) && field_number(&text, &len, 10, &tid) && pid <= INT32_MAX &&
		    tid <= INT32_MAX)
			runtime_names_set(t, c, (int)pid, (int)tid, text, len);
	}
}

/* NULL: the runtime's name is not known. */
static const struct runtime_name *runtime_names_find(const struct runtime_names *t, int pid, int tid, uint64_t time_ns)
{
	int key[2] = { pid, tid };
	uint32_t number = t->keys.count ? intern_find(&t->keys, (const char *)key, sizeof(key)) : UINT32_MAX;

	return number == UINT32_MAX || t->items[number].from_ns > time_ns ? NULL : &t->items[number];
}

uint32_t runtime_names_given(const struct runtime_names *t, int pid, int tid)
{
	const struct runtime_name *own = runtime_names_find(t, pid, tid, UINT64_MAX);

	return own ? own->name : UINT32_MAX;
}

uint32_t thread_name_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns)
{
	const struct runtime_name *own = runtime_names_find(t, pid, tid, time_ns);

	return own ? own->name : comms_find(c, tid, time_ns);
}

/* Is comm the name cut to 15 bytes: "dw-20 - GET /ap"?  Since JDK 22 the cut keeps numbers at the end: "dw-20
 * -..v1/abc". */
static bool runtime_names_is_cut(const char *comm, size_t comm_len, const char *name, size_t len)
{
	enum { COMM = 15, HEAD = 7, TAIL = 6 };

	if (comm_len != COMM || len <= COMM)
		return false;
	return !memcmp(comm, name, COMM) || (!memcmp(comm, name, HEAD) && !memcmp(comm + HEAD, "..", 2) &&
					     !memcmp(comm + COMM - TAIL, name + len - TAIL, TAIL));
}

/* Has the thread the name of its process, as it began: a runtime such as CPython does not tell the kernel another one. */
static bool runtime_names_is_inherited(struct comms *c, int pid, int tid, uint32_t comm, uint64_t time_ns)
{
	return tid != pid && comms_find(c, pid, time_ns) == comm;
}

uint32_t thread_comm_at(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns)
{
	const struct runtime_name *own = runtime_names_find(t, pid, tid, time_ns);
	uint32_t comm = comms_find(c, tid, time_ns);

	if (own && (runtime_names_is_cut(intern_text(&c->names, comm), intern_len(&c->names, comm),
					 intern_text(&c->names, own->name), intern_len(&c->names, own->name)) ||
		    runtime_names_is_inherited(c, pid, tid, comm, time_ns)))
		return own->name;
	return comm;
}

uint32_t thread_name_last(const struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns)
{
	const struct runtime_name *own = runtime_names_find(t, pid, tid, time_ns);

	return own ? own->name : comms_last(c, tid, time_ns);
}

bool thread_is_wanted(struct runtime_names *t, struct comms *c, int pid, int tid, uint64_t time_ns)
{
	uint32_t name;

	if (!t->wanted)
		return true;
	name = thread_name_last(t, c, pid, tid, time_ns);
	while (name >= t->match_cap) {
		size_t before = t->match_cap;

		t->matches = xgrow(t->matches, &t->match_cap, name + 1, sizeof(*t->matches));
		memset(t->matches + before, 0, t->match_cap - before);
	}
	if (!t->matches[name])
		t->matches[name] =
			1 + regexp_match(t->wanted, intern_text(&c->names, name), intern_len(&c->names, name));
	return t->matches[name] == 2;
}

/* --- each thread ---------------------------------------------------------------------- */

struct names_walk {
	const struct runtime_names *names;
	comms_sink *sink;
	void *argument;
};

static void runtime_names_pass_on(int pid, int tid, uint64_t from_ns, uint32_t comm, void *argument)
{
	const struct names_walk *w = argument;
	const struct runtime_name *own = runtime_names_find(w->names, pid, tid, from_ns);

	w->sink(pid, tid, from_ns, own ? own->name : comm, w->argument);
}

void runtime_names_each(const struct runtime_names *t, struct comms *c, comms_sink *sink, void *argument)
{
	struct names_walk walk = { t, sink, argument };

	comms_each(c, runtime_names_pass_on, &walk);
	for (uint32_t i = 0; i < t->keys.count; i++) {
		int key[2];

		memcpy(key, intern_text(&t->keys, i), sizeof(key));
		sink(key[0], key[1], t->items[i].from_ns, t->items[i].name, argument);
	}
}

void runtime_names_free(struct runtime_names *t)
{
	if (!t)
		return;
	intern_free(&t->keys);
	free(t->items);
	free(t->matches);
	regexp_free(t->wanted);
	*t = (struct runtime_names){ 0 };
}
