/* bpf: what collectors that measure by BPF have in common: loading, rights, targets,
 * the cost.  The programs are in bpf/; each has a skeleton, bpf/NAME.skel.h. */
#ifndef COLLECT_BPF_BPF_H
#define COLLECT_BPF_BPF_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/targets.h"
#include "collect/machine/targets.h"

struct bpf_object;

/* Can collector NAME load its program here: is it in this build, does the kernel
 * describe its types (BTF), have we the right?  Returns 0, or -1 after a message that
 * says what to do.  To be called before anything else of libbpf: silences it, but for
 * what bpf_failure() tells. */
int bpf_check(const char *name);

/* The same in a few words, and nothing is said: for struct source.  NULL when it can. */
const char *bpf_obstacle(void);

/* Say why collector NAME could not do what ("load its program"); err is the errno of
 * it.  Returns -1. */
int bpf_failure(const char *name, const char *what, int err);

/* ... could not load its program.  option is of the collector, and makes its maps smaller; NULL: there is none. */
int bpf_load_failure(const char *name, struct bpf_object *object, int err, const char *option);

/* Thread ids are below this. */
uint32_t bpf_tid_limit(void);

/* Make everybody (targets NULL), the threads of targets and what they start, or a
 * control group the program's targets: rules is its read-only data.  cgroup: a
 * directory, or its path below the mount point of the version 2 hierarchy; NULL for
 * none.  Returns 0, or -1 after a message. */
int bpf_targets_prepare(struct bpf_object *object, struct target_rules *rules, const struct targets *targets,
			const char *cgroup, bool inherit);

/* Once the program is loaded and attached: tell it the threads. */
int bpf_targets_fill(struct bpf_object *object, const struct targets *targets);

/* ... and a thread that is one when it executes another program, which the BPF program
 * has to look out for. */
int bpf_targets_await_exec(struct bpf_object *object, int tid);

/* Return when every program that runs now, on any CPU, has ended: what it wrote can
 * be read.  Takes some milliseconds. */
void bpf_wait_for_programs(void);

/* What the programs of an object cost so far; runs and ns are 0 unless
 * bpf_cost_enable() was called before (it makes them a little slower). */
struct bpf_cost {
	uint64_t runs, ns;
	uint64_t missed; /* events, since the program was under way on that CPU already */
};

void bpf_cost_enable(void);
struct bpf_cost bpf_cost(struct bpf_object *object);

#endif
