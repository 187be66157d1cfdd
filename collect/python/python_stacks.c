#include "collect/python/python_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "collect/bpf/bpf.h"
#include "collect/python/python_code.h"
#include "collect/python/python_held.h"
#include "collect/python/python_layout.h"
#include "collect/python/python_tasks.h"
#include "collect/python/python_text.h"
#include "collect/runtime/frame_names.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/symbols/jit/jit_open.h"

/* The name of a frame whose code object is gone. */
#define PYTHON_GONE "[python-gone]"

enum { PYTHON_SEEN_SLOTS = 4096, PYTHON_PATIENCE_MAX = 64, PYTHON_SOON = 16 };

static const struct frame_names_place python_place = { RECORDING_PYTHON, RECORDING_PYTHON_PATH };

/* Cache of named frames, since stacks repeat the same frames. */
struct python_seen {
	uint64_t code, address;
	uint32_t at, name;
};

struct python_reader {
	int pid;
	const struct space *space; /* NULL: not known yet */
	bool is_open, is_hopeless; /* the interpreter is read; it cannot be */
	struct python_runtime runtime;
	struct python_codes codes;
	struct python_seen *seen; /* [PYTHON_SEEN_SLOTS] */
	struct frame_names names; /* of all its programs */
	struct python_tasks tasks;
	size_t mappings; /* as many were there when tasks were last sought */
	const char *obstacle;
	unsigned looks;                /* at an interpreter that begins */
	uint64_t look_again, patience; /* the batch in which to look again, and how long to wait after that */
};

struct python_stacks {
	const struct modules *modules;
	struct python_feed feed;
	struct python_copies copies;
	struct map numbers; /* pid -> number + 1 */
	struct python_reader **list;
	size_t count, cap;
	size_t spaces_seen;
	int unseen; /* a process that runs Python, whose frames nobody copies; 0: none */
	uint64_t batch, unread;
	struct str text;
	uint64_t *work; /* [work_cap], a chain */
	size_t work_cap;
};

struct python_stacks *python_stacks_new(const struct modules *modules, const struct python_maps *maps)
{
	struct python_stacks *p = xcalloc(1, sizeof(*p));

	p->modules = modules;
	python_feed_open(&p->feed, maps, &p->copies);
	python_held_use(maps->processes);
	return p;
}

/* ---- the interpreter that a process runs, if any ---- */

static void python_reader_close(struct python_stacks *p, struct python_reader *r)
{
	if (r->is_open)
		python_feed_tell(&p->feed, r->pid, NULL);
	python_codes_free(&r->codes);
	python_tasks_free(&r->tasks);
	free(r->seen);
	r->seen = NULL;
	r->is_open = r->is_hopeless = false;
	r->patience = r->look_again = r->looks = 0;
	r->obstacle = NULL;
}

static struct python_reader *python_reader_find(const struct python_stacks *p, int pid)
{
	uint32_t number = map_get(&p->numbers, (uint32_t)pid, 0);

	return number ? p->list[number - 1] : NULL;
}

static struct python_reader *python_reader_get(struct python_stacks *p, int pid)
{
	struct python_reader *r = python_reader_find(p, pid);

	if (r)
		return r;
	r = xcalloc(1, sizeof(*r));
	r->pid = pid;
	r->names.place = &python_place;
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = r;
	*map_at(&p->numbers, (uint32_t)pid, 0) = (uint32_t)p->count;
	return r;
}

static bool python_is_mapped(const struct python_stacks *p, const struct mapping_list *list,
			     bool (*is_it)(const char *name, size_t len))
{
	for (size_t i = 0; i < list->count; i++) {
		const char *name;

		if (list->items[i].module >= p->modules->count)
			continue;
		name = module_name(&p->modules->items[list->items[i].module]);
		if (is_it(name, strlen(name)))
			return true;
	}
	return false;
}

/* Does the process map an interpreter, or was it forked from one that does? */
static bool python_is_in(const struct python_stacks *p, const struct space *space)
{
	enum { GENERATIONS = 16 };

	for (int i = 0; space && i < GENERATIONS; i++) {
		if (space->mappings.count)
			return python_is_mapped(p, &space->mappings, python_is_named);
		space = space->parent && space->parent->pid != space->pid ? space->parent : NULL;
	}
	return false;
}

static void python_reader_tell(struct python_stacks *p, struct python_reader *r)
{
	struct python_process process = {
		.interpreters = r->runtime.interpreters,
		.layout = r->runtime.offsets.bpf,
		.texts = python_text_layout(&r->runtime),
	};

	python_feed_tell(&p->feed, r->pid, &process);
}

static void python_reader_open(struct python_stacks *p, struct python_reader *r)
{
	bool may_change;

	if (++r->looks > PYTHON_SOON)
		r->patience = r->patience * 2 + 1 < PYTHON_PATIENCE_MAX ? r->patience * 2 + 1 : PYTHON_PATIENCE_MAX;
	r->look_again = p->batch + 1 + r->patience;
	if (python_runtime_open(&r->runtime, r->pid, &r->obstacle, &may_change)) {
		r->is_hopeless = !may_change;
		return;
	}
	r->obstacle = NULL;
	r->is_open = true;
	r->seen = xcalloc(PYTHON_SEEN_SLOTS, sizeof(*r->seen));
	python_runtime_find_tasks(&r->runtime);
	r->mappings = r->space->mappings.count;
	python_reader_tell(p, r);
}

/* A program may import asyncio at any time. */
static void python_reader_look_for_tasks(struct python_stacks *p, struct python_reader *r)
{
	if (r->runtime.offsets.bpf.thread_task || r->mappings == r->space->mappings.count)
		return;
	r->mappings = r->space->mappings.count;
	if (!python_is_mapped(p, &r->space->mappings, python_has_tasks))
		return;
	python_runtime_find_tasks(&r->runtime);
	if (r->runtime.offsets.bpf.thread_task)
		python_reader_tell(p, r);
}

/* The interpreter of a process in this space; NULL: it has none, or none that can be read. */
static struct python_reader *python_reader_look(struct python_stacks *p, int pid, const struct space *space)
{
	struct python_reader *r = python_reader_find(p, pid);

	if (!r && (!p->feed.maps.processes || !python_is_in(p, space)))
		return NULL;
	if (!r)
		r = python_reader_get(p, pid);
	if (r->space && r->space != space) {
		if (space->from_ns < r->space->from_ns)
			return NULL; /* an earlier program, whose memory is gone */
		python_reader_close(p, r);
	}
	r->space = space;
	if (!r->is_open && !r->is_hopeless && p->batch >= r->look_again && python_is_in(p, space))
		python_reader_open(p, r);
	else if (r->is_open)
		python_reader_look_for_tasks(p, r);
	return r->is_open ? r : NULL;
}

void python_stacks_next_batch(struct python_stacks *p, struct spaces *spaces)
{
	p->batch++;
	python_feed_drain(&p->feed);
	python_copies_age(&p->copies);
	for (; p->spaces_seen < spaces->all_count; p->spaces_seen++) {
		const struct space *space = spaces->all[p->spaces_seen];

		python_reader_look(p, space->pid, space);
		if (!p->feed.maps.processes && !p->unseen && python_is_in(p, space))
			p->unseen = space->pid;
	}
}

/* ---- frames ---- */

static struct python_seen *python_seen_slot(const struct python_reader *r, const struct python_frame *frame)
{
	return &r->seen[hash_mix(frame->code, (uint64_t)frame->at << 32 | frame->name) % PYTHON_SEEN_SLOTS];
}

/* The code of a frame; its name is NULL if nothing is known of it. */
static const struct python_code *python_frame_code(struct python_stacks *p, struct python_reader *r,
						   const struct python_frame *frame)
{
	const struct python_code *code = python_code_of(&r->codes, &r->runtime, frame);
	struct python_texts texts;

	if (!code->name && python_feed_texts(&p->feed, r->pid, frame, &texts))
		code = python_code_keep(&r->codes, frame, &texts);
	return code;
}

static uint64_t python_address(struct python_stacks *p, struct python_reader *r, const struct python_frame *frame)
{
	struct python_seen *seen = python_seen_slot(r, frame);
	struct frame_name name = { .name = PYTHON_GONE, .is_method = true };
	const struct python_code *code;

	if (seen->address && seen->code == frame->code && seen->at == frame->at && seen->name == frame->name)
		return seen->address;
	code = python_frame_code(p, r, frame);
	if (!code->name) {
		p->unread++;
		return frame_names_address(&r->names, &name);
	}
	name.name = code->name;
	name.file = code->file;
	name.line = python_code_line(code, &r->runtime.offsets, PYTHON_FRAME_AT(frame));
	name.tier = 'p';
	*seen = (struct python_seen){ frame->code, frame_names_address(&r->names, &name), frame->at, frame->name };
	return seen->address;
}

/* What is left of a copy. */
struct python_rest {
	struct python_stacks *p;
	struct python_reader *r;
	const struct python_frame *frames; /* [count], innermost first */
	size_t count;
};

/* The number of frames that a call of the evaluating function ran, with those that are no function's. */
static size_t python_run(const struct python_rest *rest)
{
	const struct python_offsets *o = &rest->r->runtime.offsets;
	size_t n = 0;

	if (o->ends == PYTHON_EACH)
		return rest->count ? 1 : 0;
	while (n < rest->count) {
		unsigned kind = PYTHON_FRAME_KIND(&rest->frames[n++]);

		if (o->ends == PYTHON_ENTRY ? kind == 1 : kind >= o->bpf.first_stub)
			break;
	}
	return n;
}

static bool python_is_stub(const struct python_rest *rest, const struct python_frame *frame)
{
	return PYTHON_FRAME_KIND(frame) >= rest->r->runtime.offsets.bpf.first_stub;
}

/* Drop frames that are no function's, of which none follows: they stand for no call. */
static void python_skip_stubs(struct python_rest *rest)
{
	while (rest->count && python_is_stub(rest, rest->frames)) {
		rest->frames++;
		rest->count--;
	}
}

static size_t python_count_runs(struct python_rest rest)
{
	size_t runs = 0, n;

	for (python_skip_stubs(&rest); (n = python_run(&rest)); python_skip_stubs(&rest)) {
		rest.frames += n;
		rest.count -= n;
		runs++;
	}
	return runs;
}

/* Take the frames of one call. */
static size_t python_take_run(struct python_rest *rest, uint64_t *to, size_t room)
{
	size_t n, count = 0;

	python_skip_stubs(rest);
	n = python_run(rest);
	for (size_t i = 0; i < n && count < room; i++) {
		if (!python_is_stub(rest, &rest->frames[i]))
			to[count++] = python_address(rest->p, rest->r, &rest->frames[i]);
	}
	rest->frames += n;
	rest->count -= n;
	return count;
}

static size_t python_take_all(struct python_rest *rest, uint64_t *to, size_t room)
{
	size_t count = 0;

	for (python_skip_stubs(rest); rest->count && count < room; python_skip_stubs(rest))
		count += python_take_run(rest, to + count, room - count);
	return count;
}

/* Is the address in the evaluating function?  Return addresses follow a call. */
static bool python_evaluates(const struct python_runtime *runtime, uint64_t address)
{
	for (size_t i = 0; i < 2; i++) {
		if (address > runtime->evaluates[i].start && address <= runtime->evaluates[i].end)
			return true;
	}
	return false;
}

static size_t python_count_calls(const struct python_runtime *runtime, const uint64_t *chain, size_t count)
{
	size_t calls = 0;

	for (size_t i = 0; i < count; i++)
		calls += python_evaluates(runtime, chain[i]);
	return calls;
}

/* Is it the code that -X perf makes for each function, which calls the evaluating function? */
static bool python_is_trampoline(const struct python_stack *s, uint64_t address)
{
	const struct mapping *m = space_lookup(s->space, address, s->time_ns);

	return m && m->memory;
}

/* A call that has just begun, or is about to return, has no frame: it is the innermost one.  A stack that is not whole lacks
 * the outermost calls, a copy that was cut the outermost frames. */
static size_t python_mix_runs(struct python_rest *rest, const struct python_stack *s, const struct python_copy *copy,
			      const uint64_t *chain, size_t count, uint64_t *to, size_t room)
{
	const struct python_runtime *runtime = &rest->r->runtime;
	size_t calls = python_count_calls(runtime, chain, count), runs = python_count_runs(*rest), n = 0;
	size_t bare = s->is_whole && !copy->is_cut && calls > runs ? calls - runs : 0, left = calls - bare;

	for (size_t i = 0; i < count && n < room; i++) {
		bool has_frames = python_evaluates(runtime, chain[i]) && !bare && rest->count;

		bare -= bare && python_evaluates(runtime, chain[i]);
		if (!has_frames) {
			to[n++] = chain[i];
			continue;
		}
		left--;
		if (!left && s->is_whole)
			n += python_take_all(rest, to + n, room - n);
		else
			n += python_take_run(rest, to + n, room - n);
		if (i + 1 < count && python_is_trampoline(s, chain[i + 1]))
			i++;
	}
	return s->is_whole ? n : n + python_take_all(rest, to + n, room - n);
}

/* ---- tasks of asyncio ---- */

static void python_stack_add_label(struct python_stacks *p, struct python_reader *r, struct python_stack *s,
				   enum recording_label kind)
{
	uint64_t address = frame_names_address(&r->names, &(struct frame_name){ .name = str_text(&p->text) });

	if (address)
		s->labels[s->label_count++] = RECORDING_LABEL(kind, address - RECORDING_PYTHON);
}

/* "main > fetch_all": the functions that await the task, the outermost first. */
static void python_stack_spell_awaiting(struct python_stacks *p, struct python_reader *r,
					const struct python_awaited *awaited)
{
	size_t end = awaited->count;

	for (size_t begin = end; begin-- > 0;) {
		if (PYTHON_FRAME_KIND(&awaited->awaiting[begin]) != PYTHON_AWAITS_FIRST)
			continue;
		for (size_t i = begin; i < end; i++) {
			const char *name = python_frame_code(p, r, &awaited->awaiting[i])->name;

			if (name)
				str_addf(&p->text, "%s%s", p->text.len ? " > " : "", name);
		}
		end = begin;
	}
}

static void python_stack_add_labels(struct python_stacks *p, struct python_reader *r, struct python_stack *s,
				    const struct python_awaited *awaited)
{
	str_clear(&p->text);
	if (!awaited->has_task || !python_task_name_add(&r->tasks, &r->runtime, &awaited->task, &p->text))
		return;
	python_stack_add_label(p, r, s, RECORDING_LABEL_TASK);
	str_clear(&p->text);
	python_stack_spell_awaiting(p, r, awaited);
	if (p->text.len)
		python_stack_add_label(p, r, s, RECORDING_LABEL_AWAITING);
}

size_t python_stacks_mix(struct python_stacks *p, struct python_stack *s, uint64_t *chain, size_t count, size_t room)
{
	struct python_reader *r = python_reader_look(p, s->pid, s->space);
	const struct python_copy *copy = s->copy;
	struct python_rest rest = { .p = p, .r = r };
	struct python_awaited awaited;

	if (!r)
		return count;
	if (!copy)
		copy = python_copies_find(&p->copies, s->tid, s->time_ns);
	if (!copy || !copy->count)
		return count;
	rest.frames = copy->frames;
	rest.count = python_tasks_split(copy->frames, copy->count, &awaited);
	python_stack_add_labels(p, r, s, &awaited);
	p->work = xgrow(p->work, &p->work_cap, room, sizeof(*p->work));
	count = python_mix_runs(&rest, s, copy, chain, count, p->work, room);
	memcpy(chain, p->work, count * sizeof(*chain));
	return count;
}

const char *python_stacks_name(struct python_stacks *p, int pid, uint64_t address)
{
	const struct python_reader *r = python_reader_find(p, pid);

	str_clear(&p->text);
	if (r)
		frame_names_spell(&r->names, address, &p->text);
	return p->text.len ? p->text.buf : NULL;
}

/* ---- the recording ---- */

void python_stacks_mappings(struct python_stacks *p, uint64_t id, struct str *out)
{
	for (size_t i = 0; i < p->count; i++)
		frame_names_tell(&p->list[i]->names, p->list[i]->pid, id, out);
}

void python_stacks_give_names(struct python_stacks *p, struct jit_files *files)
{
	for (size_t i = 0; i < p->count; i++)
		frame_names_give(&p->list[i]->names, p->list[i]->pid, files);
}

uint64_t python_stacks_unread(const struct python_stacks *p)
{
	return p->unread;
}

void python_stacks_complain(const struct python_stacks *p, const char *defect)
{
	const char *why = bpf_obstacle() ? bpf_obstacle() : defect;

	for (size_t i = 0; i < p->count; i++) {
		const struct python_reader *r = p->list[i];

		if (r->is_hopeless && jit_maker_lives(r->pid))
			detail("process %d: its Python functions have no names: %s", r->pid, r->obstacle);
	}
	if (p->unseen && why)
		inform("process %d runs Python, of which stacks show the interpreter only, not its functions: %s",
		       p->unseen, why);
}

/* ---- much later ---- */

void python_stacks_move(struct python_stacks *p, struct spaces *spaces)
{
	p->spaces_seen = 0;
	for (size_t i = 0; i < p->count; i++) {
		p->list[i]->names.is_told = false;
		p->list[i]->space = spaces_find(spaces, p->list[i]->pid, UINT64_MAX);
	}
}

static void python_reader_free(struct python_stacks *p, struct python_reader *r)
{
	python_reader_close(p, r);
	frame_names_free(&r->names);
	free(r);
}

void python_stacks_forget(struct python_stacks *p, const struct living *living)
{
	size_t kept = 0;

	map_free(&p->numbers);
	for (size_t i = 0; i < p->count; i++) {
		struct python_reader *r = p->list[i];

		if (!living_has(living, r->pid, 0)) {
			python_reader_free(p, r);
			continue;
		}
		p->list[kept++] = r;
		*map_at(&p->numbers, (uint32_t)r->pid, 0) = (uint32_t)kept;
	}
	p->count = kept;
}

void python_stacks_free(struct python_stacks *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		python_reader_free(p, p->list[i]);
	python_feed_close(&p->feed);
	python_held_use(0);
	python_copies_free(&p->copies);
	map_free(&p->numbers);
	free(p->list);
	free(p->work);
	str_free(&p->text);
	free(p);
}
