/* exec: makes a COMMAND a target when it begins.  A program whose collector calls bpf_targets_await_exec() must
 * include this file or slots.bpf.h, or do the same; otherwise it never sees the COMMAND. */
#ifndef BPF_EXEC_BPF_H
#define BPF_EXEC_BPF_H

#include "bpf/targets.bpf.h"

/* A COMMAND begins with its exec.  The thread that executes a program gets the id of its process, and remains a
 * target. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(target_exec, struct task_struct *task, int old_tid)
{
	struct target_thread *from = target_thread(old_tid), *to = target_thread(task->pid);

	if (from && to && (from->decision == TARGET_AT_EXEC || from->decision == TARGET_YES))
		to->decision = TARGET_YES;
	return 0;
}

#endif
