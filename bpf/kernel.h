/* kernel: the kernel's structures, with the fields that our BPF programs read.  Loading
 * a program finds them by name (CO-RE), so that order and size here do not matter;
 * a name with ___ is that of an older kernel. */
#ifndef BPF_KERNEL_H
#define BPF_KERNEL_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

/* Which way most events go, in programs that run at each switch or wakeup: what such a program adds to them fell by a
 * quarter to a third (docs/figures.md). */
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node {
	__u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup_subsys_state *parent;
	struct cgroup *cgroup;
};

struct list_head {
	struct list_head *next;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct cgroup *dfl_cgrp; /* of version 2 */
	struct list_head cgrp_links;
};

/* One of the groups of a css_set; there is one for each hierarchy. */
struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct list_head cgrp_link;
};

struct thread_info {
	__u32 cpu;
#ifdef __TARGET_ARCH_arm64
	unsigned long flags;
#else
	__u32 status;
#endif
};

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	__u64 i_ino;
	struct super_block *i_sb;
};

struct qstr {
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

struct dentry {
	unsigned int d_flags;
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
};

struct hrtimer {
	void *function;
	__u64 _softexpires;
};

struct cfs_bandwidth {
	__u64 period;
	__u64 quota; /* ~0: no limit */
	struct hrtimer period_timer;
};

struct task_group {
	struct cfs_rq **cfs_rq; /* by CPU; CONFIG_FAIR_GROUP_SCHED */
	struct task_group *parent;
	struct cfs_bandwidth cfs_bandwidth; /* CONFIG_CFS_BANDWIDTH */
};

struct rq;

struct cfs_rq {
	struct rq *rq;
	struct task_group *tg;
	unsigned int h_nr_queued, h_nr_runnable;               /* since Linux 6.14 */
	__u64 throttled_clock_self, throttled_clock_self_time; /* Linux 6.6: since when, or 0, and how long in all */
	__u64 throttled_clock_pelt, throttled_clock_pelt_time; /* likewise by rq.clock_pelt: Linux 5.19 and updates */
	__u64 throttled_clock_task, throttled_clock_task_time; /* likewise by rq.clock_task: before that */
	int throttle_count; /* of this group or a group above it; CONFIG_CFS_BANDWIDTH */
};

struct rq {
	__u64 clock, clock_task, clock_pelt;
	unsigned long lost_idle_time;
	unsigned int nr_running;
	struct cfs_rq cfs;
};

struct sched_entity {
	struct cfs_rq *cfs_rq; /* CONFIG_FAIR_GROUP_SCHED */
	__u64 sum_exec_runtime;
	__u64 prev_sum_exec_runtime;
};

struct sched_info { /* CONFIG_SCHED_INFO */
	unsigned long long run_delay, last_arrival, last_queued;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	unsigned int on_cpu, on_rq; /* an int, or a u8 as in Linux 7.2; unsigned here, since libbpf adapts the size of
				     * unsigned fields only */
	struct sched_entity se;
	struct sched_info sched_info;
	bool throttled; /* Linux 6.18; CONFIG_CFS_BANDWIDTH */
	unsigned int policy;
	int static_prio;     /* 120 + niceness */
	int nr_cpus_allowed; /* by its affinity, and by its control group's cpuset */
	int exit_state;
	unsigned int in_iowait : 1;
	unsigned long nvcsw, nivcsw;
	int pid;
	int tgid;
	__u64 start_time;
	char comm[16];
	struct css_set *cgroups;
};

/* Fields of older kernels: state before Linux 5.14, cpu before 5.16. */
struct task_struct___state {
	long state;
};

struct task_struct___cpu {
	unsigned int cpu;
};

/* The registers of user code on its entry into the kernel. */
struct pt_regs {
#ifdef __TARGET_ARCH_arm64
	__u64 regs[31], pc, sp;
	int syscallno;
#else
	unsigned long orig_ax, ip, sp, bp, bx, di, si, dx, cx, r10;
#endif
};

#pragma clang attribute pop

/* include/linux/sched.h */
enum {
	TASK_INTERRUPTIBLE = 0x1,
	TASK_UNINTERRUPTIBLE = 0x2,
	TASK_STOPPED = 0x4,
	TASK_TRACED = 0x8,
	TASK_PARKED = 0x40,
	TASK_DEAD_MASK = 0x80 | 0x20 | 0x10, /* TASK_DEAD, EXIT_ZOMBIE, EXIT_DEAD */
	TASK_WAKING = 0x200,
	TASK_NOLOAD = 0x400,
	TASK_NEW = 0x800,
	TASK_RTLOCK_WAIT = 0x1000,
	TASK_FROZEN = 0x8000,
	PF_KTHREAD = 0x00200000,
};

static __always_inline unsigned task_state(const struct task_struct *task)
{
	const struct task_struct___state *old = (const void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return (unsigned)old->state;
}

/* Does the task run?  Read it once, since others change it. */
static __always_inline bool task_runs(const struct task_struct *task)
{
	unsigned on_cpu = task->on_cpu;

	asm volatile("" : "+r"(on_cpu));
	return on_cpu;
}

/* The CPU on which a task runs or waits, or on which it last ran. */
static __always_inline __u32 task_cpu(const struct task_struct *task)
{
	const struct task_struct___cpu *old = (const void *)task;

	if (bpf_core_field_exists(old->cpu))
		return old->cpu;
	return task->thread_info.cpu;
}

#endif
