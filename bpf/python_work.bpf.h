/* python_work: a copy of Python frames in the making. */
#ifndef BPF_PYTHON_WORK_BPF_H
#define BPF_PYTHON_WORK_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"

struct python_thread {
	__u64 state; /* address of its PyThreadState; 0: not found */
	__u64 looked_ns;
};

/* What a program works with on its CPU, since programs of uprobes have little stack. */
struct python_work {
	__u64 turn; /* grows with each copy: a thread that interrupts another one in its copy spoils it */
	__u64 word, next;
	__u32 line, unused;
	struct python_thread thread;
	__u8 frame[PYTHON_FRAME_BYTES];
	struct python_copy copy;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct python_work);
} python_work SEC(".maps");

#endif
