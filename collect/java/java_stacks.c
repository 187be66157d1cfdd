#include "collect/java/java_stacks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/frames.h"
#include "collect/jvm/jvm.h"
#include "collect/jvm/methods.h"
#include "collect/runtime/frame_names.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/symbols/jit/jit_open.h"
#include "core/symbols/names/class_name.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

/* ---- the JVM that a process runs, if any ---- */

/* Opened when the JVM has come up, tracked until it has ended. */

/* Cache of decoded frames, since stacks repeat the same frames. */
enum { JAVA_SEEN_SLOTS = 4096 };

struct java_seen {
	uint64_t method, address;
	uint64_t since_ns;     /* the names are valid since: java_method() */
	uint64_t batch, epoch; /* java_methods_epoch() ... */
	int64_t unloads;       /* ... and java_methods_unloads(), at that time */
	int bci;
	enum java_tier tier;
};

/* A program that a process runs or has run.  {0}: nothing is known about the program. */
struct java_machine {
	const struct space *space; /* NULL: unknown yet */
	struct jvm jvm;
	struct java_methods *methods;
	struct code_cache *code;
	struct scope_reader *scopes;
	struct java_frames *frames;
	struct java_seen *seen;        /* [JAVA_SEEN_SLOTS], the caller's */
	bool only_certain;             /* not cleared: see java_stacks_new() */
	bool is_open;                  /* the program is a JVM */
	uint64_t lived;                /* the last batch at whose begin the JVM was alive */
	uint64_t ended;                /* the batch during which the process ended; 0: it is alive */
	const char *obstacle;          /* why its stacks are not walked ... */
	int untried;                   /* its version, if no test was run with it; else 0 */
	bool is_half_mapped;           /* ... perhaps because the process was about to map HotSpot's library, or to
				        * end */
	bool is_starting;              /* the process has mapped HotSpot's library */
	size_t searched;               /* number of mappings searched for HotSpot's library */
	size_t mappings;               /* number of mappings at the last look */
	uint64_t look_again, patience; /* the batch in which to look again, and how long to wait after that */
};

/* A process that is not a JVM is examined again when it has mapped more, but not in each batch. */
enum { PATIENCE_MAX = 64 };

static void java_machine_close(struct java_machine *m)
{
	java_frames_free(m->frames);
	scope_reader_free(m->scopes);
	code_cache_free(m->code);
	java_methods_free(m->methods);
	jvm_close(&m->jvm);
	free(m->seen);
	*m = (struct java_machine){ .only_certain = m->only_certain };
}

static void open_parts(struct java_machine *m)
{
	m->obstacle = "it is the Zero VM, whose interpreter is native code: that is shown, not Java methods";
	if (jvm_is_zero(&m->jvm)) {
		m->patience = PATIENCE_MAX; /* the reason will not change */
		return;
	}
	m->methods = java_methods_new(&m->jvm, &m->obstacle);
	m->code = m->methods ? code_cache_new(&m->jvm, &m->obstacle) : NULL;
	m->scopes = m->code ? scope_reader_new(&m->jvm, m->only_certain, &m->obstacle) : NULL;
	m->frames = m->scopes ? java_frames_new(&m->jvm, m->code, m->scopes, &m->obstacle) : NULL;
	if (m->frames)
		m->obstacle = NULL;
}

/* Examine a process.  Programs map libjvm after their start, and a JVM that is starting is incomplete. */
static void java_machine_look_at(struct java_machine *m, int pid, uint64_t batch)
{
	struct java_machine before = *m;
	const char *why;

	java_machine_close(m);
	m->space = before.space;
	m->is_starting = before.is_starting;
	m->searched = before.searched;
	m->mappings = m->space ? m->space->mappings.count : 0;
	m->patience = before.patience + (m->is_starting ? 0 : before.patience) + 1;
	if (m->patience > PATIENCE_MAX)
		m->patience = PATIENCE_MAX;
	m->look_again = batch + m->patience;
	if (jvm_open(&m->jvm, pid, &why)) {
		m->obstacle = m->jvm.lib.start && jit_maker_lives(pid) ? why : NULL;
		m->is_half_mapped = !m->jvm.has_lib;
		jvm_close(&m->jvm);
		return;
	}
	m->is_open = true;
	m->untried = jvm_is_untried(&m->jvm) ? jvm_version(&m->jvm) : 0;
	m->lived = batch;
	m->seen = xcalloc(JAVA_SEEN_SLOTS, sizeof(*m->seen));
	open_parts(m);
}

/* Does the space map HotSpot's library? */
static bool java_machine_is_in(const struct space *space, const struct modules *modules)
{
	const struct mapping_list *list = &space->mappings;

	for (size_t i = 0; i < list->count; i++) {
		uint32_t module = list->items[i].module;

		if (module < modules->count &&
		    !strncmp(module_name(&modules->items[module]), "libjvm.", strlen("libjvm.")))
			return true;
	}
	return false;
}

/* Has the space mapped HotSpot's library since the last search? */
static bool has_libjvm(struct java_machine *m, const struct modules *modules)
{
	bool found = m->searched != m->space->mappings.count && java_machine_is_in(m->space, modules);

	m->searched = m->space->mappings.count;
	return found;
}

/* Is it time to examine the process?  A starting JVM may end soon, so it must not wait because of its previous
 * program. */
static bool is_worth_a_look(struct java_machine *m, const struct modules *modules, uint64_t batch)
{
	if (m->frames)
		return false;
	if (!m->is_starting && m->space && has_libjvm(m, modules)) {
		m->is_starting = true;
		m->patience = 0;
	}
	if (!m->patience)
		return true;
	return batch >= m->look_again &&
	       (m->is_open || m->is_starting || (m->space && m->space->mappings.count != m->mappings));
}

/* Does the process run a JVM in this batch?  If the process has executed another program, the old JVM is closed and the
 * new one examined.
 * space: NULL for the newest program; false for an earlier program, whose memory is gone.  The arguments that the JVM
 * is opened with must outlive m. */
static bool java_machine_look(struct java_machine *m, const struct modules *modules, int pid, const struct space *space,
			      uint64_t batch)
{
	if (space && m->space && m->space != space) {
		if (space->from_ns < m->space->from_ns)
			return false;
		java_machine_close(m);
	}
	if (space)
		m->space = space;
	if (is_worth_a_look(m, modules, batch))
		java_machine_look_at(m, pid, batch);
	return m->is_open;
}

/* The program is the same, but its mappings are in this space from now on. */
static void java_machine_move(struct java_machine *m, const struct space *space)
{
	m->space = space;
	m->searched = m->mappings = 0;
}

/* Has the JVM ended? */
static bool java_machine_has_ended(const struct java_machine *m)
{
	return m->ended || jvm_has_ended(&m->jvm);
}

/* Begin a new batch: time has passed. */
/* The last samples of a JVM that has ended arrive when its memory is gone, but what was read before is still valid. */
static void java_machine_next_batch(struct java_machine *m, uint64_t batch)
{
	if (!m->is_open)
		return;
	if (!m->ended && java_machine_has_ended(m))
		m->ended = batch;
	if (m->ended && batch - m->ended > PATIENCE_MAX)
		java_machine_close(m);
	if (m->ended || !m->is_open)
		return;
	m->lived = batch;
	if (m->methods)
		java_methods_next_batch(m->methods);
	if (m->code)
		code_cache_next_batch(m->code);
}

/* Is m->obstacle worth reporting?  Not for a JVM that was starting and soon ended. */
static bool java_machine_is_hopeless(const struct java_machine *m)
{
	enum { TWO_LOOKS = 3 /* patience begins after this many looks */ };

	return m->obstacle && ((!m->is_open && !m->is_half_mapped) || m->patience > TWO_LOOKS);
}

/* ---- stacks ---- */

/* The name of a method whose name is no longer known.  ("[java]" would be the launcher without symbols.) */
#define JAVA_GONE "[java-gone]"

static const struct frame_names_place java_place = { RECORDING_JAVA, RECORDING_JAVA_PATH };

struct process {
	int pid;
	struct frame_names names;    /* names of all its programs */
	struct java_machine machine; /* the newest program */
};

struct java_stacks {
	const struct modules *modules;
	bool only_certain;
	struct process **items; /* [count], most recently used first */
	size_t count, cap;
	uint64_t batch, unread;
	struct str text;
};

struct java_stacks *java_stacks_new(const struct modules *modules, bool only_certain)
{
	struct java_stacks *j = xcalloc(1, sizeof(*j));

	j->modules = modules;
	j->only_certain = only_certain;
	return j;
}

/* ---- processes ------------------------------------------------------------------------------------- */

static struct process *java_stacks_find_process(const struct java_stacks *j, int pid)
{
	for (size_t i = 0; i < j->count; i++) {
		struct process *p = j->items[i];

		if (p->pid != pid)
			continue;
		if (i) { /* move it to the front, to find it sooner next time */
			j->items[i] = j->items[i - 1];
			j->items[i - 1] = p;
		}
		return p;
	}
	return NULL;
}

static struct process *get_process(struct java_stacks *j, int pid)
{
	struct process *p = java_stacks_find_process(j, pid);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	p->names.place = &java_place;
	p->machine.only_certain = j->only_certain;
	j->items = xgrow(j->items, &j->cap, j->count + 1, sizeof(*j->items));
	j->items[j->count++] = p;
	return p;
}

/* ---- frames -------------------------------------------------------------------------------------------- */

static struct java_machine *java_stacks_machine_of(struct java_stacks *j, struct process *p, const struct space *space)
{
	return java_machine_look(&p->machine, j->modules, p->pid, space, j->batch) ? &p->machine : NULL;
}

void java_stacks_open(struct java_stacks *j, const struct spaces *spaces)
{
	enum { OPENED_MAX = 16 }; /* opening a JVM takes some milliseconds, in which nothing is recorded */

	for (size_t i = 0, opened = 0; i < spaces->all_count && opened < OPENED_MAX; i++) {
		const struct space *space = spaces->all[i];

		if (java_machine_is_in(space, j->modules))
			opened += java_stacks_machine_of(j, get_process(j, space->pid), space) != NULL;
	}
}

static uint64_t unreadable(struct java_stacks *j, struct process *p)
{
	j->unread++;
	return frame_names_address(&p->names, &(struct frame_name){ .name = JAVA_GONE, .is_method = true });
}

/* The address that stands for a class; 0: it cannot be read, or was another class at that time. */
static uint64_t address_of(struct process *p, const struct java_frame *frame, uint64_t when_ns, uint64_t *since_ns)
{
	struct frame_name name = { .name = frame->name, .tier = (char)frame->tier };
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
	return name.name ? frame_names_address(&p->names, &name) : 0;
}

static struct java_seen *seen_slot(const struct java_machine *m, const struct java_frame *frame)
{
	uint64_t hash = hash_mix(frame->method, (uint64_t)(uint32_t)frame->bci << 8 | (uint8_t)frame->tier);

	return &m->seen[hash % JAVA_SEEN_SLOTS];
}

/* Has no class been unloaded since the frame was read?  For a JVM that has ended. */
static bool is_as_seen(const struct java_machine *m, const struct java_seen *seen)
{
	int64_t unloads = java_methods_unloads(m->methods);

	return unloads < 0 ? seen->batch + 1 >= m->lived : seen->unloads == unloads;
}

static uint64_t java_stacks_entry_of(struct java_stacks *j, struct process *p, const struct java_frame *frame,
				     uint64_t when_ns)
{
	struct java_machine *m = &p->machine;
	struct java_seen *seen = seen_slot(m, frame);
	bool is_seen = frame->method && seen->method == frame->method && seen->bci == frame->bci &&
		       seen->tier == frame->tier && seen->since_ns <= when_ns;
	uint64_t address, since_ns = 0;

	if (frame->method && when_ns > java_methods_until(m->methods))
		return unreadable(j, p);
	if (is_seen && seen->epoch == java_methods_epoch(m->methods))
		return seen->address;
	address = address_of(p, frame, when_ns, &since_ns);
	if (!address && is_seen && is_as_seen(m, seen) && java_machine_has_ended(m)) /* the JVM ended during this batch
										      * or before */
		return seen->address;
	if (!address)
		return unreadable(j, p);
	*seen = (struct java_seen){ .method = frame->method,
				    .bci = frame->bci,
				    .tier = frame->tier,
				    .address = address,
				    .since_ns = since_ns,
				    .batch = j->batch,
				    .epoch = java_methods_epoch(m->methods),
				    .unloads = java_methods_unloads(m->methods) };
	return address;
}

static enum unwind_answer java_stacks_step(void *self, struct unwind_made *f)
{
	struct java_stacks *j = self;
	struct process *p = get_process(j, f->space->pid);
	struct java_machine *m = java_stacks_machine_of(j, p, f->space);
	struct java_frame frames[JAVA_FRAMES_MAX];
	enum unwind_answer answer;
	size_t count = 0;

	f->count = 0;
	if (!m || !m->frames)
		return UNWIND_NOT_MINE;
	answer = java_frames_step(m->frames, f, frames, &count);
	for (size_t i = 0; answer != UNWIND_NOT_MINE && i < count && f->count < f->room; i++)
		f->entries[f->count++] = java_stacks_entry_of(j, p, &frames[i], f->time_ns);
	if (answer == UNWIND_LOST && !f->count && f->room) /* the code was freed meanwhile */
		f->entries[f->count++] = unreadable(j, p);
	return answer;
}

struct unwind_runtime java_stacks_runtime(struct java_stacks *j)
{
	return (struct unwind_runtime){ java_stacks_step, j };
}

/* ---- time goes on -------------------------------------------------------------------------------------- */

void java_stacks_next_batch(struct java_stacks *j)
{
	j->batch++;
	for (size_t i = 0; i < j->count; i++)
		java_machine_next_batch(&j->items[i]->machine, j->batch);
}

/* ---- classes ------------------------------------------------------------------------------------------- */

uint64_t java_stacks_class(struct java_stacks *j, int pid, uint64_t klass, uint64_t when_ns)
{
	struct process *p = get_process(j, pid);
	struct java_machine *m = java_stacks_machine_of(j, p, p->machine.space);
	const char *name = m && m->methods ? java_class(m->methods, klass, when_ns) : NULL;

	return name ? frame_names_address(&p->names, &(struct frame_name){ .name = name }) : 0;
}

uint64_t java_stacks_class_named(struct java_stacks *j, int pid, const char *name, size_t len)
{
	str_clear(&j->text);
	java_class_name(&j->text, name, len);
	return frame_names_address(&get_process(j, pid)->names, &(struct frame_name){ .name = str_text(&j->text) });
}

const char *java_stacks_name(struct java_stacks *j, int pid, uint64_t address)
{
	const struct process *p = java_stacks_find_process(j, pid);

	str_clear(&j->text);
	if (p)
		frame_names_spell(&p->names, address, &j->text);
	return j->text.len ? j->text.buf : NULL;
}

/* ---- the JVM's own frames ------------------------------------------------------------------------------ */

static bool java_stacks_is_own(const struct process *p, uint64_t address)
{
	const struct runtime_file *lib = &p->machine.jvm.lib;

	return (address >= lib->start && address < lib->end) || address - RECORDING_JAVA < FRAME_NAMES_BYTES;
}

size_t java_stacks_own(const struct java_stacks *j, int pid, const uint64_t *chain, size_t count)
{
	const struct process *p = java_stacks_find_process(j, pid);
	size_t own = 0, method = 0;

	while (p && method < count && !frame_names_is_method(&p->names, chain[method]))
		method++;
	if (!p || method == count)
		return 0;
	while (own < method && java_stacks_is_own(p, chain[own]))
		own++;
	return own;
}

/* ---- the recording ------------------------------------------------------------------------------------- */

void java_stacks_mappings(struct java_stacks *j, uint64_t id, struct str *out)
{
	for (size_t i = 0; i < j->count; i++)
		frame_names_tell(&j->items[i]->names, j->items[i]->pid, id, out);
}

void java_stacks_give_names(struct java_stacks *j, struct jit_files *files)
{
	for (size_t i = 0; i < j->count; i++)
		frame_names_give(&j->items[i]->names, j->items[i]->pid, files);
}

uint64_t java_stacks_unread(const struct java_stacks *j)
{
	return j->unread;
}

void java_stacks_complain(const struct java_stacks *j)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct java_machine *m = &j->items[i]->machine;

		if (java_machine_is_hopeless(m))
			warn("process %d: Java stacks are not walked: %s", j->items[i]->pid, m->obstacle);
		else if (m->untried && !m->obstacle)
			inform("process %d: JDK %d was not tried yet, only those up to %d: look whether its Java "
			       "stacks are plausible",
			       j->items[i]->pid, m->untried, JVM_NEWEST_TRIED);
	}
}

/* ---- much later ---------------------------------------------------------------------------------------- */

void java_stacks_move(struct java_stacks *j, struct spaces *spaces)
{
	for (size_t i = 0; i < j->count; i++) {
		struct process *p = j->items[i];

		p->names.is_told = false;
		if (p->machine.space)
			java_machine_move(&p->machine, spaces_find(spaces, p->pid, UINT64_MAX));
	}
}

static void free_process(struct process *p)
{
	java_machine_close(&p->machine);
	frame_names_free(&p->names);
	free(p);
}

void java_stacks_forget(struct java_stacks *j, const struct living *living)
{
	size_t kept = 0;

	for (size_t i = 0; i < j->count; i++) {
		if (living_has(living, j->items[i]->pid, 0))
			j->items[kept++] = j->items[i];
		else
			free_process(j->items[i]);
	}
	j->count = kept;
}

void java_stacks_free(struct java_stacks *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++)
		free_process(j->items[i]);
	free(j->items);
	str_free(&j->text);
	free(j);
}
