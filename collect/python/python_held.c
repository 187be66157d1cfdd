#include "collect/python/python_held.h"

#include <string.h>

#include "collect/runtime/remote.h"

enum { HELD_SEARCH_MAX = 512 };

static int held_processes;

struct held_python {
	struct remote remote;
	struct python_process process;
	uint8_t frame[PYTHON_FRAME_BYTES];
	struct python_frame frames[PYTHON_FRAMES_MAX];
	size_t count;
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
	to->at = kind << 24 | (at < 0xffffff ? (uint32_t)at : 0xffffff);
	to->name = 0;
	return held_field(h, l->frame_previous);
}

/* What the code of all frames is called, hashed; 0: it cannot be read. */
static void held_hash(struct held_python *h)
{
	const struct python_layout *l = &h->process.layout;
	struct remote_part parts[2 * PYTHON_FRAMES_MAX];
	uint64_t names[PYTHON_FRAMES_MAX], hashes[PYTHON_FRAMES_MAX];
	uint32_t lines[PYTHON_FRAMES_MAX];

	for (size_t i = 0; i < h->count; i++) {
		parts[2 * i] = (struct remote_part){ h->frames[i].code + l->code_name, &names[i], sizeof(*names) };
		parts[2 * i + 1] = (struct remote_part){ h->frames[i].code + l->code_line, &lines[i], sizeof(*lines) };
	}
	remote_read_parts(&h->remote, parts, 2 * h->count);
	for (size_t i = 0; i < h->count; i++)
		parts[i] = (struct remote_part){ names[i] + l->text_hash, &hashes[i], sizeof(*hashes) };
	remote_read_parts(&h->remote, parts, h->count);
	for (size_t i = 0; i < h->count; i++) {
		if (PYTHON_FRAME_KIND(&h->frames[i]) < l->first_stub)
			h->frames[i].name = python_name_hash(hashes[i], lines[i]);
	}
}

uint64_t python_held_add(int pid, uint64_t thread, struct str *copy)
{
	struct python_feed feed = { .maps.processes = held_processes };
	struct held_python h = { .remote.pid = pid };
	uint64_t frame;

	if (!thread || !python_feed_knows(&feed, pid, &h.process))
		return 0;
	frame = held_innermost(&h, held_search(&h, thread));
	while (frame && h.count < PYTHON_FRAMES_MAX &&
	       remote_read(&h.remote, frame, h.frame, h.process.layout.frame_size))
		frame = held_take(&h);
	if (!h.count)
		return 0;
	held_hash(&h);
	str_add(copy, (const char *)h.frames, h.count * sizeof(*h.frames));
	return h.count * sizeof(*h.frames) | (frame != 0);
}
