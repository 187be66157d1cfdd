/* syscalls: how long system calls take, where their time goes, in which stack, and for which file.
 *
 *     sys_enter, sys_exit            a call begins, ends
 *     sched_switch, sched_waking     ... is blocked, or waits for a CPU
 *
 * Calls shorter than min_ns are summed by thread, call and errno in one of two tables: while the collector reads and
 * clears one, the other is filled.  Now and then a sum gets the stack of its last call, and is
 * sent.  Longer calls are sent with their stack, their file, and the stack of their longest block, which is taken
 * during the call; those for which the budget allows no stack are summed separately. */
#include "bpf/syscalls.h"
#include "bpf/compat.bpf.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/ring.bpf.h"
#include "bpf/stack_budget.bpf.h"
#include "bpf/taken_stack.bpf.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u32 is_selective; /* not all calls are chosen */
const volatile __u32 only_errors;

__u32 filling;   /* which of the tables of sums is filled */
__u64 no_begin;  /* calls that ended, but began before the recording, or at whose begin the kernel raised no event */
__u64 restarted; /* calls that a signal interrupted and the kernel repeats */
__u64 look_ns;   /* for the iterator: calls that began before this time ... */
__u32 look_for;  /* ... are reported with CALL_OPEN or CALL_HANGS.  CALL_BEFORE: look for calls that began before the
		  * recording */

struct going_own {             /* a system call that is going on */
	__u64 first;           /* its first argument */
	__u32 number, by;      /* by: the thread that had the CPU during longest_wait_ns */
	__u8 before;           /* it began before the recording */
	__u8 told;             /* enum call_flag with which it was reported: CALL_HANGS, CALL_OPEN */
	__u8 has_stack, entry; /* entry: ENTRY_NONE, ... */
	__u32 unused;
	__u64 longest_block_ns, longest_wait_ns;
};

#include "bpf/call_file.bpf.h"
#include "bpf/parts.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct call_sums);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64); /* stacks for sums were paid until then */
} sums_paid SEC(".maps");

/* The stack of the longest block of a call that goes on. */
struct block_stack {
	__s64 count;
	__u64 stack[SYSCALLS_BLOCK_FRAMES];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct block_stack);
} block_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct block_stack);
} new_block SEC(".maps");

/* The second buffer is the iterator's, which others interrupt. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct call_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratch SEC(".maps");

/* ---- what is known about the call ---- */

#ifdef __TARGET_ARCH_arm64
static __always_inline __u64 first_argument(struct pt_regs *regs, bool compat)
{
	return regs->regs[0];
}
static __always_inline __s32 number_at_exit(struct pt_regs *regs)
{
	return regs->syscallno;
}
#else
static __always_inline __u64 first_argument(struct pt_regs *regs, bool compat)
{
	return compat ? regs->bx : regs->di;
}
static __always_inline __s32 number_at_exit(struct pt_regs *regs)
{
	return regs->orig_ax;
}
#endif

/* ---- a call begins ---- */

SEC("tp_btf/sys_enter")
int BPF_PROG(syscalls_enter, struct pt_regs *regs, long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct going *g = going_get(task);
	bool compat = is_compat(task);
	__u32 number = (__u32)id | (compat ? RECORDING_SYSCALL_COMPAT : 0);
	struct syscall_about *a;
	struct going_own *own;

	if (!g)
		return 0;
	a = about(number);
	if (!a || !a->is_chosen)
		return 0;
	going_begin(g);
	own = &g->own;
	own->number = number;
	own->first = first_argument(regs, compat);
	own->told = own->before = own->has_stack = own->entry = 0;
	own->longest_block_ns = own->longest_wait_ns = own->by = 0;
	going_started(g, bpf_ktime_get_ns());
	call_file_begin(g, task, regs, a);
	return 0;
}

/* ---- off the CPU ---- */

/* Keep the stack in which the thread was blocked that is back now: its call will probably be reported. */
static __always_inline void keep_block(struct going *g, struct task_struct *task)
{
	__u64 key = (__u64)task;
	__u32 zero = 0;
	struct block_stack *block = bpf_map_lookup_elem(&new_block, &zero);

	if (!block)
		return;
	block->count = taken_entries(bpf_get_task_stack(task, block->stack, sizeof(block->stack), 0));
	g->own.longest_block_ns = g->blocked_ns;
	g->own.has_stack = !bpf_map_update_elem(&block_stacks, &key, block, BPF_ANY) || g->own.has_stack;
}

static __always_inline void drop_block(struct going *g, __u64 task)
{
	if (g->own.has_stack)
		bpf_map_delete_elem(&block_stacks, &task);
	g->own.has_stack = 0;
}

static __always_inline void drop_kept(struct going *g, __u64 task)
{
	drop_block(g, task);
	call_file_drop(g, task);
}

static __always_inline void came_back(struct going *g, struct task_struct *prev, struct task_struct *next)
{
	__u64 begun;

	if (g->waited_ns > g->own.longest_wait_ns) {
		g->own.longest_wait_ns = g->waited_ns;
		g->own.by = prev->pid;
	}
	if (g->blocked_ns <= g->own.longest_block_ns || g->mark_ns - going_begun(g) < rules.min_ns / 2)
		return;
	begun = bpf_ktime_get_ns();
	if (!stack_budget_allows(g->mark_ns - going_begun(g), begun))
		return;
	keep_block(g, next);
	stack_budget_pay(begun, false);
}

static __always_inline void bpf_syscalls_leave(struct task_struct *prev, bool preempt, __u32 bits, __u64 *now)
{
	struct going *g;

	if (!preempt && bits & TASK_DEAD_MASK) {
		g = going_dead(prev);
		if (g)
			drop_kept(g, (__u64)prev); /* exit(2), mostly */
		return;
	}
	g = going_of(prev->pid);
	if (!g || !g->begin_ns || g->off)
		return;
	call_file_keep(g, prev);
	*now = bpf_ktime_get_ns();
	going_off(g, prev, preempt, bits, *now);
}

static __always_inline void bpf_syscalls_switched(bool preempt, struct task_struct *prev, struct task_struct *next,
						  __u32 bits)
{
	__u64 now = 0;
	struct going *g;

	bpf_syscalls_leave(prev, preempt, bits, &now);
	g = going_of(next->pid);
	if (!g || !g->begin_ns || !g->off)
		return;
	going_back(g, next, now ? now : bpf_ktime_get_ns());
	came_back(g, prev, next);
}

/* Only one of these is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(syscalls_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	bpf_syscalls_switched(preempt, prev, next, prev_state);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(syscalls_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_syscalls_switched(preempt, prev, next, task_state(prev));
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(syscalls_waking, struct task_struct *task)
{
	going_woken(task);
	return 0;
}

/* ---- a call ends ---- */

static __always_inline struct call_record *bpf_syscalls_new_record(__u32 flags)
{
	__u32 which = flags & (CALL_OPEN | CALL_HANGS) ? 1 : 0;
	struct call_record *r = bpf_map_lookup_elem(&scratch, &which);

	if (!r)
		return NULL;
	r->cpu = bpf_get_smp_processor_id();
	r->flags = flags;
	r->by = r->kernel_count = r->user_count = r->copied = 0;
	r->ip = r->sp = r->bp = 0;
	r->others.count = 0;
	r->file.kind = PATH_NONE;
	return r;
}

static __always_inline void bpf_syscalls_fill_sum(struct call_record *r, struct call_sum *s)
{
	r->pid = s->pid;
	r->tid = s->tid;
	r->number = s->number;
	r->error = s->error;
	r->begin_ns = s->begin_ns;
	r->end_ns = s->end_ns;
	r->count = s->count;
	r->ns = s->ns;
	r->longest_ns = s->longest_ns;
	__builtin_memcpy(r->parts, s->parts, sizeof(r->parts));
	s->count = 0;
}

static __always_inline void send_sum(struct call_sum *s)
{
	struct call_record *r = bpf_syscalls_new_record(CALL_SUM | (s->is_long ? CALL_LONG : 0));

	if (!r)
		return;
	bpf_syscalls_fill_sum(r, s);
	ring_send(r, offsetof(struct call_record, by), r->count, false);
}

static __always_inline struct call_sum *bpf_syscalls_sum_of(__u32 tid, __u32 number, __u32 error, __u32 is_long)
{
	__u32 table = *(volatile __u32 *)&filling & 1;
	struct call_sums *all = bpf_map_lookup_elem(&sums, &table);

	return all ? &all->of[(tid * 37 + number * 5 + error + is_long) & (SYSCALLS_SUMS - 1)] : NULL;
}

static __always_inline bool bpf_syscalls_sum_is(const struct call_sum *s, __u32 tid, __u32 number, __u32 error,
						__u32 is_long)
{
	return s->count && s->tid == tid && s->number == number && s->error == error && s->is_long == is_long;
}

/* Returns the sum with this call in it. */
static __always_inline struct call_sum *bpf_syscalls_add_to_sum(const struct going *g, struct task_struct *task,
								__u32 error, __u64 now, __u32 is_long)
{
	struct call_sum *s = bpf_syscalls_sum_of(task->pid, g->own.number, error, is_long);
	__u64 ns = now - g->begin_ns;

	if (!s)
		return NULL;
	if (s->count && !bpf_syscalls_sum_is(s, task->pid, g->own.number, error, is_long))
		send_sum(s);
	if (!s->count) {
		__builtin_memset(s, 0, sizeof(*s));
		s->pid = task->tgid;
		s->tid = task->pid;
		s->number = g->own.number;
		s->error = error;
		s->is_long = is_long;
		s->begin_ns = g->begin_ns;
	}
	for (int i = 1; g->is_split && i < PARTS; i++)
		s->parts[i] += g->parts[i];
	s->count++;
	s->ns += ns;
	s->end_ns = now;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
	return s;
}

static __always_inline __u64 kept_block(struct going *g, struct call_record *r, __u64 task)
{
	struct block_stack *block = g->own.has_stack ? bpf_map_lookup_elem(&block_stacks, &task) : NULL;
	__u32 count;

	if (!block)
		return 0;
	r->kernel_count = block->count;
	count = block->count > 0 ? block->count : 0;
	if (count > SYSCALLS_BLOCK_FRAMES)
		count = SYSCALLS_BLOCK_FRAMES;
	bpf_probe_read_kernel(r->stack, sizeof(block->stack), block->stack);
	return count;
}

static __always_inline bool began_before(const struct going *g)
{
	return g->own.before || g->begin_ns < control.begin_ns;
}

static __always_inline void bpf_syscalls_fill(struct call_record *r, const struct going *g, struct task_struct *task,
					      __u32 error, __u64 now)
{
	r->pid = task->tgid;
	r->tid = task->pid;
	r->number = g->own.number;
	r->error = error;
	r->begin_ns = going_begun(g);
	r->end_ns = now;
	r->count = 1;
	r->ns = r->longest_ns = now - r->begin_ns;
	r->by = g->own.by;
	r->flags |= began_before(g) ? CALL_BEFORE : 0;
	__builtin_memcpy(r->parts, g->parts, sizeof(r->parts));
}

/* The call also stands for those of its thread for which the budget allowed no stack; which calls get one is left to
 * chance. */
static __always_inline void bpf_syscalls_take_others(struct call_record *r, struct task_struct *task)
{
	struct call_sum *s = rules.earn ? bpf_syscalls_sum_of(task->pid, r->number, r->error, 1) : NULL;

	if (!s || !bpf_syscalls_sum_is(s, task->pid, r->number, r->error, 1))
		return;
	r->others.count = s->count;
	r->others.ns = s->ns;
	r->others.longest_ns = s->longest_ns;
	__builtin_memcpy(r->others.parts, s->parts, sizeof(r->others.parts));
	s->count = 0;
}

/* Send a sum with the stack of its last call, which is ending. */
static __always_inline void bpf_syscalls_report_sum(void *context, struct call_sum *s)
{
	struct call_record *r = bpf_syscalls_new_record(CALL_SUM | CALL_STACK);
	__u64 size, begun = bpf_ktime_get_ns();
	__s32 none;

	if (!r)
		return;
	bpf_syscalls_fill_sum(r, s);
	size = offsetof(struct call_record, stack) +
	       stack_take(context, &ring, (struct taken_stack){ &none, &r->user_count, &r->copied, r->stack },
			  SYSCALLS_FRAMES, false);
	if (size <= sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0))
		ring_send(r, size, r->count, false);
	stack_budget_pay(begun, r->copied);
}

static __always_inline void bpf_syscalls_report(void *context, struct going *g, struct task_struct *task,
						struct pt_regs *regs, __u32 error, long result, __u64 now, bool goes_on)
{
	struct call_record *r = bpf_syscalls_new_record(g->own.told && !goes_on ? CALL_TOLD : 0);
	__u64 size, begun = bpf_ktime_get_ns();
	__u32 used;
	__s32 none;

	if (!r)
		return;
	bpf_syscalls_fill(r, g, task, error, now);
	r->flags |= goes_on ? CALL_OPEN : 0;
	bpf_syscalls_take_others(r, task);
	call_file_find(&r->file, g, task, regs, result);
	used = kept_block(g, r, (__u64)task);
	if (used > SYSCALLS_BLOCK_FRAMES)
		return;
	size = offsetof(struct call_record, stack) + used * sizeof(__u64) +
	       stack_take(context, &ring, (struct taken_stack){ &none, &r->user_count, &r->copied, &r->stack[used] },
			  SYSCALLS_FRAMES, false);
	if (size <= sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0))
		ring_send(r, size, 1 + r->others.count, r->flags & CALL_TOLD || r->ns >= rules.urgent_ns);
	stack_budget_pay(begun, r->copied);
}

/* A signal interrupted the call, and the kernel may or may not repeat it (include/linux/errno.h). */
enum { ERESTARTSYS = 512, ERESTART_RESTARTBLOCK = 516 };

static __always_inline __u32 error_of(long result)
{
	__u32 error = result < 0 && result >= -SYSCALLS_KEPT_ERRORS ? -result : 0;

	if (error >= ERESTARTSYS && error <= ERESTART_RESTARTBLOCK)
		__sync_fetch_and_add(&restarted, 1);
	return error;
}

/* A call that went on as the recording ended, but was over before the iterator could look at it. */
static __always_inline void bpf_syscalls_end_open(void *context, struct going *g, struct task_struct *task,
						  struct pt_regs *regs)
{
	if (only_errors || g->own.told & CALL_OPEN || going_begun(g) + rules.min_ns > control.end_ns ||
	    !span_cpu_wanted(bpf_get_smp_processor_id()))
		return;
	going_pass(g, control.end_ns, RECORDING_REASON_CPU);
	bpf_syscalls_report(context, g, task, regs, 0, -1, control.end_ns, true);
}

static __always_inline void bpf_syscalls_end_call(void *context, struct going *g, struct task_struct *task,
						  struct pt_regs *regs, long result)
{
	__u64 now = bpf_ktime_get_ns();
	__s32 number = number_at_exit(regs);
	__u64 *paid_ns;
	struct call_sum *s;
	__u32 error, zero = 0;

	if (now < control.begin_ns)
		return;
	if (number != -1 && (__u32)number != (g->own.number & ~RECORDING_SYSCALL_COMPAT)) {
		going_missed();
		return;
	}
	if (now > control.end_ns) {
		bpf_syscalls_end_open(context, g, task, regs);
		return;
	}
	error = number == -1 ? 0 : error_of(result); /* sigreturn(2) has no result */
	if ((only_errors && !error) || !span_cpu_wanted(bpf_get_smp_processor_id()))
		return;
	if (began_before(g) && now - going_begun(g) < rules.min_ns) {
		__sync_fetch_and_add(&no_begin, 1);
		return;
	}
	if (now - g->begin_ns < rules.min_ns) {
		s = bpf_syscalls_add_to_sum(g, task, error, now, 0);
		paid_ns = bpf_map_lookup_elem(&sums_paid, &zero);
		if (s && paid_ns && stack_budget_allows_sum(paid_ns, now, SYSCALLS_STACK_NS, SYSCALLS_STACKS_AT_ONCE))
			bpf_syscalls_report_sum(context, s);
		return;
	}
	if (!began_before(g) && !g->own.told && !stack_budget_allows(now - g->begin_ns, now)) {
		bpf_syscalls_add_to_sum(g, task, error, now, 1);
		return;
	}
	going_pass(g, now, RECORDING_REASON_CPU);
	bpf_syscalls_report(context, g, task, regs, error, number == -1 ? -1 : result, now, false);
}

/* The begin was not seen, as is always the case for a new thread's first call. */
static __always_inline void bpf_syscalls_count_no_begin(struct task_struct *task)
{
	struct target_thread *thread = target_thread(task->pid);

	if (!is_selective && thread && is_target(task, thread) && bpf_ktime_get_ns() >= control.begin_ns)
		__sync_fetch_and_add(&no_begin, 1);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(syscalls_exit, struct pt_regs *regs, long result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct going *g = going_of(task->pid);

	if (!g || !going_here(g)) {
		bpf_syscalls_count_no_begin(task);
		return 0;
	}
	bpf_syscalls_end_call(ctx, g, task, regs, result);
	drop_kept(g, (__u64)task);
	going_end(g);
	return 0;
}

/* ---- calls that go on ---- */

struct bpf_iter__task {
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* Calls in which threads are blocked as the recording begins count from then on. */
static __always_inline int bpf_syscalls_look_at_start(struct task_struct *task)
{
	__u32 bits = task_state(task);
	struct syscall_about *a;
	struct pt_regs *regs;
	struct going *g;
	__s32 number;
	__u32 full;

	if (!have_regs || task->flags & PF_KTHREAD || task->on_cpu || !bits || bits & (TASK_DEAD_MASK | TASK_NEW))
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	number = number_at_exit(regs);
	if (number < 0 || number >= SYSCALLS_NUMBERS)
		return 0;
	full = number | (is_compat(task) ? RECORDING_SYSCALL_COMPAT : 0);
	a = about(full);
	g = a && a->is_chosen ? going_get(task) : NULL;
	if (!g || g->begin_ns)
		return 0;
	going_begin(g);
	__builtin_memset(&g->own, 0, sizeof(g->own));
	g->own.number = full;
	g->own.first = first_argument(regs, is_compat(task));
	g->own.before = 1;
	g->mark_ns = control.begin_ns;
	g->woken_ns = 0;
	g->off = RECORDING_REASON_OTHER;
	going_started(g, control.begin_ns);
	return 0;
}

/* Add the kernel stack in which the thread is blocked, and the one of its longest block before.  Returns the size of
 * the record. */
static __always_inline __u64 bpf_syscalls_add_place(struct call_record *r, struct task_struct *task)
{
	struct user_place place = user_place(task);
	__u32 used = 0;

	r->kernel_count = taken_entries(bpf_get_task_stack(task, r->stack, SYSCALLS_BLOCK_FRAMES * sizeof(__u64), 0));
	if (r->kernel_count > 0)
		used = r->kernel_count;
	if (used > SYSCALLS_BLOCK_FRAMES)
		used = SYSCALLS_BLOCK_FRAMES;
	r->ip = place.ip;
	r->sp = place.sp;
	r->bp = place.bp;
	if (is_walked())
		r->copied = copy_registers(task, (struct user_copy *)&r->stack[used]);
	return used * sizeof(__u64) + r->copied;
}

/* The collector runs this program, which visits all threads. */
SEC("iter/task")
int syscalls_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	__u64 begin, now, size = offsetof(struct call_record, stack);
	struct call_record *r;
	struct going *g;

	if (!task || look_for == CALL_BEFORE)
		return task ? bpf_syscalls_look_at_start(task) : 0;
	g = going_of(task->pid);
	if (!g || !g->begin_ns || going_begun(g) > look_ns || !span_cpu_wanted(task_cpu(task)) ||
	    g->own.told & look_for)
		return 0;
	r = bpf_syscalls_new_record(look_for);
	if (!r)
		return 0;
	now = going_until(bpf_ktime_get_ns());
	begin = g->begin_ns;
	r->cpu = task_cpu(task);
	bpf_syscalls_fill(r, g, task, 0, now);
	going_so_far(g, now, r->parts);
	call_file_find(&r->file, g, task, NULL, -1);
	if (!task->on_cpu)
		size += bpf_syscalls_add_place(r, task);
	asm volatile("" : "+r"(size)); /* compare exactly the value that is sent: the verifier of Linux 6.1 sees no
				        * other bound */
	if (size > sizeof(*r) || *(volatile __u64 *)&g->begin_ns != begin)
		return 0;
	g->own.told |= look_for;
	ring_send(r, size, 1, true);
	return 0;
}
