/* python_copy: copies the Python frames of the current thread, and the task of asyncio that it runs. */
#ifndef BPF_PYTHON_PYTHON_COPY_BPF_H
#define BPF_PYTHON_PYTHON_COPY_BPF_H

#include "bpf/kernel.h"
#include "bpf/python.h"
#include "bpf/python/python_frames.bpf.h"
#include "bpf/python/python_processes.bpf.h"
#include "bpf/python/python_tasks.bpf.h"
#include "bpf/python/python_texts.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___family {
	unsigned int flags;
	int tgid;
	struct task_struct___family *group_leader, *real_parent;
};

#pragma clang attribute pop

enum { FORKED_WITHOUT_EXEC = 0x40 /* PF_FORKNOEXEC, linux/sched.h */ };

/* A process that was forked from one that runs Python, and executed nothing since, has the same interpreter. */
__attribute__((noinline)) int python_inherit(void)
{
	struct task_struct___family *task = (void *)bpf_get_current_task();
	__u32 pid = bpf_get_current_pid_tgid() >> 32, parent;
	struct python_process *p;

	task = BPF_CORE_READ(task, group_leader);
	if (!(BPF_CORE_READ(task, flags) & FORKED_WITHOUT_EXEC))
		return 0;
	parent = BPF_CORE_READ(task, real_parent, tgid);
	p = bpf_map_lookup_elem(&python_processes, &parent);
	return p && !bpf_map_update_elem(&python_processes, &pid, p, BPF_NOEXIST);
}

/* Copy the frames of the current thread into its CPU's work; returns their number. */
__attribute__((noinline)) int python_gather(void)
{
	__u64 both = bpf_get_current_pid_tgid(), turn;
	__u32 pid = both >> 32, zero = 0;
	struct python_work *w = bpf_map_lookup_elem(&python_work, &zero);

	if (!w || (!bpf_map_lookup_elem(&python_processes, &pid) && !python_inherit()))
		return 0;
	turn = ++w->turn;
	python_find();
	if (!w->next)
		return 0;
	w->copy.time_ns = bpf_ktime_get_ns();
	w->copy.pid = pid;
	w->copy.tid = (__u32)both;
	w->copy.count = python_copy_all();
	python_find_task();
	python_keep_texts();
	python_copy_task();
	return w->turn == turn ? w->copy.count : 0;
}

/* Copy the frames of the current thread.  Returns NULL if it runs no Python. */
static __always_inline struct python_copy *python_copy(void)
{
	__u32 zero = 0;
	struct python_work *w;

	if (python_gather() <= 0)
		return NULL;
	w = bpf_map_lookup_elem(&python_work, &zero);
	return w ? &w->copy : NULL;
}

/* Bytes of a copy; for the verifier, bounded. */
static __always_inline __u32 python_copy_bytes(const struct python_copy *copy)
{
	__u32 count = copy->count;

	if (count > PYTHON_ENTRIES_MAX)
		count = PYTHON_ENTRIES_MAX;
	asm volatile("" : "+r"(count));
	if (count > PYTHON_ENTRIES_MAX)
		return 0;
	return sizeof(*copy) - sizeof(copy->frames) + count * sizeof(*copy->frames);
}

#endif
