/* windows: reports where windows begin and end (bpf/windows.h), from uprobes and tracepoints whose places the collector
 * chose, and the ends of threads that were in a window. */
#include "bpf/windows.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/ring.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/user_regs.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
};

struct task_struct___group {
	struct signal_struct *signal;
};

#pragma clang attribute pop

const volatile bool have_regs = false; /* registers of a task, for the stack pointer at a tracepoint */

__u32 is_set; /* when all probes were set: the begin of a window that ended earlier may have been missed */

/* Flags of struct target_thread: this thread, or a thread of this process, has begun windows.  Threads on two CPUs may
 * set both at the same time, hence two members. */
#define thread_began slot
#define process_began skipped

static __always_inline void bpf_windows_send(__u32 pid, __u32 tid, __u64 sp, __u32 what)
{
	struct window_record r = {
		.time_ns = bpf_ktime_get_ns(),
		.sp = sp,
		.pid = pid,
		.tid = tid,
		.cpu = bpf_get_smp_processor_id(),
		.what = what,
	};

	if (r.time_ns < control.end_ns)
		ring_send(&r, sizeof(r), 1, false);
}

static __always_inline int happened(__u64 sp, __u32 what)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u32 pid = id >> 32, tid = (__u32)id;
	struct target_thread *thread = target_thread(tid), *leader = target_thread(pid);

	if (!is_set || !tid || !thread || !leader || !is_target(bpf_get_current_task_btf(), thread))
		return 0;
	if (what & WINDOW_BEGIN) {
		thread->thread_began = 1;
		leader->process_began = 1;
	}
	bpf_windows_send(pid, tid, sp, what);
	return 0;
}

SEC("uprobe")
int window_begins(struct user_regs *ctx)
{
	return happened(ctx->sp, WINDOW_BEGIN);
}

SEC("uprobe")
int window_ends(struct user_regs *ctx)
{
	return happened(ctx->sp, WINDOW_END);
}

SEC("uprobe")
int window_changes(struct user_regs *ctx)
{
	return happened(ctx->sp, WINDOW_BEGIN | WINDOW_END);
}

static __always_inline __u64 user_sp(void)
{
	struct pt_regs *regs;

	if (!have_regs)
		return 0;
	regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	return BPF_CORE_READ(regs, sp);
}

SEC("tp")
int window_begins_in_kernel(void *ctx)
{
	return happened(user_sp(), WINDOW_BEGIN);
}

SEC("tp")
int window_ends_in_kernel(void *ctx)
{
	return happened(user_sp(), WINDOW_END);
}

SEC("tp")
int window_changes_in_kernel(void *ctx)
{
	return happened(user_sp(), WINDOW_BEGIN | WINDOW_END);
}

/* ---- return addresses of probed functions ---- */

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32); /* thread */
	__type(value, struct window_returns);
} returns SEC(".maps");

#ifdef __TARGET_ARCH_x86
static const struct window_returns none;

/* Is this the address that was noted last for the thread's slot? */
static __always_inline bool is_noted(const struct window_returns *r, __u64 slot, __u64 address)
{
	for (__u32 i = 1; i <= WINDOW_RETURNS; i++) {
		__u32 at = (r->count - i) % WINDOW_RETURNS;

		if (i > r->count)
			return false;
		if (r->list[at].slot == slot)
			return r->list[at].address == address;
	}
	return false;
}
#endif

/* At the first instruction of a function whose return is probed, before the kernel replaces the return address. */
SEC("uprobe")
int window_enters(struct user_regs *ctx)
{
#ifdef __TARGET_ARCH_x86
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), at;
	struct target_thread *thread = target_thread(tid);
	struct window_returns *r;
	__u64 address;

	if (!tid || !thread || !is_target(bpf_get_current_task_btf(), thread) ||
	    bpf_probe_read_user(&address, sizeof(address), (const void *)ctx->sp))
		return 0;
	r = bpf_map_lookup_elem(&returns, &tid);
	if (!r) {
		bpf_map_update_elem(&returns, &tid, &none, BPF_NOEXIST);
		r = bpf_map_lookup_elem(&returns, &tid);
	}
	if (!r || is_noted(r, ctx->sp, address))
		return 0;
	at = r->count % WINDOW_RETURNS;
	r->list[at].slot = ctx->sp;
	r->list[at].address = address;
	r->list[at].since_ns = bpf_ktime_get_ns();
	r->count++;
#endif
	return 0;
}

/* ---- ends ---- */

static __always_inline void gone(__u32 pid, __u32 tid, bool whole_process)
{
	struct target_thread *thread = target_thread(tid), *leader = target_thread(pid);
	__u32 what = 0;

	if (!thread || !leader)
		return;
	what |= thread->thread_began ? WINDOW_THREAD_GONE : 0;
	what |= whole_process && leader->process_began ? WINDOW_PROCESS_GONE : 0;
	if (!what)
		return;
	thread->thread_began = 0;
	if (whole_process)
		leader->process_began = 0;
	bpf_windows_send(pid, tid, 0, what);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(window_thread_ends, struct task_struct *task)
{
	struct signal_struct *signal = ((struct task_struct___group *)task)->signal;

	gone((__u32)task->tgid, (__u32)task->pid, signal && !BPF_CORE_READ(signal, live.counter));
	return 0;
}

/* The thread that executes a program gets the id of its process; the others have ended. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(window_exec, struct task_struct *task, int old_tid)
{
	gone((__u32)task->tgid, (__u32)old_tid, true);
	return 0;
}
