#include "collect/python/python_held.h"

#include <string.h>

#include "collect/runtime/remote.h"

enum { HELD_SEARCH_MAX = 512 };

static int held_processes;

struct held_python {
	struct remote remote;
	struct python_process process;
	uint8_t frame[PYTHON_FRAME_BYTES];
	struct python_frame frames[PYTHON_ENTRIES_MAX];
	size_t count, most; /* most: with the functions that await the task */
};

void python_held_use(int processes)
{
	held_processes = processes;
}

static uint64_t held_word(const struct held_python *h, uint64_t address)
{
	uint64_t word;

	return remote_u64(&h->remote, address, &word) ? word : 0;
}

/* The state of the thread; 0: it is not found. */
static uint64_t held_search(const struct held_python *h, uint64_t thread)
{
	const struct python_layout *l = &h->process.layout;
	uint64_t interpreter = held_word(h, h->process.interpreters), state = 0, id, next;

	if (interpreter)
		state = held_word(h, interpreter + l->interpreter_threads);
	for (int i = 0; i < HELD_SEARCH_MAX && interpreter; i++) {
		const struct remote_part parts[] = { { state + l->thread_id, &id, sizeof(id) },
						     { state + l->thread_next, &next, sizeof(next) } };

		if (!state) {
			interpreter = held_word(h, interpreter + l->interpreter_next);
			state = interpreter ? held_word(h, interpreter + l->interpreter_threads) : 0;
			continue;
		}
		if (remote_read_parts(&h->remote, parts, 2) != 2)
			return 0;
		if (id == thread)
			return state;
		state = next;
	}
	return 0;
}

static uint64_t held_innermost(const struct held_python *h, uint64_t state)
{
	const struct python_layout *l = &h->process.layout;
	uint64_t frame = state ? held_word(h, state + l->thread_frame) : 0;

	return l->frame_pointer == PYTHON_NONE || !frame ? frame : held_word(h, frame + l->frame_pointer);
}

static uint64_t held_field(const struct held_python *h, size_t at)
{
	uint64_t word = 0;

	if (at <= sizeof(h->frame) - sizeof(word))
		memcpy(&word, h->frame + at, sizeof(word));
	return word;
}

/* Take the frame that was read.  Returns its caller. */
static uint64_t held_take(struct held_python *h)
{
	const struct python_layout *l = &h->process.layout;
	struct python_frame *to = &h->frames[h->count++];
	uint64_t at = held_field(h, l->frame_instruction);
	uint32_t kind = l->frame_kind < sizeof(h->frame) ? h->frame[l->frame_kind] : 0;

	to->code = held_field(h, l->frame_code) & ~UINT64_C(7);
	to->globals = held_field(h, l->frame_globals);
	at = l->instruction_is_pointer ? at - to->code : (uint32_t)at;
	to->at = (kind & (PYTHON_KINDS - 1)) << 24 | (at < 0xffffff ? (uint32_t)at : 0xffffff);
	to->name = 0;
	return held_field(h, l->frame_previous);
}

/* What the code of all frames is called, hashed; 0: it cannot be read. */
static void held_hash(struct held_python *h)
{
	const struct python_layout *l = &h->process.layout;
	struct remote_part parts[2 * PYTHON_ENTRIES_MAX];
	uint64_t names[PYTHON_ENTRIES_MAX], hashes[PYTHON_ENTRIES_MAX];
	uint32_t lines[PYTHON_ENTRIES_MAX];

	for (size_t i = 0; i < h->count; i++) {
		parts[2 * i] = (struct remote_part){ h->frames[i].code + l->code_name, &names[i], sizeof(*names) };
		parts[2 * i + 1] = (struct remote_part){ h->frames[i].code + l->code_line, &lines[i], sizeof(*lines) };
	}
	remote_read_parts(&h->remote, parts, 2 * h->count);
	for (size_t i = 0; i < h->count; i++)
		parts[i] = (struct remote_part){ names[i] + l->text_hash, &hashes[i], sizeof(*hashes) };
	remote_read_parts(&h->remote, parts, h->count);
	for (size_t i = 0; i < h->count; i++) {
		unsigned kind = PYTHON_FRAME_KIND(&h->frames[i]);

		if (kind < l->first_stub || kind >= PYTHON_KINDS)
			h->frames[i].name = python_name_hash(hashes[i], lines[i]);
	}
}

/* ---- the task of asyncio: as bpf/python/python_tasks.bpf.h ---- */

static bool held_flag(const struct held_python *h, uint64_t address)
{
	uint8_t flag;

	return remote_u8(&h->remote, address, &flag) && flag & 1;
}

static bool held_is_a(const struct held_python *h, uint64_t object, uint64_t type)
{
	return object && held_word(h, object + h->process.texts.type) == type;
}

static void held_number(const struct held_python *h, uint64_t number, struct python_task *task)
{
	const struct python_text_layout *l = &h->process.texts;
	uint64_t digits = held_word(h, number + l->type + 16);

	task->value = digits & ((1 << 30) - 1);
	if (held_word(h, number + l->type + 8) >> 3 > 1)
		task->value |= digits >> 32 << 30;
}

static void held_text(const struct held_python *h, uint64_t text, struct python_task *task)
{
	enum { KINDS = 7, ASCII = 16 };
	const struct python_text_layout *l = &h->process.texts;
	uint32_t state;
	uint64_t bytes;

	if (!remote_u32(&h->remote, text + l->state, &state))
		return;
	state >>= l->kind_bit;
	task->at = state & KINDS;
	task->value = held_word(h, text + l->length);
	bytes = task->value * task->at;
	if (!remote_read(&h->remote, text + (state & ASCII ? l->characters : l->other_characters), task->name,
			 bytes < sizeof(task->name) ? bytes : sizeof(task->name)))
		task->value = 0;
}

/* The coroutine that the function of the frame that was read awaits; 0: none. */
static uint64_t held_next_coroutine(const struct held_python *h)
{
	uint64_t top = held_field(h, h->process.layout.frame_stack_top), coroutine;

	for (int i = 1; i <= 2; i++) {
		coroutine = held_word(h, top - (uint64_t)i * 8) & ~UINT64_C(7);
		if (held_is_a(h, coroutine, h->process.texts.coroutine_type))
			return coroutine;
	}
	return 0;
}

/* Take the functions of a task that awaits another one. */
static void held_take_awaiting(struct held_python *h, uint64_t coroutine)
{
	const struct python_layout *l = &h->process.layout;
	uint32_t kind = PYTHON_AWAITS_FIRST;

	while (coroutine && h->count < h->most &&
	       remote_read(&h->remote, coroutine + l->coroutine_frame, h->frame, l->frame_size)) {
		held_take(h);
		h->frames[h->count - 1].at = (h->frames[h->count - 1].at & 0xffffff) | kind << 24;
		kind = PYTHON_AWAITS;
		coroutine = held_next_coroutine(h);
	}
}

static bool held_find_task(struct held_python *h, uint64_t state, struct python_task *task)
{
	const struct python_layout *l = &h->process.layout;
	uint64_t at = l->thread_task ? held_word(h, state + l->thread_task) : 0, name;

	if (!at)
		return false;
	h->most = h->count + PYTHON_AWAITING_MAX;
	*task = (struct python_task){ .type = held_word(h, at + h->process.texts.type) };
	name = held_word(h, at + l->task_name);
	if (held_is_a(h, name, h->process.texts.text_type))
		held_text(h, name, task);
	else if (held_is_a(h, name, h->process.texts.number_type))
		held_number(h, name, task);
	task->at |= (uint32_t)PYTHON_TASK << 24;
	for (int i = 0; i < PYTHON_AWAITING_MAX && !held_flag(h, at + l->task_awaited_by_is_set); i++) {
		at = held_word(h, at + l->task_awaited_by);
		if (!at)
			break;
		if (held_flag(h, at + l->task_is_task))
			held_take_awaiting(h, held_word(h, at + l->task_coroutine));
	}
	return true;
}

uint64_t python_held_add(int pid, uint64_t thread, struct str *copy)
{
	struct python_feed feed = { .maps.processes = held_processes };
	struct held_python h = { .remote.pid = pid };
	struct python_task task;
	uint64_t frame, state;
	bool has_task;

	if (!thread || !python_feed_knows(&feed, pid, &h.process))
		return 0;
	state = held_search(&h, thread);
	frame = held_innermost(&h, state);
	while (frame && h.count < PYTHON_FRAMES_MAX &&
	       remote_read(&h.remote, frame, h.frame, h.process.layout.frame_size))
		frame = held_take(&h);
	if (!h.count)
		return 0;
	has_task = held_find_task(&h, state, &task);
	held_hash(&h);
	if (has_task) {
		memcpy(&h.frames[h.count], &task, sizeof(task));
		h.count += PYTHON_TASK_ENTRIES;
	}
	str_add(copy, (const char *)h.frames, h.count * sizeof(*h.frames));
	return h.count * sizeof(*h.frames) | (frame != 0);
}
