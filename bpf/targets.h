/* targets: which threads a BPF program looks at, as collect/bpf/bpf.c tells it. */
#ifndef BPF_TARGETS_H
#define BPF_TARGETS_H

#include <linux/types.h>

/* Read-only data of a program: set before it is loaded. */
struct target_rules {
	__u32 everybody; /* nothing else counts */
	__u32 inherit;   /* what a target starts is one, too */
	__u64 cgroup;    /* of the version 2 hierarchy: its threads and those below; 0: none */
};

enum target_decision {
	TARGET_UNKNOWN,  /* not looked at yet; no target where no cgroup is given */
	TARGET_YES,
	TARGET_NO,
	TARGET_AT_EXEC,  /* a COMMAND that is still us: from its exec on, if the program says so */
};

/* The map target_threads has one for each thread id there can be. */
struct target_thread {
	__u32 slot;     /* for the program's own use, 0 at first */
	__u16 decision; /* enum target_decision */
	__u16 skipped;  /* for the program's own use, 0 at first */
};

#endif
