/* bpf: what BPF collectors share: loading, rights, targets, cost.  The programs are in bpf/; each has a skeleton,
 * bpf/NAME.skel.h. */
#ifndef COLLECT_BPF_BPF_H
#define COLLECT_BPF_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/span_control.h"
#include "bpf/targets.h"
#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"

struct bpf_map;
struct bpf_object;
struct btf;
struct bpf_program;

/* Can collector NAME load its program here: is the program in this build, does the kernel have BTF, do we have the
 * rights?  Returns 0, or -1 after a message that says what to do.  Call before using libbpf: silences libbpf,
 * except for what bpf_failure() reports. */
int bpf_check(const char *name);

/* Why no program can be loaded, in a few words, for struct source; prints nothing.  NULL: it can be. */
const char *bpf_obstacle(void);

/* The bytes of an object, as a skeleton's NAME_bpf__elf_bytes() gives them. */
typedef const void *bpf_elf_bytes(size_t *size);

/* The same as bpf_obstacle() for the program of a collector: also names features that the program needs and the kernel
 * lacks. */
const char *bpf_object_obstacle(bpf_elf_bytes *bytes);

/* The same as bpf_check() for such a program. */
int bpf_check_object(const char *name, bpf_elf_bytes *bytes);

/* The kernel's types, read once: that takes 15 ms and thousands of page faults.  NULL, and errno: they cannot be read. */
struct btf *bpf_kernel_types(void);

/* Has the kernel a function of this name, for programs to call? */
bool bpf_has_function(const char *function);

/* The same as bpf_object_obstacle() for a program that calls a function of the kernel which came with Linux 6.2.  Where the kernel lacks it, libbpf looks
 * for it in modules, for which it needs CAP_SYS_ADMIN until version 1.4. */
const char *bpf_function_obstacle(const char *function, bpf_elf_bytes *bytes);

/* May collector NAME load such a program?  Returns 0, or -1 after a message that says what to do. */
int bpf_function_check(const char *name, const char *function);

/* Has the kernel this tracepoint, for programs of tp_btf? */
bool bpf_has_tracepoint(const struct btf *kernel, const char *tracepoint);

/* Drop the last complaint of libbpf: we have handled what it was about. */
void bpf_forget_complaint(void);

/* Does this errno of libbpf mean that ulimit -v is too low?  The kernel's types take some 20 MB; without room for them,
 * libbpf 1.1 reports ESRCH, "No such process", and libbpf 1.5 ENOMEM, as the kernel does when it has no memory for a
 * map. */
bool bpf_is_short_of_memory(int err);

/* Report why collector NAME could not do what ("load its program"); err is its errno.  Returns -1. */
int bpf_failure(const char *name, const char *what, int err);

/* Report why collector NAME could not load its program: there is no memory for its maps, or the verifier refuses it.
 * option: the collector's option that makes its maps smaller; NULL: none. */
int bpf_load_failure(const char *name, struct bpf_object *object, int err, const char *option);

/* Thread ids are below this. */
uint32_t bpf_tid_limit(void);

/* Set the program's targets in rules, its read-only data: all threads (targets NULL), the threads of targets and
 * what they start, or a control group. cgroup: a directory, or its path below the version 2 mount point; NULL:
 * none.  Returns 0, or -1 after a message. */
int bpf_targets_prepare(struct bpf_object *object, struct target_rules *rules, const struct targets *targets,
			const char *cgroup, bool inherit);

/* Pass the threads to the program, once it is loaded and attached. */
int bpf_targets_fill(struct bpf_object *object, const struct targets *targets);

/* Pass a thread that becomes a target at its exec, which the BPF program must detect (bpf/exec.bpf.h). */
int bpf_targets_await_exec(struct bpf_object *object, int tid);

/* Call after the program was attached, with the result err: passes its targets.
 * command: a thread as for bpf_targets_await_exec(), instead of targets; 0: none. */
int bpf_attached(const char *name, struct bpf_object *object, int err, const struct targets *targets, int command);

/* The memory of an array, shared with the programs, for munmap(); *size: its bytes (NULL: not needed).  Returns NULL
 * after a message. */
void *bpf_map_memory(const char *name, struct bpf_map *map, size_t value_size, size_t *size);

/* Set the bits of these CPUs in a program's mask of limit bits. */
void bpf_set_cpus(uint64_t *mask, unsigned limit, const struct cpus *cpus);

/* Can programs read a task's registers? */
bool bpf_has_registers(void);

/* Run an iterator once; what says what for, in messages.  Returns 0, or -1 after a message. */
int bpf_iterate(const char *name, struct bpf_program *iterator, const char *what);

/* Run an iterator over tasks once, for one thread, and read what it writes: [size].  Before Linux 6.1 the iterator sees
 * all threads: it must choose itself.  Returns whether there was so much. */
bool bpf_iterate_thread(struct bpf_program *iterator, uint32_t tid, void *out, size_t size);

/* Wait until every program running now, on any CPU, has ended, so that its data can be read.  Takes some
 * milliseconds. */
void bpf_wait_for_programs(void);

/* What the programs of an object have cost so far.  Only if bpf_cost_enable() returned true, before they were attached, is it
 * all of it: otherwise they were measured while another process had the kernel's statistics on. */
struct bpf_cost {
	uint64_t runs, ns;
};

/* Have the kernel measure BPF programs, which makes them a little slower, until we end.  Returns false, after a warning, if it
 * does not. */
bool bpf_cost_enable(void);
struct bpf_cost bpf_cost(struct bpf_object *object);

/* How often the kernel did not run a program of the object so far, because it was already running on that CPU: an
 * interrupt came while it ran, or its own actions caused such an event. */
uint64_t bpf_missed(const struct bpf_object *object);

#endif
