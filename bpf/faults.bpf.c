/* faults: how long page faults take, where their time goes, and in which stack.
 *
 *     page_fault_user, page_fault_kernel        a fault begins; where the kernel lacks these, as on arm64, the
 *                                               software event page-faults, which does not say for what access
 *     contention_begin, _end                    ... waits for mmap_lock
 *     mm_vmscan_direct_reclaim_begin, _end, ... ... frees memory
 *     sched_switch, sched_waking                ... is blocked, or waits for a CPU
 *     minor-faults, major-faults                handle_mm_fault() has come to its end: software events of perf with a
 *                                               period of 1, raised by mm_account_fault() (mm/memory.c)
 *
 * Faults shorter than min_ns are summed: a stack for each would cost more than the faults.  So are others that the budget
 * allows no stack, apart. */
#include "bpf/faults.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/mmap_lock.bpf.h"
#include "bpf/ring.bpf.h"
#include "bpf/stack_budget.bpf.h"
#include "bpf/stack_place.bpf.h"
#include "bpf/taken_stack.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/user_regs.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u32 have_find_vma = 1; /* bpf_find_vma() exists: Linux 5.17 */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_flags, vm_pgoff;
	struct file *vm_file;
};

struct task_struct___faults {
	int pagefault_disabled;
};

#pragma clang attribute pop

enum { PAGE_SHIFT = 12, VM_SHARED = 8 };

/* arch/x86/include/asm/trap_pf.h */
enum { PF_PROT = 1, PF_WRITE = 2, PF_USER = 4, PF_INSTR = 16 };

#ifdef __TARGET_ARCH_arm64
#define REGS_IP(regs) ((regs)->pc)
#define ARE_OF_USER(regs) (((regs).pstate & 15) == 0)
#else
#define REGS_IP(regs) ((regs)->ip)
#define ARE_OF_USER(regs) ((regs).cs & 3)
#endif

/* linux/bpf_perf_event.h */
struct bpf_perf_event_data {
	struct user_regs regs;
	__u64 sample_period, addr;
};

enum { IN_LOCK = 1, IN_RECLAIM = 2, IN_COMPACTION = 4 };

struct going_own {            /* a fault that is going on */
	__u32 tid, error, in; /* in: IN_LOCK, ... */
	__u64 address, ip;
};

#include "bpf/parts.bpf.h"

struct fault_cpu {
	__u64 credit_ns; /* stacks for sums were paid until then */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fault_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fault_sums);
} sums SEC(".maps");

/* Files whose paths the collector was asked to find while their processes live. */
struct known_file {
	__u64 inode, device;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct known_file);
	__type(value, __u32);
} known_files SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct fault_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratch SEC(".maps");

static __always_inline struct fault_cpu *bpf_faults_this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

/* ---- a fault begins ---- */

static __always_inline void bpf_faults_begin(unsigned long address, unsigned long ip, unsigned long error)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct going *f;

	if ((long)address < 0)
		return;
	/* With page faults disabled, the kernel (perhaps for a BPF program) only tries whether memory is present,
	 * without waiting for it. */
	if (!(error & PF_USER) && ((struct task_struct___faults *)task)->pagefault_disabled)
		return;
	f = going_get(task);
	if (!f)
		return;
	going_begin(f);
	f->own.tid = task->pid;
	f->own.error = error;
	f->own.address = address;
	f->own.ip = ip;
	f->own.in = 0;
	going_started(f, bpf_ktime_get_ns());
}

SEC("?tp_btf/page_fault_user")
int BPF_PROG(faults_user, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	bpf_faults_begin(address, REGS_IP(regs), error);
	return 0;
}

SEC("?tp_btf/page_fault_kernel")
int BPF_PROG(faults_kernel, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	bpf_faults_begin(address, REGS_IP(regs), error);
	return 0;
}

SEC("?perf_event")
int faults_begin(struct bpf_perf_event_data *ctx)
{
	unsigned long ip = ctx->regs.ip;

	bpf_faults_begin(ctx->addr, ip, (ARE_OF_USER(ctx->regs) ? PF_USER : 0) | (ctx->addr == ip ? PF_INSTR : 0));
	return 0;
}

/* ---- where its time goes ---- */

/* The fault of the current thread; NULL: there is none. */
static __always_inline struct going *current_fault(void)
{
	struct going *f = going_of((__u32)bpf_get_current_pid_tgid());

	return f && going_here(f) ? f : NULL;
}

/* in: the kinds of work that the fault is now inside of. */
static __always_inline void go_into(struct going *f, __u32 in)
{
	going_pass(f, bpf_ktime_get_ns(), RECORDING_REASON_CPU);
	f->own.in = in;
	f->inside = in & IN_LOCK         ? RECORDING_REASON_MMAP_LOCK
		    : in & IN_RECLAIM    ? RECORDING_REASON_RECLAIM
		    : in & IN_COMPACTION ? RECORDING_REASON_COMPACTION
					 : 0;
}

static __always_inline void bpf_faults_enter(__u32 bit)
{
	struct going *f = current_fault();

	if (f)
		go_into(f, f->own.in | bit);
}

static __always_inline void bpf_faults_leave(__u32 bit)
{
	struct going *f = current_fault();

	if (f && f->own.in & bit)
		go_into(f, f->own.in & ~bit);
}

/* Interrupts wait for locks, too, but never for mmap_lock.  They must not touch the fault, since they may have
 * interrupted a program that is changing it. */
SEC("?tp_btf/contention_begin")
int BPF_PROG(faults_contention_begin, void *lock)
{
	if (is_mmap_lock(lock))
		bpf_faults_enter(IN_LOCK);
	return 0;
}

SEC("?tp_btf/contention_end")
int BPF_PROG(faults_contention_end, void *lock)
{
	if (is_mmap_lock(lock))
		bpf_faults_leave(IN_LOCK);
	return 0;
}

#define SECTION(event, name, what)          \
	SEC("?tp_btf/" #event "_begin")     \
	int BPF_PROG(faults_##name##_begin) \
	{                                   \
		bpf_faults_enter(what);     \
		return 0;                   \
	}                                   \
	SEC("?tp_btf/" #event "_end")       \
	int BPF_PROG(faults_##name##_end)   \
	{                                   \
		bpf_faults_leave(what);     \
		return 0;                   \
	}

SECTION(mm_vmscan_direct_reclaim, reclaim, IN_RECLAIM)
SECTION(mm_vmscan_memcg_reclaim, memcg_reclaim, IN_RECLAIM)
SECTION(mm_compaction, compaction, IN_COMPACTION)

/* ---- off the CPU ---- */

static __always_inline void bpf_faults_leave_cpu(struct task_struct *prev, bool preempt, __u32 bits)
{
	struct going *f;

	if (!preempt && bits & TASK_DEAD_MASK) {
		if (going_dead(prev))
			going_missed();
		return;
	}
	f = going_of(prev->pid);
	if (f && f->begin_ns && !f->off)
		going_off(f, prev, preempt, bits, bpf_ktime_get_ns());
}

static __always_inline void bpf_faults_switched(bool preempt, struct task_struct *prev, struct task_struct *next,
						__u32 bits)
{
	struct going *f;

	bpf_faults_leave_cpu(prev, preempt, bits);
	f = going_of(next->pid);
	if (f && f->begin_ns && f->off)
		going_back(f, next, bpf_ktime_get_ns());
}

/* Only one of these is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(faults_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	bpf_faults_switched(preempt, prev, next, prev_state);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(faults_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_faults_switched(preempt, prev, next, task_state(prev));
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(faults_waking, struct task_struct *task)
{
	going_woken(task);
	return 0;
}

/* ---- a fault ends ---- */

struct look {
	struct fault_record *r;
	__u64 mapped_from, mapped_to;
};

static long bpf_faults_look_at(struct task_struct *task, struct vm_area_struct *vma, struct look *l)
{
	struct fault_record *r = l->r;
	struct file *file = vma->vm_file;

	l->mapped_from = vma->vm_start;
	l->mapped_to = vma->vm_end;
	r->flags |= FAULT_HAS_VMA;
	if (vma->vm_flags & VM_SHARED)
		r->flags |= FAULT_SHARED;
	if (!file)
		return 0;
	r->flags |= FAULT_OF_FILE;
	r->offset = ((r->address - vma->vm_start) >> PAGE_SHIFT << PAGE_SHIFT) + (vma->vm_pgoff << PAGE_SHIFT);
	r->inode = BPF_CORE_READ(file, f_inode, i_ino);
	r->device = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	bpf_probe_read_kernel_str(r->name, sizeof(r->name), BPF_CORE_READ(file, f_path.dentry, d_name.name));
	return 0;
}

static __always_inline __u32 bpf_faults_flags_of(__u32 error, bool major)
{
	return (major ? FAULT_MAJOR : 0) | (error & PF_WRITE ? FAULT_WRITE : 0) | (error & PF_INSTR ? FAULT_EXEC : 0) |
	       (error & PF_PROT ? FAULT_PRESENT : 0) | (error & PF_USER ? 0 : FAULT_BY_KERNEL);
}

/* Append the stack at the fault, or the copy for walking it.  Returns the size of the record. */
static __always_inline __u64 bpf_faults_add_stack(void *context, struct fault_record *r)
{
	return offsetof(struct fault_record, stack) +
	       stack_take(context, &ring,
			  (struct taken_stack){ &r->kernel_count, &r->user_count, &r->copied, r->stack }, FAULTS_FRAMES,
			  r->flags & FAULT_BY_KERNEL);
}

static __always_inline bool is_new_file(const struct fault_record *r)
{
	struct known_file file = { r->inode, r->device };
	__u32 yes = 1;

	return r->flags & FAULT_OF_FILE && !bpf_map_update_elem(&known_files, &file, &yes, BPF_NOEXIST);
}

static __always_inline bool bpf_faults_send(struct fault_record *r, __u64 size)
{
	return size <= sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0) &&
	       ring_send(r, size, r->count, is_new_file(r) || r->longest_ns >= rules.urgent_ns);
}

static __always_inline struct fault_record *bpf_faults_new_record(void)
{
	__u32 zero = 0;
	struct fault_record *r = bpf_map_lookup_elem(&scratch, &zero);

	if (!r)
		return NULL;
	r->cpu = bpf_get_smp_processor_id();
	r->offset = r->inode = r->device = 0;
	r->others.count = 0;
	r->name[0] = 0;
	return r;
}

/* A sum without a stack. */
static __always_inline void send_rest(struct fault_sum *s, __u32 kind)
{
	struct fault_record *r = bpf_faults_new_record();

	if (!r)
		return;
	r->flags = FAULT_SUM | FAULT_REST | fault_sum_flags(kind);
	r->pid = s->pid;
	r->tid = s->tid;
	r->begin_ns = s->begin_ns;
	r->end_ns = bpf_ktime_get_ns();
	r->address = 0;
	r->ip = s->ip;
	__builtin_memcpy(r->parts, s->parts, sizeof(r->parts));
	r->count = s->count;
	r->ns = s->ns;
	r->longest_ns = s->longest_ns;
	r->kernel_count = 0;
	r->user_count = 1;
	r->copied = 0;
	r->stack[0] = s->ip;
	bpf_faults_send(r, offsetof(struct fault_record, stack) + sizeof(__u64));
	s->count = 0;
}

static __always_inline void begin_sum(struct fault_sum *s, const struct going *f)
{
	s->pid = bpf_get_current_pid_tgid() >> 32;
	s->tid = f->own.tid;
	s->ns = s->longest_ns = 0;
	s->begin_ns = f->begin_ns;
	__builtin_memset(s->parts, 0, sizeof(s->parts));
}

/* The sum of faults of this kind. */
static __always_inline struct fault_sum *bpf_faults_sum_of(__u32 kind)
{
	__u32 zero = 0;
	struct fault_sums *all = bpf_map_lookup_elem(&sums, &zero);

	return all ? &all->of[kind & (FAULTS_SUMS - 1)] : NULL;
}

/* Add a short fault to the sum of its thread. */
static __always_inline void bpf_faults_add_to_sum(struct fault_sum *s, __u32 kind, const struct going *f, __u64 now)
{
	__u64 ns = now - f->begin_ns;

	if (s->count && s->tid != f->own.tid)
		send_rest(s, kind);
	if (!s->count)
		begin_sum(s, f);
	for (int i = 1; f->is_split && i < PARTS; i++)
		s->parts[i] += f->parts[i];
	s->count++;
	s->ns += ns;
	s->ip = f->own.ip;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
}

/* The fault stands for those of its thread and kind for which the budget allowed no stack; which faults get one is left
 * to chance. */
static __always_inline void bpf_faults_take_others(struct fault_record *r, __u32 flags)
{
	struct fault_sum *s = rules.earn ? bpf_faults_sum_of(fault_sum_kind(flags | FAULT_LONG)) : NULL;

	if (!s || !s->count || s->tid != r->tid)
		return;
	r->others.count = s->count;
	r->others.ns = s->ns;
	r->others.longest_ns = s->longest_ns;
	r->others.begin_ns = s->begin_ns;
	__builtin_memcpy(r->others.parts, s->parts, sizeof(r->others.parts));
	s->count = 0;
}

/* sum: NULL, or the sum that the fault, which happened at this place, stands for. */
static __always_inline void bpf_faults_report(void *context, const struct going *f, struct fault_sum *sum, __u32 flags,
					      __u64 place, __u64 now)
{
	struct fault_record *r = bpf_faults_new_record();
	struct look look = { .r = r };
	bool sent;

	if (!r)
		return;
	r->flags = flags | (sum ? FAULT_SUM : 0);
	r->pid = bpf_get_current_pid_tgid() >> 32;
	r->tid = f->own.tid;
	r->begin_ns = sum ? sum->begin_ns : f->begin_ns;
	r->end_ns = now;
	r->address = f->own.address;
	r->ip = f->own.ip;
	__builtin_memcpy(r->parts, sum ? sum->parts : f->parts, sizeof(r->parts));
	r->count = sum ? sum->count : 1;
	r->ns = sum ? sum->ns : now - f->begin_ns;
	r->longest_ns = sum ? sum->longest_ns : r->ns;
	if (!sum)
		bpf_faults_take_others(r, flags);
	if (have_find_vma)
		bpf_find_vma(bpf_get_current_task_btf(), f->own.address, bpf_faults_look_at, &look, 0);
	sent = bpf_faults_send(r, bpf_faults_add_stack(context, r));
	stack_budget_pay(now, r->copied);
	if (!sum)
		return;
	sum->place = sent ? place : 0;
	sum->mapped_from = look.mapped_from;
	sum->mapped_to = look.mapped_to;
	sum->sent_ns = now;
}

/* Can the last stack that was sent for the sum be used for this fault, too? */
static __always_inline bool bpf_faults_is_same(const struct fault_sum *s, const struct going *f, __u64 place, __u64 now)
{
	return place && place == s->place && now - s->sent_ns < FAULTS_STACK_LASTS_NS &&
	       f->own.address >= s->mapped_from && f->own.address < s->mapped_to;
}

static __always_inline void bpf_faults_sum_up(void *context, struct fault_cpu *cpu, const struct going *f, __u64 now)
{
	__u32 flags = bpf_faults_flags_of(f->own.error, false), kind = fault_sum_kind(flags);
	struct fault_sum *s = bpf_faults_sum_of(kind);
	__u64 place;

	if (!s)
		return;
	bpf_faults_add_to_sum(s, kind, f, now);
	if (!stack_pay(&cpu->credit_ns, now, FAULTS_STACK_NS, FAULTS_STACKS_AT_ONCE))
		return;
	place = stack_place(hash_add(f->own.ip, f->own.error));
	if (bpf_faults_is_same(s, f, place, now)) {
		send_rest(s, kind);
		return;
	}
	/* These are few, so they may go into debt. */
	if (!stack_budget_allows(BUDGET_LONGER_NS, now))
		return;
	bpf_faults_report(context, f, s, flags, place, now);
	s->count = 0;
}

/* A fault that is not short. */
static __always_inline void bpf_faults_report_long(void *context, struct going *f, bool major, __u64 now)
{
	__u32 flags = bpf_faults_flags_of(f->own.error, major), kind = fault_sum_kind(flags | FAULT_LONG);
	__u64 ns = now - f->begin_ns;
	struct fault_sum *s;

	/* A fault that waited for a device may borrow, however short it was. */
	if (major && ns < BUDGET_LONGER_NS)
		ns = BUDGET_LONGER_NS;
	if (stack_budget_allows(ns, now)) {
		going_pass(f, now, RECORDING_REASON_CPU);
		bpf_faults_report(context, f, NULL, flags, 0, now);
		return;
	}
	if (f->inside)
		going_pass(f, now, RECORDING_REASON_CPU);
	s = bpf_faults_sum_of(kind);
	if (s)
		bpf_faults_add_to_sum(s, kind, f, now);
}

static __always_inline void bpf_faults_end(void *context, bool major)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fault_cpu *cpu = bpf_faults_this_cpu();
	struct going *f = going_get(task);
	__u64 now;

	if (!cpu || !f)
		return;
	if (!going_here(f)) {
		going_missed();
		return;
	}
	now = bpf_ktime_get_ns();
	if (now < control.begin_ns || now > control.end_ns) {
		going_end(f);
		return;
	}
	f->begin_ns = going_begun(f);
	if (major || now - f->begin_ns >= rules.min_ns) {
		bpf_faults_report_long(context, f, major, now);
	} else {
		/* Sums do without RECORDING_REASON_CPU. */
		if (f->inside)
			going_pass(f, now, RECORDING_REASON_CPU);
		bpf_faults_sum_up(context, cpu, f, now);
	}
	going_end(f);
}

SEC("perf_event")
int faults_minor(struct bpf_perf_event_data *ctx)
{
	bpf_faults_end(ctx, false);
	return 0;
}

SEC("perf_event")
int faults_major(struct bpf_perf_event_data *ctx)
{
	bpf_faults_end(ctx, true);
	return 0;
}
