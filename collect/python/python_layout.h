/* python_layout: where an interpreter of CPython has what we read: its version, its types, the offsets in its structures.
 *
 * From 3.13 on, _PyRuntime begins with these offsets (Include/internal/pycore_debug_offsets.h); before, they are in a table
 * for each version, from the headers.  Either are believed once the interpreter's structures lead back to themselves. */
#ifndef COLLECT_PYTHON_PYTHON_LAYOUT_H
#define COLLECT_PYTHON_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/python.h"
#include "collect/runtime/remote.h"
#include "collect/runtime/runtime_file.h"

/* How a code object says which instruction is of which line. */
enum python_lines {
	PYTHON_LNOTAB,    /* up to 3.9: Objects/lnotab_notes.txt */
	PYTHON_LINETABLE, /* 3.10: the same */
	PYTHON_LOCATIONS, /* from 3.11 on: Objects/locations.md */
};

/* What ends the frames that one call of the evaluating function runs. */
enum python_ends {
	PYTHON_EACH,  /* up to 3.10: it runs one */
	PYTHON_ENTRY, /* 3.11: a frame whose kind is 1 */
	PYTHON_STUB,  /* from 3.12 on: a frame of kind first_stub or above, which is no function's */
};

struct python_offsets {
	struct python_layout bpf;
	enum python_lines lines;
	enum python_ends ends;
	uint16_t interpreter_of_thread;
	uint16_t object_type;
	uint16_t code_qualname, code_file, code_lines, code_code;
	uint16_t text_length, text_state, text_ascii, text_other; /* the last two: where characters begin */
	uint16_t text_kind_bit;                                   /* of the state; three bits, then compact, ascii */
	uint16_t bytes_length, bytes_begin;
	uint16_t dict_keys;
	bool has_old_dict; /* up to 3.10 */
	uint16_t type_name, type_flags;
	/* For names of threads; native 0: they are not read. */
	uint16_t thread_native, frame_locals, type_keys;
};

/* A part of the evaluating function. */
struct python_range {
	uint64_t start, end;
};

struct python_runtime {
	struct remote remote;
	struct runtime_file file;
	unsigned version; /* 0x30b: 3.11 */
	uint64_t interpreters;
	uint64_t code_type, text_type, dict_type, number_type, coroutine_type;
	struct python_range evaluates[2]; /* the second: what the compiler put elsewhere; may be empty */
	struct python_offsets offsets;
};

/* Could a mapped file of this name[0..len) be an interpreter: "python3.11", "libpython3.11.so.1.0"? */
bool python_is_named(const char *name, size_t len);

/* Find the offsets in the structures of an interpreter, at first the _PyRuntime at this address: those that it publishes, or
 * those of p->version; what is in its memory may be anything.  Returns 0, and p->interpreters; -1: there are none. */
int python_runtime_find_layout(struct python_runtime *p, uint64_t runtime);

/* Could a mapped file of this name[0..len) have the tasks of asyncio: "_asyncio.cpython-314-x86_64-linux-gnu.so"? */
bool python_has_tasks(const char *name, size_t len);

/* Find the offsets in the tasks of asyncio, which it publishes for debuggers from 3.14 on; p->offsets.bpf.thread_task is 0
 * if there are none. */
void python_runtime_find_tasks(struct python_runtime *p);

/* Returns 0; -1, and *why in a few words, if pid does not run an interpreter that we know, or is not ready yet: then
 * *may_change. */
int python_runtime_open(struct python_runtime *p, int pid, const char **why, bool *may_change);

#endif
