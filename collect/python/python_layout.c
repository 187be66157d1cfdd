#include "collect/python/python_layout.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SHARED .thread_next = 8
#define HEAD(code_code_)                                                                               \
	.object_type = 8, .text_length = 16, .text_state = 32, .text_kind_bit = 2, .bytes_length = 16, \
	.bytes_begin = 32, .dict_keys = 32, .interpreter_of_thread = 16, .code_code = code_code_

/* ---- versions without debug offsets ---- */

static const struct python_offsets python_3_9 = {
	.bpf = { SHARED, .interpreter_threads = 8, .thread_id = 176, .thread_frame = 24, .frame_pointer = PYTHON_NONE,
		 .frame_size = 112, .frame_code = 32, .frame_previous = 24, .frame_globals = 48,
		 .frame_instruction = 104, .frame_kind = PYTHON_NONE, .first_stub = 255, .code_name = 112,
		 .code_line = 40, .text_hash = 24 },
	.lines = PYTHON_LNOTAB,
	.ends = PYTHON_EACH,
	.has_old_dict = true,
	.code_qualname = 112,
	.code_file = 104,
	.code_lines = 120,
	.text_ascii = 48,
	.text_other = 72,
	HEAD(0),
};

static const struct python_offsets python_3_10 = {
	.bpf = { SHARED, .interpreter_threads = 8, .thread_id = 176, .thread_frame = 24, .frame_pointer = PYTHON_NONE,
		 .frame_size = 104, .frame_code = 32, .frame_previous = 24, .frame_globals = 48,
		 .frame_instruction = 96, .frame_kind = PYTHON_NONE, .first_stub = 255, .code_name = 112,
		 .code_line = 40, .text_hash = 24 },
	.lines = PYTHON_LINETABLE,
	.ends = PYTHON_EACH,
	.has_old_dict = true,
	.code_qualname = 112,
	.code_file = 104,
	.code_lines = 120,
	.text_ascii = 48,
	.text_other = 72,
	HEAD(0),
};

static const struct python_offsets python_3_11 = {
	.bpf = { SHARED, .interpreter_threads = 16, .thread_id = 152, .thread_frame = 56, .frame_pointer = 8,
		 .frame_size = 72, .frame_code = 32, .frame_previous = 48, .frame_globals = 8, .frame_instruction = 56,
		 .frame_kind = 68, .first_stub = 255, .instruction_is_pointer = 1, .code_name = 128, .code_line = 72,
		 .text_hash = 24 },
	.lines = PYTHON_LOCATIONS,
	.ends = PYTHON_ENTRY,
	.code_qualname = 128,
	.code_file = 112,
	.code_lines = 136,
	.text_ascii = 48,
	.text_other = 72,
	.thread_native = 160,
	.frame_locals = 72,
	.type_keys = 872,
	HEAD(184),
};

static const struct python_offsets python_3_12 = {
	.bpf = { SHARED, .interpreter_threads = 72, .thread_id = 136, .thread_frame = 56, .frame_pointer = 0,
		 .frame_size = 72, .frame_code = 0, .frame_previous = 8, .frame_globals = 24, .frame_instruction = 56,
		 .frame_kind = 70, .first_stub = 3, .instruction_is_pointer = 1, .code_name = 128, .code_line = 68,
		 .text_hash = 24 },
	.lines = PYTHON_LOCATIONS,
	.ends = PYTHON_STUB,
	.code_qualname = 128,
	.code_file = 112,
	.code_lines = 136,
	.text_ascii = 40,
	.text_other = 56,
	.thread_native = 144,
	.frame_locals = 72,
	.type_keys = 880,
	HEAD(192),
};

static const struct python_version {
	unsigned version;
	uint16_t interpreters; /* offset in _PyRuntime */
	const struct python_offsets *offsets;
} versions[] = {
	{ 0x309, 32, &python_3_9 },
	{ 0x30a, 32, &python_3_10 },
	{ 0x30b, 40, &python_3_11 },
	{ 0x30c, 40, &python_3_12 },
};

/* ---- debug offsets ---- */

enum { DEBUG_WORDS = 128, VERSION_WORD = 1, FREE_THREADED_WORD = 2, HEAD_WORD = 5 };

/* Where in the array of words the offsets of a version are. */
static const struct debug_words {
	unsigned version;
	uint8_t next, threads, thread_next, interp, frame, thread_id, previous, executable, instruction, owner;
	uint8_t code_file, code_name, code_qualname, code_lines, code_line, code_code;
	uint8_t type, dict_keys, bytes_size, bytes_begin, text_state, text_length, text_ascii;
	uint8_t type_name, type_flags, stack_top, coroutine_frame; /* the last two: 0 without tasks */
} debug_words
	[] = {
		{ 0x30d, 8,  9,  21, 22, 23, 24, 29, 30, 31, 33, 35, 36, 37,
		  38,    39, 43, 45, 57, 65, 66, 68, 69, 70, 47, 49, 0,  0 },
		{ 0x30e, 8,  9,  24, 25, 26, 27, 32, 33, 34, 36, 40, 41, 42,
		  43,    44, 48, 51, 67, 75, 76, 78, 79, 80, 53, 55, 37, 85 },
		{ 0x30f, 8,  9,  24, 25, 26, 30, 40, 41, 42, 44, 48, 49, 50,
		  51,    52, 56, 59, 79, 87, 88, 90, 91, 92, 61, 63, 45, 101 },
	};

/* The owner of a frame of an interpreter's own, and above: Include/internal/pycore_interpframe_structs.h */
enum { OWNED_BY_INTERPRETER = 3 };

static bool python_layout_fits(const uint64_t *words, const struct debug_words *at)
{
	const uint8_t all[] = { at->thread_next,   at->interp,      at->frame,       at->thread_id,  at->previous,
				at->executable,    at->instruction, at->owner,       at->code_file,  at->code_name,
				at->code_qualname, at->code_lines,  at->code_line,   at->code_code,  at->type,
				at->dict_keys,     at->bytes_size,  at->bytes_begin, at->text_state, at->text_length,
				at->text_ascii,    at->type_name,   at->type_flags };

	for (size_t i = 0; i < sizeof(all); i++) {
		if (words[all[i]] >= PYTHON_NONE)
			return false;
	}
	return words[at->next] < 1 << 24 && words[at->threads] < 1 << 24 && words[HEAD_WORD] < 1 << 24 &&
	       words[at->instruction] + 8 <= PYTHON_FRAME_BYTES && words[at->owner] < PYTHON_FRAME_BYTES;
}

static void python_layout_from_words(struct python_runtime *p, const uint64_t *words, const struct debug_words *at)
{
	bool is_free_threaded = words[FREE_THREADED_WORD];
	uint64_t size = words[at->instruction] + 8;

	if (size <= words[at->owner])
		size = words[at->owner] + 1;
	p->offsets = (struct python_offsets){
		.bpf = {
			.interpreter_next = (uint32_t)words[at->next],
			.interpreter_threads = (uint32_t)words[at->threads],
			.thread_next = (uint16_t)words[at->thread_next],
			.thread_id = (uint16_t)words[at->thread_id],
			.thread_frame = (uint16_t)words[at->frame],
			.frame_pointer = PYTHON_NONE,
			.frame_size = (uint16_t)size,
			.frame_code = (uint16_t)words[at->executable],
			.frame_previous = (uint16_t)words[at->previous],
			.frame_globals = (uint16_t)(words[at->previous] + 16),
			.frame_instruction = (uint16_t)words[at->instruction],
			.frame_kind = (uint16_t)words[at->owner],
			.instruction_is_pointer = 1,
			.first_stub = OWNED_BY_INTERPRETER,
			.code_name = (uint16_t)words[at->code_qualname],
			.code_line = (uint16_t)words[at->code_line],
			.text_hash = (uint16_t)(words[at->text_length] + 8),
			.frame_stack_top = (uint16_t)(at->stack_top ? words[at->stack_top] : 0),
			.coroutine_frame = (uint16_t)(at->coroutine_frame ? words[at->coroutine_frame] : 0),
		},
		.lines = PYTHON_LOCATIONS,
		.ends = PYTHON_STUB,
		.interpreter_of_thread = (uint16_t)words[at->interp],
		.object_type = (uint16_t)words[at->type],
		.code_qualname = (uint16_t)words[at->code_qualname],
		.code_file = (uint16_t)words[at->code_file],
		.code_lines = (uint16_t)words[at->code_lines],
		.code_code = (uint16_t)words[at->code_code],
		.text_length = (uint16_t)words[at->text_length],
		.text_state = (uint16_t)words[at->text_state],
		.text_ascii = (uint16_t)words[at->text_ascii],
		.text_other = (uint16_t)(words[at->text_ascii] + 16),
		.text_kind_bit = is_free_threaded ? 8 : 2,
		.bytes_length = (uint16_t)words[at->bytes_size],
		.bytes_begin = (uint16_t)words[at->bytes_begin],
		.dict_keys = (uint16_t)words[at->dict_keys],
		.type_name = (uint16_t)words[at->type_name],
		.type_flags = (uint16_t)words[at->type_flags],
		/* Both follow another word in all versions; a free-threaded build keeps attributes elsewhere. */
		.thread_native = is_free_threaded ? 0 : (uint16_t)words[at->thread_id + 1],
		.frame_locals = (uint16_t)words[at->instruction + 1],
		.type_keys = p->version >= 0x30f ? 888 : 880,
	};
}

static bool python_layout_debug(struct python_runtime *p, uint64_t runtime)
{
	uint64_t words[DEBUG_WORDS];

	if (!remote_read(&p->remote, runtime, words, sizeof(words)) || memcmp(words, "xdebugpy", 8))
		return false;
	p->version = (unsigned)(words[VERSION_WORD] >> 16);
	for (size_t i = 0; i < sizeof(debug_words) / sizeof(*debug_words); i++) {
		if (debug_words[i].version != p->version || !python_layout_fits(words, &debug_words[i]))
			continue;
		python_layout_from_words(p, words, &debug_words[i]);
		p->interpreters = runtime + words[HEAD_WORD];
		return true;
	}
	return false;
}

static bool python_layout_table(struct python_runtime *p, uint64_t runtime)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (versions[i].version != p->version)
			continue;
		p->offsets = *versions[i].offsets;
		p->interpreters = runtime + versions[i].interpreters;
		return true;
	}
	return false;
}

/* ---- tasks of asyncio ---- */

bool python_has_tasks(const char *name, size_t len)
{
	static const char begin[] = "_asyncio.cpython-3";

	return len > sizeof(begin) - 1 && !memcmp(name, begin, sizeof(begin) - 1);
}

/* struct _Py_AsyncioModuleDebugOffsets (Modules/_asynciomodule.c), in words */
enum {
	TASK_NAME = 1,
	TASK_AWAITED_BY,
	TASK_IS_TASK,
	TASK_AWAITED_BY_IS_SET,
	TASK_COROUTINE,
	THREAD_TASK = 11,
	TASK_WORDS = 13,
};

void python_runtime_find_tasks(struct python_runtime *p)
{
	static const char section[] = ".AsyncioDebug";
	uint64_t words[TASK_WORDS];
	struct python_layout *l = &p->offsets.bpf;
	struct runtime_file module;

	if (!l->frame_stack_top || !l->coroutine_frame || !p->number_type || !p->coroutine_type)
		return;
	if (!runtime_section(&p->file, section, words, sizeof(words)) &&
	    (!runtime_file_find(p->remote.pid, python_has_tasks, &module) ||
	     !runtime_section(&module, section, words, sizeof(words))))
		return;
	for (size_t i = TASK_NAME; i <= TASK_COROUTINE; i++) {
		if (words[i] >= PYTHON_NONE)
			return;
	}
	if (words[THREAD_TASK] >= PYTHON_NONE)
		return;
	l->thread_task = (uint16_t)words[THREAD_TASK];
	l->task_name = (uint16_t)words[TASK_NAME];
	l->task_coroutine = (uint16_t)words[TASK_COROUTINE];
	l->task_awaited_by = (uint16_t)words[TASK_AWAITED_BY];
	l->task_is_task = (uint16_t)words[TASK_IS_TASK];
	l->task_awaited_by_is_set = (uint16_t)words[TASK_AWAITED_BY_IS_SET];
}

/* ---- the interpreter of a process ---- */

/* "libpython3.11.so.1.0"; not "libpython3.so", which has nothing of its own */
static bool python_is_library(const char *name, size_t len)
{
	static const char begin[] = "libpython3.";

	return len > sizeof(begin) - 1 && !memcmp(name, begin, sizeof(begin) - 1) && isdigit(name[sizeof(begin) - 1]);
}

/* "python3", "python3.11", "python3.13t" */
static bool python_is_program(const char *name, size_t len)
{
	static const char begin[] = "python3";

	return len >= sizeof(begin) - 1 && !memcmp(name, begin, sizeof(begin) - 1) &&
	       (len == sizeof(begin) - 1 || name[sizeof(begin) - 1] == '.');
}

bool python_is_named(const char *name, size_t len)
{
	return python_is_library(name, len) || python_is_program(name, len);
}

/* "3.9.so.1.0" */
static unsigned python_layout_parse(const char *text)
{
	char *end;
	unsigned long major = strtoul(text, &end, 10), minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;

	return major == 3 && minor < 256 ? 0x300 + (unsigned)minor : 0;
}

/* The file's name has the version: "libpython3.9.so.1.0". */
static unsigned named_version(const struct python_runtime *p)
{
	const char *at = strstr(p->file.name, "python3.");

	return at ? python_layout_parse(at + strlen("python")) : 0;
}

/* Do the interpreter's structures lead back to themselves? */
static bool python_layout_is_right(const struct python_runtime *p, bool *may_change)
{
	const struct python_offsets *o = &p->offsets;
	uint64_t interpreter, thread, back;

	*may_change = true;
	if (!remote_u64(&p->remote, p->interpreters, &interpreter) || !interpreter ||
	    !remote_u64(&p->remote, interpreter + o->bpf.interpreter_threads, &thread) || !thread)
		return false; /* it is about to begin, or to end */
	if (!remote_u64(&p->remote, thread + o->interpreter_of_thread, &back))
		return false;
	*may_change = false;
	return back == interpreter;
}

enum { RUNTIME, VERSION, EVALUATES, CODE_TYPE, TEXT_TYPE, DICT_TYPE, NUMBER_TYPE, COROUTINE_TYPE, SYMBOLS };

static void python_layout_symbols(struct python_runtime *p, struct runtime_symbol symbols[SYMBOLS])
{
	static const char *const names[SYMBOLS] = {
		"_PyRuntime",  "Py_Version",     "_PyEval_EvalFrameDefault",
		"PyCode_Type", "PyUnicode_Type", "PyDict_Type",
		"PyLong_Type", "PyCoro_Type",
	};

	for (size_t i = 0; i < SYMBOLS; i++)
		symbols[i] = (struct runtime_symbol){ .name = names[i] };
	runtime_symbols(&p->file, symbols, SYMBOLS);
	p->code_type = symbols[CODE_TYPE].address;
	p->text_type = symbols[TEXT_TYPE].address;
	p->dict_type = symbols[DICT_TYPE].address;
	p->number_type = symbols[NUMBER_TYPE].address;
	p->coroutine_type = symbols[COROUTINE_TYPE].address;
	p->evaluates[0] = (struct python_range){ symbols[EVALUATES].address,
						 symbols[EVALUATES].address + symbols[EVALUATES].size };
	runtime_file_other_part(&p->file, &p->remote, symbols[EVALUATES].address, symbols[EVALUATES].size,
				&p->evaluates[1].start, &p->evaluates[1].end);
}

int python_runtime_find_layout(struct python_runtime *p, uint64_t runtime)
{
	return python_layout_debug(p, runtime) || python_layout_table(p, runtime) ? 0 : -1;
}

int python_runtime_open(struct python_runtime *p, int pid, const char **why, bool *may_change)
{
	struct runtime_symbol symbols[SYMBOLS];
	uint64_t version;

	*p = (struct python_runtime){ .remote.pid = pid };
	*may_change = true;
	*why = "no Python mapped";
	if (!runtime_file_find(pid, python_is_library, &p->file) &&
	    !runtime_file_find(pid, python_is_program, &p->file))
		return -1;
	*may_change = false;
	*why = "its interpreter has no symbols";
	python_layout_symbols(p, symbols);
	if (!symbols[RUNTIME].address || !p->evaluates[0].start || !p->code_type || !p->text_type || !p->dict_type)
		return -1;
	*why = "no right to read its memory";
	if (!remote_u64(&p->remote, symbols[RUNTIME].address, &version))
		return -1;
	*why = "its version of Python is not known";
	p->version = named_version(p);
	if (symbols[VERSION].address && remote_u64(&p->remote, symbols[VERSION].address, &version))
		p->version = (unsigned)(version >> 16);
	if (python_runtime_find_layout(p, symbols[RUNTIME].address))
		return -1;
	*why = "its interpreter is laid out in another way";
	return python_layout_is_right(p, may_change) ? 0 : -1;
}
