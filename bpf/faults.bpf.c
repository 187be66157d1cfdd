/* faults: how long page faults take, where their time goes, and in which stack.
 *
 *     page_fault_user, page_fault_kernel        a fault begins
 *     contention_begin, _end                    ... waits for mmap_lock
 *     mm_vmscan_direct_reclaim_begin, _end, ... ... frees memory
 *     sched_switch, sched_waking                ... is blocked, or waits for a CPU
 *     minor-faults, major-faults                handle_mm_fault() has come to its end: software events of perf with a
 *                                               period of 1, raised by mm_account_fault() (mm/memory.c)
 *
 * A fault that is going on is kept with its CPU, which costs least, and with its thread while that is not running.
 * What takes less than min_ns is summed: a stack for each would cost more than the faults. */
#include "bpf/faults.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/states.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/user_copy.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct super_block {
	__u32 s_dev;
};

struct inode {
	__u64 i_ino;
	struct super_block *i_sb;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
};

struct vm_area_struct {
	unsigned long vm_start, vm_flags, vm_pgoff;
	struct file *vm_file;
};

struct rw_semaphore {
	int unused; /* only its address counts */
};

struct mm_struct {
	struct rw_semaphore mmap_lock;
};

struct task_struct___faults {
	int pagefault_disabled;
	struct mm_struct *mm;
};

#pragma clang attribute pop

enum { PAGE_SHIFT = 12, VM_SHARED = 8 };

/* arch/x86/include/asm/trap_pf.h */
enum { PF_PROT = 1, PF_WRITE = 2, PF_USER = 4, PF_INSTR = 16 };

const volatile __u64 min_ns;
const volatile __u64 wake_at = 1 << 20; /* wake the collector when so much is in the ring */

__u64 lost_records;
__u64 unpaired; /* faults that ended otherwise, by a signal mostly, or whose begin was missed */
__u64 off_cpu;  /* faults whose threads are not running */
__u64 end_ns;   /* end of the recording; 0: unknown yet */

enum { IN_LOCK = 1, IN_RECLAIM = 2, IN_COMPACTION = 4 };

/* A fault that is going on. */
struct fault {
	__u32 tid, error;
	__u64 begin_ns; /* 0: there is none */
	__u64 address, ip;
	__u64 parts[FAULTS_PARTS];
	__u64 mark_ns;  /* parts has what was before */
	__u64 woken_ns; /* while the thread is off the CPU: 0, or since when it waits for one */
	__u32 in;       /* IN_LOCK, ... */
	__u32 is_split; /* parts has more than RECORDING_REASON_CPU */
	__u32 blocked;  /* enum recording_reason for the time off the CPU */
};

struct fault_cpu {
	__u32 tid, wanted; /* the last thread, and whether it is a target */
	__u64 credit_ns;   /* stacks for sums were paid until then */
	struct fault fault;
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

/* Files whose path the collector has been asked to find while the process lives. */
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
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fault);
} off_cpu_faults SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct fault_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

static __always_inline struct fault_cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

/* ---- a fault begins ---- */

static __always_inline bool is_wanted(struct fault_cpu *cpu, struct task_struct *task)
{
	struct target_thread *thread;

	if (cpu->tid == (__u32)task->pid && cpu->wanted)
		return true;
	thread = target_thread(task->pid);
	cpu->tid = task->pid;
	cpu->wanted = thread && is_target(task, thread);
	return cpu->wanted;
}

static __always_inline void begin(unsigned long address, struct pt_regs *regs, unsigned long error)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fault_cpu *cpu = this_cpu();
	struct fault *f;

	if (!cpu || (long)address < 0 || !is_wanted(cpu, task))
		return;
	/* Somebody, perhaps a BPF program, reads memory without waiting for it. */
	if (!(error & PF_USER) && ((struct task_struct___faults *)task)->pagefault_disabled)
		return;
	f = &cpu->fault;
	if (f->begin_ns)
		__sync_fetch_and_add(&unpaired, 1);
	f->tid = task->pid;
	f->error = error;
	f->address = address;
	f->ip = regs->ip;
	__builtin_memset(f->parts, 0, sizeof(f->parts));
	f->in = f->is_split = 0;
	f->begin_ns = f->mark_ns = bpf_ktime_get_ns();
}

SEC("tp_btf/page_fault_user")
int BPF_PROG(faults_user, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	begin(address, regs, error);
	return 0;
}

SEC("tp_btf/page_fault_kernel")
int BPF_PROG(faults_kernel, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	begin(address, regs, error);
	return 0;
}

/* ---- where its time goes ---- */

static __always_inline __u32 reason_of(const struct fault *f, __u32 otherwise)
{
	return f->in & IN_LOCK         ? RECORDING_REASON_MMAP_LOCK
	       : f->in & IN_RECLAIM    ? RECORDING_REASON_RECLAIM
	       : f->in & IN_COMPACTION ? RECORDING_REASON_COMPACTION
				       : otherwise;
}

static __always_inline void pass(struct fault *f, __u64 until, __u32 reason)
{
	if (until <= f->mark_ns)
		return;
	f->parts[reason & (FAULTS_PARTS - 1)] += until - f->mark_ns;
	f->is_split |= reason;
	f->mark_ns = until;
}

/* Thread tid is back on this CPU, with its fault.  Returns NULL if it has none. */
static __always_inline struct fault *restore(struct fault_cpu *cpu, __u32 tid)
{
	struct fault *f = bpf_map_lookup_elem(&off_cpu_faults, &tid);

	if (!f)
		return NULL;
	cpu->fault = *f;
	bpf_map_delete_elem(&off_cpu_faults, &tid);
	__sync_fetch_and_add(&off_cpu, -1);
	f = &cpu->fault;
	if (f->woken_ns)
		pass(f, f->woken_ns, f->blocked);
	pass(f, bpf_ktime_get_ns(), f->woken_ns ? RECORDING_REASON_RUNNABLE : f->blocked);
	return f;
}

/* The fault of the current thread; NULL: there is none.  The kernel does not show each switch: the thread may be back
 * unseen. */
static __always_inline struct fault *current_fault(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct fault_cpu *cpu = this_cpu();

	if (!cpu)
		return NULL;
	if (cpu->fault.begin_ns && cpu->fault.tid == tid)
		return &cpu->fault;
	return off_cpu ? restore(cpu, tid) : NULL;
}

static __always_inline void enter(__u32 bit)
{
	struct fault *f = current_fault();

	if (!f)
		return;
	pass(f, bpf_ktime_get_ns(), reason_of(f, RECORDING_REASON_CPU));
	f->in |= bit;
}

static __always_inline void leave(__u32 bit)
{
	struct fault *f = current_fault();

	if (!f || !(f->in & bit))
		return;
	pass(f, bpf_ktime_get_ns(), reason_of(f, RECORDING_REASON_CPU));
	f->in &= ~bit;
}

static __always_inline bool is_mmap_lock(const void *lock)
{
	struct task_struct___faults *task = (void *)bpf_get_current_task_btf();
	struct mm_struct *mm = task->mm;

	return mm && (__u64)lock == (__u64)mm + bpf_core_field_offset(mm->mmap_lock);
}

SEC("?tp_btf/contention_begin")
int BPF_PROG(faults_contention_begin, void *lock)
{
	if (current_fault() && is_mmap_lock(lock))
		enter(IN_LOCK);
	return 0;
}

SEC("?tp_btf/contention_end")
int BPF_PROG(faults_contention_end, void *lock)
{
	if (current_fault() && is_mmap_lock(lock))
		leave(IN_LOCK);
	return 0;
}

#define SECTION(event, name, what)          \
	SEC("?tp_btf/" #event "_begin")     \
	int BPF_PROG(faults_##name##_begin) \
	{                                   \
		enter(what);                \
		return 0;                   \
	}                                   \
	SEC("?tp_btf/" #event "_end")       \
	int BPF_PROG(faults_##name##_end)   \
	{                                   \
		leave(what);                \
		return 0;                   \
	}

SECTION(mm_vmscan_direct_reclaim, reclaim, IN_RECLAIM)
SECTION(mm_vmscan_memcg_reclaim, memcg_reclaim, IN_RECLAIM)
SECTION(mm_compaction, compaction, IN_COMPACTION)

/* ---- off the CPU ---- */

static __always_inline void go(struct fault_cpu *cpu, struct task_struct *prev, bool preempt, __u32 bits)
{
	struct fault *f = &cpu->fault;
	__u32 tid = prev->pid, state;

	if (!f->begin_ns || f->tid != tid)
		return;
	if (!preempt && bits & TASK_DEAD_MASK) {
		__sync_fetch_and_add(&unpaired, 1);
		f->begin_ns = 0;
		return;
	}
	pass(f, bpf_ktime_get_ns(), reason_of(f, RECORDING_REASON_CPU));
	state = state_of(prev, preempt, bits);
	f->woken_ns = state < RECORDING_SLEEPING ? f->mark_ns : 0;
	f->blocked = reason_of(f, state == RECORDING_BLOCKED_IO ? RECORDING_REASON_IO : RECORDING_REASON_OTHER);
	if (!bpf_map_update_elem(&off_cpu_faults, &tid, f, BPF_ANY))
		__sync_fetch_and_add(&off_cpu, 1);
	else
		__sync_fetch_and_add(&unpaired, 1);
	f->begin_ns = 0;
}

static __always_inline void switched(bool preempt, struct task_struct *prev, struct task_struct *next, __u32 bits)
{
	struct fault_cpu *cpu = this_cpu();

	if (!cpu)
		return;
	go(cpu, prev, preempt, bits);
	if (off_cpu)
		restore(cpu, next->pid);
}

/* Only one of these is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(faults_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	switched(preempt, prev, next, prev_state);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(faults_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	switched(preempt, prev, next, task_state(prev));
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(faults_waking, struct task_struct *task)
{
	__u32 tid = task->pid;
	struct fault *f;

	if (!off_cpu)
		return 0;
	f = bpf_map_lookup_elem(&off_cpu_faults, &tid);
	if (f && !f->woken_ns)
		f->woken_ns = bpf_ktime_get_ns();
	return 0;
}

/* ---- a fault ends ---- */

struct look {
	struct fault_record *r;
};

static long look_at(struct task_struct *task, struct vm_area_struct *vma, struct look *l)
{
	struct fault_record *r = l->r;
	struct file *file = vma->vm_file;

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

static __always_inline __u32 flags_of(__u32 error, bool major)
{
	return (major ? FAULT_MAJOR : 0) | (error & PF_WRITE ? FAULT_WRITE : 0) | (error & PF_INSTR ? FAULT_EXEC : 0) |
	       (error & PF_PROT ? FAULT_PRESENT : 0) | (error & PF_USER ? 0 : FAULT_BY_KERNEL);
}

static __always_inline __s32 entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

/* Append the stack at the fault, or the copy for walking it.  Returns the size of the record. */
static __always_inline __u64 add_stack(void *context, struct fault_record *r)
{
	__u32 used;

	r->user_count = 0;
	r->copied = 0;
	r->kernel_count = 0;
	if (r->flags & FAULT_BY_KERNEL)
		r->kernel_count = entries(bpf_get_stack(context, r->stack, FAULTS_FRAMES * sizeof(__u64), 0));
	used = r->kernel_count > 0 ? r->kernel_count : 0;
	if (used > FAULTS_FRAMES)
		used = FAULTS_FRAMES;
	if (is_walked() && may_copy(&ring)) {
		r->copied =
			copy_user((void *)((char *)r + offsetof(struct fault_record, stack) + used * sizeof(__u64)));
		return offsetof(struct fault_record, stack) + used * sizeof(__u64) + r->copied;
	}
	if (is_walked())
		__sync_fetch_and_add(&uncopied, 1);
	r->user_count =
		entries(bpf_get_stack(context, &r->stack[used], FAULTS_FRAMES * sizeof(__u64), BPF_F_USER_STACK));
	if (r->user_count > 0)
		used += r->user_count;
	if (used > 2 * FAULTS_FRAMES)
		used = 2 * FAULTS_FRAMES;
	return offsetof(struct fault_record, stack) + used * sizeof(__u64);
}

static __always_inline bool is_new_file(const struct fault_record *r)
{
	struct known_file file = { r->inode, r->device };
	__u32 yes = 1;

	return r->flags & FAULT_OF_FILE && !bpf_map_update_elem(&known_files, &file, &yes, BPF_NOEXIST);
}

static __always_inline void send(struct fault_record *r, __u64 size)
{
	__u64 fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	bool wake = (fill >= wake_at && fill < wake_at + (64 << 10)) || is_new_file(r);

	if (size > sizeof(*r) + (walks ? USER_COPY_MAX : 0))
		return;
	if (!bpf_ringbuf_output(&ring, r, size, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		return;
	__sync_fetch_and_add(&lost_records, r->count);
}

static __always_inline struct fault_record *new_record(void)
{
	__u32 zero = 0;
	struct fault_record *r = bpf_map_lookup_elem(&scratch, &zero);

	if (!r)
		return NULL;
	r->cpu = bpf_get_smp_processor_id();
	r->offset = r->inode = r->device = 0;
	r->name[0] = 0;
	return r;
}

/* The rest of a sum, whose thread is not here any more. */
static __always_inline void send_rest(struct fault_sum *s, __u32 kind)
{
	struct fault_record *r = new_record();

	if (!r)
		return;
	r->flags = FAULT_SUM | FAULT_REST | kind << 1;
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
	send(r, offsetof(struct fault_record, stack) + sizeof(__u64));
	s->count = 0;
}

static __always_inline void begin_sum(struct fault_sum *s, const struct fault *f)
{
	s->pid = bpf_get_current_pid_tgid() >> 32;
	s->tid = f->tid;
	s->ns = s->longest_ns = 0;
	s->begin_ns = f->begin_ns;
	__builtin_memset(s->parts, 0, sizeof(s->parts));
}

/* The sum of faults of this kind. */
static __always_inline struct fault_sum *sum_of(__u32 kind)
{
	__u32 zero = 0;
	struct fault_sums *all = bpf_map_lookup_elem(&sums, &zero);

	return all ? &all->of[kind & (FAULTS_SUMS - 1)] : NULL;
}

/* Add a short fault to the sum of its thread. */
static __always_inline void add_to_sum(struct fault_sum *s, __u32 kind, const struct fault *f, __u64 now)
{
	__u64 ns = now - f->begin_ns;

	if (s->count && s->tid != f->tid)
		send_rest(s, kind);
	if (!s->count)
		begin_sum(s, f);
	for (int i = 1; f->is_split && i < FAULTS_PARTS; i++)
		s->parts[i] += f->parts[i];
	s->count++;
	s->ns += ns;
	s->ip = f->ip;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
}

/* May a sum have a stack now? */
static __always_inline bool may_stack(struct fault_cpu *cpu, __u64 now)
{
	__u64 earliest = now - FAULTS_STACK_NS * FAULTS_STACKS_AT_ONCE;

	if (cpu->credit_ns < earliest)
		cpu->credit_ns = earliest;
	if (cpu->credit_ns > now)
		return false;
	cpu->credit_ns += FAULTS_STACK_NS;
	return true;
}

/* sum: NULL, or what the fault stands for. */
static __always_inline void report(void *context, const struct fault *f, const struct fault_sum *sum, __u32 flags,
				   __u64 now)
{
	struct fault_record *r = new_record();
	struct look look = { r };

	if (!r)
		return;
	r->flags = flags | (sum ? FAULT_SUM : 0);
	r->pid = bpf_get_current_pid_tgid() >> 32;
	r->tid = f->tid;
	r->begin_ns = sum ? sum->begin_ns : f->begin_ns;
	r->end_ns = now;
	r->address = f->address;
	r->ip = f->ip;
	__builtin_memcpy(r->parts, sum ? sum->parts : f->parts, sizeof(r->parts));
	r->count = sum ? sum->count : 1;
	r->ns = sum ? sum->ns : now - f->begin_ns;
	r->longest_ns = sum ? sum->longest_ns : r->ns;
	bpf_find_vma(bpf_get_current_task_btf(), f->address, look_at, &look, 0);
	send(r, add_stack(context, r));
}

static __always_inline void sum_up(void *context, struct fault_cpu *cpu, const struct fault *f, __u64 now)
{
	__u32 flags = flags_of(f->error, false), kind = flags >> 1 & (FAULTS_SUMS - 1);
	struct fault_sum *s = sum_of(kind);

	if (!s)
		return;
	add_to_sum(s, kind, f, now);
	if (!may_stack(cpu, now))
		return;
	report(context, f, s, flags, now);
	s->count = 0;
}

static __always_inline void end(void *context, bool major)
{
	struct fault_cpu *cpu = this_cpu();
	struct fault *f = current_fault();
	__u64 now;

	if (!cpu)
		return;
	if (!f) {
		if (is_wanted(cpu, bpf_get_current_task_btf()))
			__sync_fetch_and_add(&unpaired, 1);
		return;
	}
	now = bpf_ktime_get_ns();
	if (end_ns && now > end_ns) {
		f->begin_ns = 0;
		return;
	}
	pass(f, now, reason_of(f, RECORDING_REASON_CPU));
	if (major || now - f->begin_ns >= min_ns)
		report(context, f, NULL, flags_of(f->error, major), now);
	else
		sum_up(context, cpu, f, now);
	f->begin_ns = 0;
}

SEC("perf_event")
int faults_minor(struct bpf_perf_event_data *ctx)
{
	end(ctx, false);
	return 0;
}

SEC("perf_event")
int faults_major(struct bpf_perf_event_data *ctx)
{
	end(ctx, true);
	return 0;
}
