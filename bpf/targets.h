/* targets: which threads a BPF program observes; set by collect/bpf/bpf.c. */
#ifndef BPF_TARGETS_H
#define BPF_TARGETS_H

#include <linux/types.h>

/* Read-only data of a program: set before it is loaded. */
struct target_rules {
	__u32 everybody; /* all threads are targets */
	__u32 inherit;   /* children of a target are targets, too */
	__u64 cgroup;    /* id of a control group: threads in it and below it are targets; 0: none */
	__u32 hierarchy; /* the number of the group's hierarchy, of version 1; 0: version 2 */
};

enum target_decision {
	TARGET_UNKNOWN, /* not looked at yet; if targets are not chosen by cgroup: not a target */
	TARGET_YES,
	TARGET_NO,
	TARGET_AT_EXEC, /* our child, which becomes a target when it executes the COMMAND (exec.bpf.h) */
};

/* An entry of the map target_threads, which has one for each possible thread id. */
struct target_thread {
	__u32 slot;     /* for the program's own use, 0 at first */
	__u16 decision; /* enum target_decision */
	__u16 skipped;  /* for the program's own use, 0 at first */
};

#endif
