#include "collect/java_stacks.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/java_names.h"
#include "collect/jvm/code_cache.h"
#include "collect/jvm/frames.h"
#include "collect/jvm/jvm.h"
#include "collect/jvm/methods.h"
#include "collect/jvm/scopes.h"
#include "collect/recording.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/symbols/class_name.h"
#include "core/symbols/jit_open.h"

/* A process that is no JVM is looked at again when it has mapped something more, but not in each
 * batch. */
enum { PATIENCE_MAX = 64 };

/* What frames were found to be: stacks have the same ones, over and over. */
enum { SEEN_SLOTS = 4096 };

struct seen {
	uint64_t method, address;
	uint64_t since_ns;    /* it has been that: java_method() */
	uint64_t batch, epoch; /* java_methods_epoch() ... */
	int64_t unloads;      /* ... and java_methods_unloads(), then */
	int bci;
	enum java_tier tier;
};

/* One program that a process runs, or has run. */
struct machine {
	const struct space *space; /* NULL: not known yet */
	struct jvm jvm;
	struct java_methods *methods;
	struct code_cache *code;
	struct scope_reader *scopes;
	struct java_frames *frames;
	struct seen *seen;         /* [SEEN_SLOTS] */
	bool is_open;              /* it is a JVM ... */
	uint64_t lived;            /* ... which did live when this batch began, ... */
	uint64_t ended;            /* ... and had ended when this did: nothing can be read any more; 0: it lives */
	const char *obstacle;      /* why its stacks are not walked */
	bool is_starting;          /* it has mapped HotSpot's library */
	size_t searched;           /* mappings, for that */
	size_t mappings;           /* that there were when it was looked at last ... */
	uint64_t look_again, patience; /* ... and in which batch it may be looked at again */
};

struct process {
	int pid;
	bool is_told;              /* its mapping has been written */
	struct java_names names;   /* of all its programs */
	struct machine machine;    /* the newest */
};

struct java_stacks {
	const struct modules *modules;
	struct process **items;    /* [count], those used last in front */
	size_t count, cap;
	uint64_t batch, unread;
	struct str text;
};

struct java_stacks *java_stacks_new(const struct modules *modules)
{
	struct java_stacks *j = xcalloc(1, sizeof(*j));

	j->modules = modules;
	return j;
}

/* ---- processes ------------------------------------------------------------------------------------- */

static struct process *find_process(const struct java_stacks *j, int pid)
{
	for (size_t i = 0; i < j->count; i++) {
		struct process *p = j->items[i];

		if (p->pid != pid)
			continue;
		if (i) { /* so that it is found sooner the next time */
			j->items[i] = j->items[i - 1];
			j->items[i - 1] = p;
		}
		return p;
	}
	return NULL;
}

static struct process *get_process(struct java_stacks *j, int pid)
{
	struct process *p = find_process(j, pid);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	j->items = xgrow(j->items, &j->cap, j->count + 1, sizeof(*j->items));
	j->items[j->count++] = p;
	return p;
}

static void machine_close(struct machine *m)
{
	java_frames_free(m->frames);
	scope_reader_free(m->scopes);
	code_cache_free(m->code);
	java_methods_free(m->methods);
	jvm_close(&m->jvm);
	free(m->seen);
	*m = (struct machine){0};
}

/* ---- JVMs -------------------------------------------------------------------------------------------- */

static void open_parts(struct machine *m)
{
	m->methods = java_methods_new(&m->jvm, &m->obstacle);
	m->code = m->methods ? code_cache_new(&m->jvm, &m->obstacle) : NULL;
	m->scopes = m->code ? scope_reader_new(&m->jvm, &m->obstacle) : NULL;
	m->frames = m->scopes ? java_frames_new(&m->jvm, m->code, m->scopes, &m->obstacle) : NULL;
	if (m->frames)
		m->obstacle = NULL;
}

/* Programs map libjvm after they have begun, and a JVM that starts has not all that it will have. */
static void look_at(struct java_stacks *j, struct machine *m, int pid)
{
	struct machine before = *m;
	const char *why;

	machine_close(m);
	m->space = before.space;
	m->is_starting = before.is_starting;
	m->searched = before.searched;
	m->mappings = m->space ? m->space->mappings.count : 0;
	m->patience = before.patience + (m->is_starting ? 0 : before.patience) + 1;
	if (m->patience > PATIENCE_MAX)
		m->patience = PATIENCE_MAX;
	m->look_again = j->batch + m->patience;
	if (jvm_open(&m->jvm, pid, &why)) {
		m->obstacle = m->jvm.lib.start && jit_maker_lives(pid) ? why : NULL;
		jvm_close(&m->jvm);
		return;
	}
	m->is_open = true;
	m->lived = j->batch;
	m->seen = xcalloc(SEEN_SLOTS, sizeof(*m->seen));
	open_parts(m);
}

/* Has the space got HotSpot's library, since it was searched last? */
static bool has_libjvm(const struct java_stacks *j, struct machine *m)
{
	const struct mapping_list *list = &m->space->mappings;
	bool found = false;

	for (size_t i = 0; m->searched != list->count && i < list->count && !found; i++) {
		uint32_t module = list->items[i].module;

		found = module < j->modules->count &&
			!strncmp(module_name(&j->modules->items[module]), "libjvm.", strlen("libjvm."));
	}
	m->searched = list->count;
	return found;
}

/* One that starts may end soon: it is not made to wait for what it was before. */
static bool is_worth_a_look(const struct java_stacks *j, struct machine *m)
{
	if (m->frames)
		return false;
	if (!m->is_starting && m->space && has_libjvm(j, m)) {
		m->is_starting = true;
		m->patience = 0;
	}
	if (!m->patience)
		return true;
	return j->batch >= m->look_again &&
	       (m->is_open || m->is_starting || (m->space && m->space->mappings.count != m->mappings));
}

/* The program that the process runs; NULL when it is no JVM, or when space is of one that it ran before:
 * its memory is gone. */
static struct machine *machine_of(struct java_stacks *j, struct process *p, const struct space *space)
{
	struct machine *m = &p->machine;

	if (space && m->space && m->space != space) {
		if (space->from_ns < m->space->from_ns)
			return NULL;
		machine_close(m);
	}
	if (space)
		m->space = space;
	if (is_worth_a_look(j, m))
		look_at(j, m, p->pid);
	return m->is_open ? m : NULL;
}

/* ---- frames -------------------------------------------------------------------------------------------- */

static uint64_t unreadable(struct java_stacks *j, struct process *p)
{
	j->unread++;
	return java_names_address(&p->names, &(struct java_name){ .name = RECORDING_JAVA_PATH, .is_method = true });
}

/* 0: it cannot be read, or was another at that time. */
static uint64_t address_of(struct process *p, const struct java_frame *frame, uint64_t when_ns, uint64_t *since_ns)
{
	struct java_name name = { .name = frame->name, .tier = (char)frame->tier };
	struct java_method method;

	if (frame->method) {
		if (!java_method(p->machine.methods, frame->method, &method) || method.since_ns > when_ns)
			return 0;
		*since_ns = method.since_ns;
		name.name = method.name;
		name.file = method.file;
		name.is_method = true;
		name.line = java_method_line(p->machine.methods, frame->method, frame->bci);
	}
	return name.name ? java_names_address(&p->names, &name) : 0;
}

static struct seen *seen_slot(const struct machine *m, const struct java_frame *frame)
{
	uint64_t hash = hash_mix(frame->method, (uint64_t)(uint32_t)frame->bci << 8 | (uint8_t)frame->tier);

	return &m->seen[hash % SEEN_SLOTS];
}

static bool has_ended(const struct machine *m)
{
	uint32_t magic;

	return m->ended || !remote_u32(&m->jvm.remote, m->jvm.lib.start, &magic);
}

/* Of a JVM that has ended: was no class unloaded since? */
static bool is_as_seen(const struct machine *m, const struct seen *seen)
{
	int64_t unloads = java_methods_unloads(m->methods);

	return unloads < 0 ? seen->batch + 1 >= m->lived : seen->unloads == unloads;
}

static uint64_t entry_of(struct java_stacks *j, struct process *p, const struct java_frame *frame, uint64_t when_ns)
{
	struct machine *m = &p->machine;
	struct seen *seen = seen_slot(m, frame);
	bool is_seen = frame->method && seen->method == frame->method && seen->bci == frame->bci &&
		       seen->tier == frame->tier && seen->since_ns <= when_ns;
	uint64_t address, since_ns = 0;

	if (is_seen && seen->epoch == java_methods_epoch(m->methods))
		return seen->address;
	address = address_of(p, frame, when_ns, &since_ns);
	if (!address && is_seen && is_as_seen(m, seen) && has_ended(m)) /* in the midst of this batch, or before */
		return seen->address;
	if (!address)
		return unreadable(j, p);
	*seen = (struct seen){ .method = frame->method, .bci = frame->bci, .tier = frame->tier, .address = address,
			       .since_ns = since_ns, .batch = j->batch, .epoch = java_methods_epoch(m->methods),
			       .unloads = java_methods_unloads(m->methods) };
	return address;
}

static enum unwind_answer step(void *self, struct unwind_made *f)
{
	struct java_stacks *j = self;
	struct process *p = get_process(j, f->space->pid);
	struct machine *m = machine_of(j, p, f->space);
	struct java_frame frames[JAVA_FRAMES_MAX];
	enum unwind_answer answer;
	size_t count = 0;

	f->count = 0;
	if (!m || !m->frames)
		return UNWIND_NOT_MINE;
	answer = java_frames_step(m->frames, f, frames, &count);
	for (size_t i = 0; answer != UNWIND_NOT_MINE && i < count && f->count < f->room; i++)
		f->entries[f->count++] = entry_of(j, p, &frames[i], f->time_ns);
	if (answer == UNWIND_LOST && !f->count && f->room) /* code that was freed meanwhile */
		f->entries[f->count++] = unreadable(j, p);
	return answer;
}

struct unwind_runtime java_stacks_runtime(struct java_stacks *j)
{
	return (struct unwind_runtime){ step, j };
}

/* ---- time goes on -------------------------------------------------------------------------------------- */

/* Of a JVM that has ended, the last samples come when its memory is gone: what was known of it before is as
 * good as ever. */
static void machine_next_batch(struct machine *m, uint64_t batch)
{
	if (!m->is_open)
		return;
	if (!m->ended && has_ended(m))
		m->ended = batch;
	if (m->ended && batch - m->ended > PATIENCE_MAX)
		machine_close(m);
	if (m->ended || !m->is_open)
		return;
	m->lived = batch;
	if (m->methods)
		java_methods_next_batch(m->methods);
	if (m->code)
		code_cache_next_batch(m->code);
}

void java_stacks_next_batch(struct java_stacks *j)
{
	j->batch++;
	for (size_t i = 0; i < j->count; i++)
		machine_next_batch(&j->items[i]->machine, j->batch);
}

/* ---- classes ------------------------------------------------------------------------------------------- */

uint64_t java_stacks_class(struct java_stacks *j, int pid, uint64_t klass, uint64_t when_ns)
{
	struct process *p = get_process(j, pid);
	struct machine *m = machine_of(j, p, p->machine.space);
	const char *name = m && m->methods ? java_class(m->methods, klass, when_ns) : NULL;

	return name ? java_names_address(&p->names, &(struct java_name){ .name = name }) : 0;
}

uint64_t java_stacks_class_named(struct java_stacks *j, int pid, const char *name, size_t len)
{
	str_clear(&j->text);
	java_class_name(&j->text, name, len);
	return java_names_address(&get_process(j, pid)->names, &(struct java_name){ .name = str_text(&j->text) });
}

const char *java_stacks_name(struct java_stacks *j, int pid, uint64_t address)
{
	const struct process *p = find_process(j, pid);

	str_clear(&j->text);
	if (p)
		java_names_spell(&p->names, address, &j->text);
	return j->text.len ? j->text.buf : NULL;
}

/* ---- the JVM's own frames ------------------------------------------------------------------------------ */

static bool is_own(const struct process *p, uint64_t address)
{
	const struct libjvm *lib = &p->machine.jvm.lib;

	return (address >= lib->start && address < lib->end) || address - RECORDING_JAVA < JAVA_NAMES_BYTES;
}

size_t java_stacks_own(const struct java_stacks *j, int pid, const uint64_t *chain, size_t count)
{
	const struct process *p = find_process(j, pid);
	size_t own = 0, method = 0;

	while (p && method < count && !java_names_is_method(&p->names, chain[method]))
		method++;
	if (!p || method == count)
		return 0;
	while (own < method && is_own(p, chain[own]))
		own++;
	return own;
}

/* ---- the recording ------------------------------------------------------------------------------------- */

/* Of time 0, so that perf takes it when it comes, and not by its time, which would be before that of records
 * that it has dealt with already. */
static void add_mapping(int pid, uint64_t id, struct str *out)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, len, offset;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t protection, flags;
		char path[8];
		struct recording_trailer trailer;
	} record = {
		.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(record) },
		.pid = (uint32_t)pid, .tid = (uint32_t)pid, .start = RECORDING_JAVA, .len = JAVA_NAMES_BYTES,
		.protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .path = RECORDING_JAVA_PATH,
		.trailer = { .pid = (uint32_t)pid, .tid = (uint32_t)pid, .id = id },
	};

	str_add(out, (const char *)&record, sizeof(record));
}

void java_stacks_mappings(struct java_stacks *j, uint64_t id, struct str *out)
{
	for (size_t i = 0; i < j->count; i++) {
		struct process *p = j->items[i];

		if (p->is_told || !p->names.keys.count)
			continue;
		add_mapping(p->pid, id, out);
		p->is_told = true;
	}
}

void java_stacks_give_names(struct java_stacks *j, struct jit_files *files)
{
	for (size_t i = 0; i < j->count; i++) {
		struct jit_code code = {0};

		if (!j->items[i]->is_told)
			continue;
		java_names_give(&j->items[i]->names, &code);
		jit_files_add_code(files, j->items[i]->pid, RECORDING_JAVA_PATH, &code);
	}
}

uint64_t java_stacks_unread(const struct java_stacks *j)
{
	return j->unread;
}

/* One that was starting, and ended soon, is nothing to complain of. */
static bool is_hopeless(const struct machine *m)
{
	enum { TWO_LOOKS = 3 /* patience after so many */ };

	return m->obstacle && (!m->is_open || m->patience > TWO_LOOKS);
}

void java_stacks_complain(const struct java_stacks *j)
{
	for (size_t i = 0; i < j->count; i++) {
		if (is_hopeless(&j->items[i]->machine))
			warn("process %d: stacks of Java are not walked: %s", j->items[i]->pid,
			     j->items[i]->machine.obstacle);
	}
}

void java_stacks_free(struct java_stacks *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++) {
		machine_close(&j->items[i]->machine);
		java_names_free(&j->items[i]->names);
		free(j->items[i]);
	}
	free(j->items);
	str_free(&j->text);
	free(j);
}
