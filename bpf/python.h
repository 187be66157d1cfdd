/* python: what BPF programs copy of the Python code that a thread runs: its frames, which the interpreter keeps apart
 * from the C stack.  Names are found later (collect/python/). */
#ifndef BPF_PYTHON_H
#define BPF_PYTHON_H

#include <linux/types.h>

enum {
	PYTHON_PROCESSES_MAX = 4096,
	PYTHON_FRAMES_MAX = 256,  /* deeper stacks are cut, their callers left out */
	PYTHON_FRAME_BYTES = 112, /* bytes at the begin of a frame in which all that is read must be */
	PYTHON_AWAITING_MAX = 16, /* functions that await the task that runs */
	PYTHON_TASK_TEXT = 72,    /* bytes of its name */
	PYTHON_TASK_ENTRIES = 4,  /* sizeof(struct python_task) / sizeof(struct python_frame) */
	PYTHON_ENTRIES_MAX = PYTHON_FRAMES_MAX + PYTHON_AWAITING_MAX + PYTHON_TASK_ENTRIES,
	PYTHON_RING = 16 << 20,
	PYTHON_TEXTS_MAX = 4096,
};

/* Offsets in the structures of an interpreter.  All are bytes. */
struct python_layout {
	__u32 interpreter_next, interpreter_threads; /* PyInterpreterState */
	__u16 thread_next, thread_id;                /* PyThreadState; id: its pthread_t */
	__u16 thread_frame;                          /* the innermost frame, ... */
	__u16 frame_pointer;                         /* ... or, unless 0xffff, a pointer to what has it here (cframe) */
	/* A frame: _PyInterpreterFrame, PyFrameObject. */
	__u16 frame_size; /* bytes to read; at most PYTHON_FRAME_BYTES */
	__u16 frame_code, frame_previous, frame_globals;
	__u16 frame_instruction; /* a pointer to the instruction, or its number */
	__u16 frame_kind;        /* one byte; 0xffff: none */
	__u8 instruction_is_pointer;
	__u8 first_stub; /* frames of this kind and above belong to no function, and have no code */
	/* PyCodeObject, PyASCIIObject */
	__u16 code_name, code_line, text_hash;
	/* asyncio, from 3.14 on: PyThreadState, where 0 is unknown; Task, Future; a coroutine, and the top of its stack */
	__u16 thread_task;
	__u16 task_name, task_coroutine, task_awaited_by, task_is_task, task_awaited_by_is_set;
	__u16 coroutine_frame, frame_stack_top;
};

#define PYTHON_NONE 0xffff

/* To read what code is called. */
struct python_text_layout {
	__u64 code_type, text_type, dict_type, number_type, coroutine_type;
	__u16 type; /* of any object */
	__u16 code_file;
	__u16 length, state, characters, other_characters; /* of a str whose characters are ASCII, or others */
	__u16 dict_keys;
	__u8 kind_bit, has_old_dict; /* python_offsets (collect/python/python_layout.h) */
};

/* A process that runs Python. */
struct python_process {
	__u64 interpreters; /* where the pointer to the first interpreter is */
	struct python_layout layout;
	struct python_text_layout texts;
};

/* A frame, innermost first.  Code objects come and go, and the next one may have the same address: name and line as
 * they were, hashed, tell them apart. */
struct python_frame {
	__u64 code;
	__u64 globals;
	__u32 at;   /* PYTHON_FRAME_AT() */
	__u32 name; /* python_name_hash() */
};

/* The instruction: bytes from the code object on, or its number; and the kind of the frame. */
#define PYTHON_FRAME_AT(frame) ((frame)->at & 0xffffff)
#define PYTHON_FRAME_KIND(frame) ((frame)->at >> 24)

/* Kinds of our own, after the frames of the thread: functions that await the task that runs, each task's outermost function
 * first, the nearest task first; and the task, as the last PYTHON_TASK_ENTRIES frames. */
enum { PYTHON_KINDS = 0x80, PYTHON_AWAITS_FIRST = 0x80, PYTHON_AWAITS = 0x81, PYTHON_TASK = 0x82 };

/* The task of asyncio that runs. */
struct python_task {
	char name[PYTHON_TASK_TEXT]; /* as many as there is room for */
	__u64 type;                  /* the task's: address */
	__u64 value;                 /* the characters of its name; or its number, where it has no name of its own */
	__u32 at;                    /* PYTHON_FRAME_AT(): the bytes of each character; 0: it has a number */
	__u32 unused;
};

static inline __u32 python_name_hash(__u64 hash, __u32 line)
{
	hash ^= line * 0x9e3779b97f4a7c15ull;
	return (__u32)(hash ^ hash >> 32);
}

/* What code is called, as it was when it was first seen. */
struct python_texts_key {
	__u64 code;
	__u32 pid, name; /* python_name_hash() */
};

struct python_texts {
	__u32 line;
	__u32 name_length, module_length, file_length; /* a text that is longer than its room is cut; 0: it has none */
	char name[128], module[64], file[128];
};

struct python_copy {
	__u64 time_ns;
	__u32 pid, tid;
	__u32 count, is_cut; /* is_cut: there are more frames, or one could not be read */
	struct python_frame frames[PYTHON_ENTRIES_MAX];
};

#endif
