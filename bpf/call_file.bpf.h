/* call_file: what a system call is about: the file behind its descriptor, paths that it was given, descriptors that it
 * waits for.
 *
 * Most of this is looked up when a slow call ends, so that quick calls cost nothing.  What no longer exists at the end
 * of a call (close, execve, select) is read when the call begins; paths are also read when the thread is blocked, since
 * the call may hang.  What was read early is kept with the CPU, and with the thread while it is off the CPU. */
#ifndef BPF_CALL_FILE_BPF_H
#define BPF_CALL_FILE_BPF_H

#include "bpf/parts.bpf.h"
#include "bpf/path.bpf.h"
#include "bpf/steps.bpf.h"
#include "bpf/syscalls.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right, *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

struct eventpoll {
	struct rb_root_cached rbr;
};

struct epoll_filefd {
	struct file *file;
	int fd;
};

struct epitem {
	struct rb_node rbn; /* its first field */
	struct epoll_filefd ffd;
};

#pragma clang attribute pop

enum { NO_DESCRIPTOR = ~0U };

/* Where to find what was read before the end of the call. */
enum { ENTRY_NONE, ENTRY_ON_CPU, ENTRY_KEPT };

struct call_entry {
	__u64 task, begin_ns;
	struct path_record file;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct call_entry);
} entry_on_cpu SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct call_entry);
} kept_entries SEC(".maps");

/* By number, then those of 32-bit programs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * SYSCALLS_NUMBERS);
	__type(key, __u32);
	__type(value, struct syscall_about);
} abouts SEC(".maps");

static __always_inline struct syscall_about *about(__u32 number)
{
	__u32 i = (number & ~RECORDING_SYSCALL_COMPAT) < SYSCALLS_NUMBERS ? number & (SYSCALLS_NUMBERS - 1)
									  : SYSCALLS_NUMBERS - 1;

	if (number & RECORDING_SYSCALL_COMPAT)
		i += SYSCALLS_NUMBERS;
	return bpf_map_lookup_elem(&abouts, &i);
}

/* Argument n of an ongoing call, counted from 1.  The first one is saved when the call begins: on arm64 the result
 * overwrites it. */
#ifdef __TARGET_ARCH_arm64
#define ARGUMENT(n) BPF_CORE_READ(regs, regs[n - 1])
static __always_inline __u64 bpf_call_file_argument(struct pt_regs *regs, const struct going_own *own, __u32 n)
{
	return n == 1 ? own->first : n == 2 ? ARGUMENT(2) : n == 3 ? ARGUMENT(3) : ARGUMENT(4);
}
#undef ARGUMENT
#else
static __always_inline __u64 bpf_call_file_argument(struct pt_regs *regs, const struct going_own *own, __u32 n)
{
	if (n == 1)
		return own->first;
	if (own->number & RECORDING_SYSCALL_COMPAT)
		return (__u32)(n == 2   ? BPF_CORE_READ(regs, cx)
			       : n == 3 ? BPF_CORE_READ(regs, dx)
					: BPF_CORE_READ(regs, si));
	return n == 2 ? BPF_CORE_READ(regs, si) : n == 3 ? BPF_CORE_READ(regs, dx) : BPF_CORE_READ(regs, r10);
}
#endif

/* ---- paths as they were given ---- */

/* Read a path of the current process.  If a second path follows, the first one leaves room for it. */
static __always_inline void add_text(struct path_record *to, __u64 address)
{
	__u32 at = to->used < PATH_TEXT_BYTES ? to->used : PATH_TEXT_BYTES;
	long len = bpf_probe_read_user_str(&to->names[at], PATH_TEXT_BYTES, (const void *)address);

	if (len <= 0)
		return;
	to->kind = PATH_TEXT;
	to->used = at + (__u32)len;
	to->is_cut |= len == PATH_TEXT_BYTES;
}

static __always_inline void read_text(struct pt_regs *regs, const struct going_own *own, const struct syscall_about *a,
				      struct path_record *to)
{
	__builtin_memset(to, 0, __builtin_offsetof(struct path_record, names));
	add_text(to, bpf_call_file_argument(regs, own, a->path));
	if (to->kind == PATH_TEXT && a->path2)
		add_text(to, bpf_call_file_argument(regs, own, a->path2));
}

/* ---- what is waited for ---- */

struct poll_fd {
	__s32 fd;
	__u16 events, revents;
};

static __always_inline void read_poll(const struct going_own *own, __u32 count, struct path_record *to)
{
	struct poll_fd *fds = (struct poll_fd *)to->names; /* then descriptors only, in their place */
	__u32 most = PATH_DESCRIPTORS_MAX * sizeof(*fds),
	      bytes = count < PATH_DESCRIPTORS_MAX ? count * sizeof(*fds) : most;

	asm volatile("" : "+r"(bytes));
	bytes &= 2 * most - 1; /* a bound for the verifier of Linux 6.1, which learns nothing from comparing a copy */
	if (!bytes || bpf_probe_read_user(fds, bytes, (const void *)own->first))
		return;
	for (int i = 0; i < PATH_DESCRIPTORS_MAX; i++)
		((__s32 *)to->names)[i] = fds[i].fd;
	to->kind = PATH_DESCRIPTORS;
	to->used = count;
}

static __always_inline void read_set(struct path_record *to, __u32 at, __u32 bytes, __u64 address)
{
	__builtin_memset(&to->names[at], 0, PATH_SET_BYTES);
	if (address)
		bpf_probe_read_user(&to->names[at], bytes, (const void *)address);
}

/* The sets of select(2) are arrays of longs; descriptors from 1024 on are left out. */
static __always_inline void read_sets(struct pt_regs *regs, const struct going_own *own, struct path_record *to)
{
	__u64 most = PATH_SET_BYTES * 8, bits = own->first < most ? own->first : most;
	__u32 bytes = (bits + 63) / 64 * sizeof(__u64);

	asm volatile("" : "+r"(bytes));
	if (bytes > PATH_SET_BYTES)
		return;
	read_set(to, 0, bytes, bpf_call_file_argument(regs, own, 2));
	read_set(to, PATH_SET_BYTES, bytes, bpf_call_file_argument(regs, own, 3));
	read_set(to, 2 * PATH_SET_BYTES, bytes, bpf_call_file_argument(regs, own, 4));
	to->kind = PATH_SETS;
	to->used = bits;
}

struct sets_walk {
	const struct path_record *sets;
	__u32 first, last;
};

static long sets_step(__u64 fd, struct sets_walk *w)
{
	__u64 at = fd / 8;
	__u8 bits;

	if (at >= PATH_SET_BYTES || fd >= w->sets->used)
		return 1;
	bits = w->sets->names[at] | w->sets->names[at + PATH_SET_BYTES] | w->sets->names[at + 2 * PATH_SET_BYTES];
	if (bits >> fd % 8 & 1) {
		if (fd < w->first)
			w->first = fd;
		w->last = fd;
	}
	return 0;
}

STEPS(sets_step, struct sets_walk, PATH_SET_BYTES * 8);

/* The descriptor that is waited for if there is exactly one, else NO_DESCRIPTOR. */
static __always_inline __u32 only_one(const struct path_record *of)
{
	struct sets_walk w = { .sets = of, .first = NO_DESCRIPTOR };

	if (of->kind == PATH_DESCRIPTORS && of->used == 1)
		return *(__u32 *)of->names;
	if (of->kind != PATH_SETS)
		return NO_DESCRIPTOR;
	sets_steps(&w);
	return w.first == w.last ? w.first : NO_DESCRIPTOR;
}

/* Goes through what an epoll descriptor watches, in the order of its tree of struct epitem. */
struct epoll_walk {
	struct path_record *to;
	struct rb_node *node, *from;
	struct file *first;
};

static __always_inline void visit(struct epoll_walk *w)
{
	struct epitem *item = (struct epitem *)w->node;
	__u32 at = w->to->used++;

	if (!at)
		w->first = BPF_CORE_READ(item, ffd.file);
	if (at < PATH_DESCRIPTORS_MAX)
		((__s32 *)w->to->names)[at] = BPF_CORE_READ(item, ffd.fd);
}

/* One step: down to the left, to the right, or up.  Returns 1 at the end. */
static long epoll_step(__u64 i, struct epoll_walk *w)
{
	struct rb_node *node = w->node, *from = w->from;
	struct rb_node *up, *left, *right;

	if (!node)
		return 1;
	up = (struct rb_node *)(BPF_CORE_READ(node, __rb_parent_color) & ~3UL);
	left = BPF_CORE_READ(node, rb_left);
	right = BPF_CORE_READ(node, rb_right);
	w->from = node;
	if (from == up && left) {
		w->node = left;
		return 0;
	}
	if (from == up || from == left)
		visit(w);
	w->node = from != right && right ? right : up;
	return 0;
}

enum { EPOLL_STEPS = 512 };

STEPS(epoll_step, struct epoll_walk, EPOLL_STEPS);

/* Returns the file if there is exactly one, else NULL. */
static __always_inline struct file *read_epoll(struct task_struct *task, __u32 fd, struct path_record *to)
{
	struct file *file = file_of_descriptor(task, fd);
	struct epoll_walk w = { .to = to };
	struct eventpoll *poll;

	__builtin_memset(to, 0, __builtin_offsetof(struct path_record, names));
	if (!file || !bpf_core_field_exists(struct eventpoll, rbr))
		return NULL;
	poll = BPF_CORE_READ(file, private_data);
	to->kind = PATH_DESCRIPTORS;
	w.node = BPF_CORE_READ(poll, rbr.rb_root.rb_node);
	to->is_cut = epoll_steps(&w) == EPOLL_STEPS;
	return to->used == 1 ? w.first : NULL;
}

/* ---- kept until the end ---- */

static __always_inline struct call_entry *new_entry(struct going *g, __u64 task)
{
	__u32 zero = 0;
	struct call_entry *e = bpf_map_lookup_elem(&entry_on_cpu, &zero);

	if (!e)
		return NULL;
	g->own.entry = ENTRY_ON_CPU;
	e->task = task;
	e->begin_ns = g->begin_ns;
	e->file.kind = PATH_NONE;
	return e;
}

/* What was read before the end of the call; NULL: nothing. */
static __always_inline struct call_entry *entry_of(const struct going *g, __u64 task)
{
	__u32 zero = 0;
	struct call_entry *e = NULL;

	if (g->own.entry == ENTRY_ON_CPU)
		e = bpf_map_lookup_elem(&entry_on_cpu, &zero);
	else if (g->own.entry == ENTRY_KEPT)
		e = bpf_map_lookup_elem(&kept_entries, &task);
	return e && e->task == task && e->begin_ns == g->begin_ns ? e : NULL;
}

/* A call has begun, in the current thread; g->own.entry is ENTRY_NONE. */
static __always_inline void call_file_begin(struct going *g, struct task_struct *task, struct pt_regs *regs,
					    const struct syscall_about *a)
{
	struct call_entry *e;

	if (a->descriptor < DESCRIPTOR_CLOSED && !a->replaces)
		return;
	if (a->descriptor == DESCRIPTOR_EPOLL)
		return;
	e = new_entry(g, (__u64)task);
	if (!e)
		return;
	__builtin_memset(&e->file, 0, __builtin_offsetof(struct path_record, names));
	if (a->descriptor == DESCRIPTOR_CLOSED)
		path_note(task, g->own.first, &e->file);
	else if (a->descriptor == DESCRIPTOR_POLL)
		read_poll(&g->own, bpf_call_file_argument(regs, &g->own, 2), &e->file);
	else if (a->descriptor == DESCRIPTOR_SELECT)
		read_sets(regs, &g->own, &e->file);
	else
		read_text(regs, &g->own, a, &e->file);
}

/* The current thread leaves the CPU. */
static __always_inline void call_file_keep(struct going *g, struct task_struct *task)
{
	struct syscall_about *a;
	struct call_entry *e;
	__u64 key = (__u64)task;

	if (g->own.entry == ENTRY_NONE && have_regs) {
		a = about(g->own.number);
		e = a && a->path && !a->replaces ? new_entry(g, key) : NULL;
		if (e)
			read_text((struct pt_regs *)bpf_task_pt_regs(task), &g->own, a, &e->file);
	}
	if (g->own.entry != ENTRY_ON_CPU)
		return;
	e = entry_of(g, key);
	g->own.entry = e && !bpf_map_update_elem(&kept_entries, &key, e, BPF_ANY) ? ENTRY_KEPT : ENTRY_NONE;
}

static __always_inline void call_file_drop(struct going *g, __u64 task)
{
	if (g->own.entry == ENTRY_KEPT)
		bpf_map_delete_elem(&kept_entries, &task);
	g->own.entry = ENTRY_NONE;
}

/* Returns the descriptor that the call is about; if NO_DESCRIPTOR, `to` has what else is known about the call. */
static __always_inline __u32 find_text(struct path_record *to, const struct going *g, struct task_struct *task,
				       struct pt_regs *regs, const struct syscall_about *a, long result)
{
	struct call_entry *e = entry_of(g, (__u64)task);

	if (e)
		bpf_probe_read_kernel(to, sizeof(*to), &e->file);
	else if (a->path && regs && !(a->replaces && result >= 0))
		read_text(regs, &g->own, a, to);
	else if (a->path && !regs && have_regs) {
		to->inode = bpf_call_file_argument((struct pt_regs *)bpf_task_pt_regs(task), &g->own, a->path);
		to->kind = PATH_AT;
	}
	/* fstat(2) of today is newfstatat(2) with an empty path. */
	if (to->kind == PATH_TEXT && to->used == 1 && a->path == 2)
		return g->own.first;
	return only_one(to);
}

/* What the call is about.  result: what the call returned; -1: it has not returned.  regs: of the current thread, or
 * NULL. */
static __always_inline void call_file_find(struct path_record *to, const struct going *g, struct task_struct *task,
					   struct pt_regs *regs, long result)
{
	struct syscall_about *a = about(g->own.number);
	struct file *file = NULL;
	__u32 fd;

	if (!a)
		return;
	if (a->descriptor == DESCRIPTOR_EPOLL) {
		file = read_epoll(task, g->own.first, to);
	} else {
		fd = a->descriptor == DESCRIPTOR_FIRST                   ? g->own.first
		     : a->descriptor == DESCRIPTOR_RESULT && result >= 0 ? result
									 : find_text(to, g, task, regs, a, result);
		file = fd == NO_DESCRIPTOR ? NULL : file_of_descriptor(task, fd);
	}
	path_find(task, file, to);
}

#endif
