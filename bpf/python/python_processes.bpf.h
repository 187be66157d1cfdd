/* python_processes: the processes that run Python, as user space says. */
#ifndef BPF_PYTHON_PYTHON_PROCESSES_BPF_H
#define BPF_PYTHON_PYTHON_PROCESSES_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"

/* LRU, since those that python_inherit() adds may end unnoticed. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PYTHON_PROCESSES_MAX);
	__type(key, __u32);
	__type(value, struct python_process);
} python_processes SEC(".maps");

#endif
