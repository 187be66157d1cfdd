/* processes: which processes begin, which programs they execute, and how they end.
 *
 *     sched_process_fork     a process begins
 *     sched_process_exec     it executes a program, whose arguments are on its new stack
 *     sys_exit_execve, ..at  the exec failed: the arguments are still where the program had them
 *     sched_process_exit     its last thread ends
 *     sched_process_free     the kernel frees the process: its CPU time is final
 *     iter/task              which processes there are
 *
 * Threads, and threads of the kernel, do not count as processes here. */
#include "bpf/processes.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/ring.bpf.h"
#include "bpf/steps.bpf.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
	int nr_threads;
	struct list_head thread_head;
	int group_exit_code;
	unsigned int flags;
	unsigned long long sum_sched_runtime;
	unsigned long maxrss;
};

struct mm_struct {
	unsigned long arg_start, arg_end;
};

struct task_struct___process {
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct signal_struct *signal;
	struct mm_struct *mm;
	struct list_head thread_node;
	int exit_code;
};

struct pt_regs___first { /* of arm64 */
	__u64 orig_x0;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct trace_event_raw_sys_exit {
	long ret;
};

#pragma clang attribute pop

enum { THREADS_MAX = 1 << 20, ARGUMENTS_MAX = 256, SIGNAL_GROUP_EXIT = 4, CORE_DUMPED = 0x80 };

enum { HEAD = __builtin_offsetof(struct process_record, args) };

/* Records without arguments are prepared on the stack where another program may interrupt this one: sched_process_free
 * comes in interrupts, and an iterator can be preempted. */
struct head {
	__u64 words[HEAD / sizeof(__u64)];
};

struct scratch {
	struct process_record record;
	char room[PROCESS_ARGS]; /* room beyond the last argument: the verifier requires constant lengths */
};

/* Scratch memory for each program, since from Linux 7.0 on, a thread may be preempted while it runs a program, and
 * another program may run then. */
enum { SCRATCH_FORK, SCRATCH_EXEC, SCRATCH_FAILED, SCRATCH_FAILED_AT, SCRATCH_EXIT, SCRATCHES };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCRATCHES);
	__type(key, __u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

/* ---- what a process is ---- */

static __always_inline struct task_struct___process *more(struct task_struct *task)
{
	return (void *)task;
}

static __always_inline bool bpf_processes_is_wanted(struct task_struct *task, __u32 pid)
{
	struct target_thread *thread = target_thread(pid);

	return thread && is_target(task, thread);
}

/* A new process is in its own current group, whichever group its parent was in. */
static __always_inline bool is_born_in_cgroup(struct task_struct *child)
{
	struct target_thread *thread = target_thread((__u32)child->pid);

	if (thread)
		thread->decision = TARGET_UNKNOWN;
	return bpf_processes_is_wanted(child, (__u32)child->pid);
}

struct thread_sum {
	struct list_head *head, *at;
	struct task_struct *first;
	__u64 ns, first_ns;
};

static long thread_step(__u64 i, struct thread_sum *sum)
{
	struct list_head *at = sum->at;
	struct task_struct *task;
	__u64 ns;

	if (!at || at == sum->head)
		return 1;
	task = (void *)((char *)at - bpf_core_field_offset(struct task_struct___process, thread_node));
	ns = BPF_CORE_READ(task, se.sum_exec_runtime);
	sum->ns += ns;
	if (task == sum->first)
		sum->first_ns = ns;
	sum->at = BPF_CORE_READ(at, next);
	return 0;
}

STEPS(thread_step, struct thread_sum, THREADS_MAX);

/* Fill in the CPU time of a process and of its first thread, and the time.  An interrupt may come in between and count
 * a tick.  So each thread is read only once, and the clock is read last; then the CPU time never exceeds the time that
 * has passed. */
static __always_inline void bpf_processes_measure(struct process_record *r, struct task_struct *first)
{
	struct signal_struct *signal = BPF_CORE_READ(more(first), signal);
	struct thread_sum sum = { .first = first, .ns = BPF_CORE_READ(signal, sum_sched_runtime) };

	sum.head = (void *)((char *)signal + bpf_core_field_offset(struct signal_struct, thread_head));
	sum.at = BPF_CORE_READ(signal, thread_head.next);
	thread_steps(&sum);
	r->cpu_ns = sum.ns;
	r->main_ns = sum.first_ns;
	r->time_ns = bpf_ktime_get_ns();
}

static __always_inline void bpf_processes_describe(struct process_record *r, struct task_struct *task, __u32 event)
{
	struct task_struct *leader = BPF_CORE_READ(more(task), group_leader);
	struct task_struct *parent = BPF_CORE_READ(more(leader), real_parent);
	struct signal_struct *signal = BPF_CORE_READ(more(task), signal);

	__builtin_memset(r, 0, HEAD);
	r->time_ns = bpf_ktime_get_ns();
	r->event = event;
	r->start_ns = BPF_CORE_READ(leader, start_time);
	r->pid = (__u32)BPF_CORE_READ(task, tgid);
	r->parent = (__u32)BPF_CORE_READ(parent, tgid);
	r->peak_pages = BPF_CORE_READ(signal, maxrss);
	if (BPF_CORE_READ(leader, flags) & PF_KTHREAD)
		r->flags |= PROCESS_KERNEL;
	BPF_CORE_READ_STR_INTO(&r->name, leader, comm);
}

static __always_inline struct process_record *bpf_processes_begin(struct task_struct *task, __u32 event, __u32 which)
{
	struct process_record *s = bpf_map_lookup_elem(&scratch, &which);

	if (s)
		bpf_processes_describe(s, task, event);
	return s;
}

static __always_inline void bpf_processes_send(struct process_record *s)
{
	__u32 bytes = s->args_bytes;

	if (bytes <= PROCESS_ARGS)
		ring_send(s, HEAD + bytes, 1, false);
}

/* ---- fork ---- */

SEC("tp_btf/sched_process_fork")
int BPF_PROG(processes_fork, struct task_struct *parent, struct task_struct *child)
{
	struct process_record *s;
	bool wanted;

	if (child->pid != child->tgid || child->flags & PF_KTHREAD)
		return 0;
	if (target_rules.cgroup)
		wanted = is_born_in_cgroup(child);
	else
		wanted = (target_rules.everybody || target_rules.inherit) &&
			 bpf_processes_is_wanted(parent, (__u32)parent->pid);
	s = wanted ? bpf_processes_begin(child, PROCESS_FORK, SCRATCH_FORK) : NULL;
	if (s)
		bpf_processes_send(s);
	return 0;
}

/* ---- exec ---- */

static __always_inline void copy_arguments(struct process_record *s, struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(more(task), mm);
	unsigned long from = BPF_CORE_READ(mm, arg_start), to = BPF_CORE_READ(mm, arg_end);
	__u64 bytes = to > from ? to - from : 0;

	s->args_whole = bytes;
	barrier_var(bytes); /* so that the verifier sees the bound on the value that is used */
	if (bytes > PROCESS_ARGS)
		bytes = PROCESS_ARGS;
	if (!bpf_probe_read_user(s->args, bytes, (const void *)from))
		s->args_bytes = (__u32)bytes;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(processes_exec, struct task_struct *task, int old_tid)
{
	struct target_thread *old = target_thread((__u32)old_tid), *now = target_thread((__u32)task->pid);
	struct process_record *s;

	if (!bpf_processes_is_wanted(task, (__u32)task->pid) && !(old && old->decision == TARGET_AT_EXEC) &&
	    !(now && now->decision == TARGET_AT_EXEC))
		return 0;
	s = bpf_processes_begin(task, PROCESS_EXEC, SCRATCH_EXEC);
	if (!s)
		return 0;
	bpf_processes_measure(s, task);
	if (old_tid != task->pid)
		s->flags |= PROCESS_OTHER;
	copy_arguments(s, task);
	bpf_processes_send(s);
	return 0;
}

/* ---- execs that fail ---- */

struct argument_copy {
	struct process_record *s;
	const char *const *next;
	__u32 used;
};

static long argument_step(__u64 i, struct argument_copy *c)
{
	const char *text = NULL;
	__u32 at = c->used;
	long len;

	if (at >= PROCESS_ARGS || bpf_probe_read_user(&text, sizeof(text), c->next) || !text)
		return 1;
	len = bpf_probe_read_user_str(&c->s->args[at], PROCESS_ARGS, text);
	if (len <= 0)
		return 1;
	c->used = at + (__u32)len;
	c->next++;
	return 0;
}

STEPS(argument_step, struct argument_copy, ARGUMENTS_MAX);

/* Read the file, in place of the first argument, and the other arguments. */
static __always_inline void copy_failed(struct process_record *s, const char *file, const char *const *arguments)
{
	struct argument_copy copy = { .s = s, .next = arguments + 1 };
	long len = bpf_probe_read_user_str(s->args, PROCESS_ARGS, file);
	const char *rest = NULL;

	if (len <= 0)
		return;
	copy.used = (__u32)len;
	if (arguments && !bpf_probe_read_user(&rest, sizeof(rest), arguments) && !rest)
		arguments = NULL; /* there are no arguments: what follows is the environment */
	if (arguments)
		argument_steps(&copy);
	s->args_bytes = copy.used <= PROCESS_ARGS ? copy.used : PROCESS_ARGS;
	s->args_whole = copy.used;
	/* There are more arguments, or one is not in memory. */
	if (arguments && (bpf_probe_read_user(&rest, sizeof(rest), copy.next) || rest))
		s->args_whole++;
}

static __always_inline int bpf_processes_failed(struct trace_event_raw_sys_exit *ctx, bool at)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long error = -ctx->ret;
	struct process_record *s;

	if (error <= 0 || !bpf_processes_is_wanted(task, (__u32)task->pid))
		return 0;
	s = bpf_processes_begin(task, PROCESS_FAILED, at ? SCRATCH_FAILED_AT : SCRATCH_FAILED);
	if (!s)
		return 0;
	s->status = (__u32)error;
#ifdef __TARGET_ARCH_arm64
	if (at)
		copy_failed(s, (void *)regs->regs[1], (void *)regs->regs[2]);
	else
		copy_failed(s, (void *)BPF_CORE_READ((struct pt_regs___first *)regs, orig_x0), (void *)regs->regs[1]);
#else
	if (at)
		copy_failed(s, (void *)regs->si, (void *)regs->dx);
	else
		copy_failed(s, (void *)regs->di, (void *)regs->si);
#endif
	bpf_processes_send(s);
	return 0;
}

SEC("?tp/syscalls/sys_exit_execve")
int processes_failed(struct trace_event_raw_sys_exit *ctx)
{
	return bpf_processes_failed(ctx, false);
}

SEC("?tp/syscalls/sys_exit_execveat")
int processes_failed_at(struct trace_event_raw_sys_exit *ctx)
{
	return bpf_processes_failed(ctx, true);
}

/* ---- exit ---- */

static __always_inline __u32 bpf_processes_status_of(struct task_struct *task, struct signal_struct *signal)
{
	struct task_struct *leader = BPF_CORE_READ(more(task), group_leader);

	if (BPF_CORE_READ(signal, flags) & SIGNAL_GROUP_EXIT)
		return (__u32)BPF_CORE_READ(signal, group_exit_code);
	return (__u32)BPF_CORE_READ(more(leader), exit_code);
}

/* The same as task_state(), for a task that the kernel has not passed to us as an argument. */
static __always_inline unsigned state_read(const struct task_struct *task)
{
	const struct task_struct___state *old = (const void *)task;

	return bpf_core_field_exists(task->__state) ? BPF_CORE_READ(task, __state)
						    : (unsigned)BPF_CORE_READ(old, state);
}

/* Two threads that end at once may both be taken for the last one. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(processes_exit, struct task_struct *task)
{
	struct signal_struct *signal = BPF_CORE_READ(more(task), signal);
	struct task_struct *leader, *parent;
	struct process_record *s;

	if (BPF_CORE_READ(signal, live.counter) || task->flags & PF_KTHREAD ||
	    !bpf_processes_is_wanted(task, (__u32)task->tgid))
		return 0;
	s = bpf_processes_begin(task, PROCESS_EXIT, SCRATCH_EXIT);
	if (!s)
		return 0;
	leader = BPF_CORE_READ(more(task), group_leader);
	bpf_processes_measure(s, leader);
	s->status = bpf_processes_status_of(task, signal);
	if (s->status & CORE_DUMPED)
		s->flags |= PROCESS_CORE;
	parent = BPF_CORE_READ(more(leader), real_parent);
	if (state_read(parent) & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE))
		s->flags |= PROCESS_PARENT_SLEEPS;
	bpf_processes_send(s);
	return 0;
}

/* The sum includes the CPU time of the last thread, but perhaps only up to the last tick. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(processes_free, struct task_struct *task)
{
	__u64 sum, own = task->se.sum_exec_runtime;
	struct head head;
	struct process_record *r = (void *)&head;

	if (task->pid != task->tgid || task->flags & PF_KTHREAD)
		return 0;
	bpf_processes_describe(r, task, PROCESS_FREE);
	sum = BPF_CORE_READ(more(task), signal, sum_sched_runtime);
	r->cpu_ns = sum > own ? sum : own;
	r->main_ns = own;
	ring_send(r, HEAD, 1, false);
	return 0;
}

/* ---- what there is ---- */

/* The first thread of the process may have ended before the others. */
static __always_inline bool bpf_processes_has_ended(struct task_struct *task)
{
	return task->exit_state && !BPF_CORE_READ(more(task), signal, live.counter);
}

SEC("?iter/task")
int processes_there(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct head head;
	struct process_record *r = (void *)&head;

	if (!task || task->pid != task->tgid || task->flags & PF_KTHREAD || bpf_processes_has_ended(task) ||
	    !bpf_processes_is_wanted(task, (__u32)task->pid))
		return 0;
	bpf_processes_describe(r, task, PROCESS_THERE);
	bpf_processes_measure(r, task);
	bpf_seq_write(ctx->meta->seq, r, HEAD);
	return 0;
}
