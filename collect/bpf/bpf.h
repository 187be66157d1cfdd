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

/* Check that collector NAME can load its program here: the program is in this build, the kernel has BTF, and we have
 * the rights.  Returns 0, or -1 after a message that says what to do.  Call this before using libbpf: it silences
 * libbpf, except for what bpf_failure() reports. */
int bpf_check(const char *name);

/* Why no program can be loaded, in a few words for struct source; NULL: programs can be loaded.  Prints nothing. */
const char *bpf_obstacle(void);

/* The bytes of an object, as a skeleton's NAME_bpf__elf_bytes() gives them. */
typedef const void *bpf_elf_bytes(size_t *size);

/* The same as bpf_obstacle() for the program of one collector: also names features that the program needs and the
 * kernel lacks. */
const char *bpf_object_obstacle(bpf_elf_bytes *bytes);

/* The least Linux for which any of our code was written, and that for an object, "5.12"; elf: NULL for none. */
#define BPF_LEAST_KERNEL "5.10"
const char *bpf_least_kernel(const void *elf, size_t size);

/* The same as bpf_check() for the program of one collector. */
int bpf_check_object(const char *name, bpf_elf_bytes *bytes);

/* The kernel's types, which are read only once, since that takes 15 ms and thousands of page faults.  Returns NULL and
 * sets errno if they cannot be read. */
struct btf *bpf_kernel_types(void);

/* Does the kernel have a function of this name that programs may call? */
bool bpf_has_function(const char *function);

/* The same as bpf_object_obstacle() for a program that calls a kernel function introduced in Linux 6.2.  Where the
 * kernel lacks the function, libbpf searches modules for it, which takes CAP_SYS_ADMIN up to libbpf 1.4. */
const char *bpf_function_obstacle(const char *function, bpf_elf_bytes *bytes);

/* May collector NAME load such a program?  Returns 0, or -1 after a message that says what to do. */
int bpf_function_check(const char *name, const char *function);

/* Does the kernel have this tracepoint for programs of type tp_btf? */
bool bpf_has_tracepoint(const struct btf *kernel, const char *tracepoint);

/* Drop the last message of libbpf, since we have handled its cause. */
void bpf_forget_complaint(void);

/* Does this errno of libbpf mean that ulimit -v is too low?  The kernel's types take some 20 MB.  Without room for
 * them, libbpf 1.1 reports ESRCH ("No such process"), and libbpf 1.5 ENOMEM, which the kernel also reports when it has
 * no memory for a map. */
bool bpf_is_short_of_memory(int err);

/* Report why collector NAME could not do `what` ("load its program"), whose errno was err.  Returns -1. */
int bpf_failure(const char *name, const char *what, int err);

/* Report why collector NAME could not load its program: memory for its maps, or the verifier. option: the collector's
 * option that makes its maps smaller; NULL: none. */
int bpf_load_failure(const char *name, struct bpf_object *object, int err, const char *option);

/* Thread ids are below this. */
uint32_t bpf_tid_limit(void);

/* Set the program's targets in rules, its read-only data: all threads (targets NULL), the threads of targets and
 * what they start, or a control group. cgroup: as cgroup_find() takes it (collect/machine/cgroup.h); NULL:
 * none.  Returns 0, or -1 after a message. */
int bpf_targets_prepare(struct bpf_object *object, struct target_rules *rules, const struct targets *targets,
			const char *cgroup, bool inherit);

/* Is the thread a target, as the program knows that was prepared last, and sees each fork? */
bool bpf_is_target(uint32_t tid);

/* Pass the threads to the program, once it is loaded and attached. */
int bpf_targets_fill(struct bpf_object *object, const struct targets *targets);

/* The same for all programs with targets that were filled so. */
int bpf_targets_add(const struct targets *targets);

/* Pass a thread that becomes a target at its exec, which the BPF program must detect (bpf/exec.bpf.h). */
int bpf_targets_await_exec(struct bpf_object *object, int tid);

/* Call this after the program was attached, with the result err, to pass its targets. command: a thread as for
 * bpf_targets_await_exec() in place of targets; 0: none. */
int bpf_attached(const char *name, struct bpf_object *object, int err, const struct targets *targets, int command);

/* Map the memory of an array that is shared with the programs.  *size: its bytes, for munmap() (NULL: not needed).
 * Returns NULL after a message. */
void *bpf_map_memory(const char *name, struct bpf_map *map, size_t value_size, size_t *size);

/* Set the bits of these CPUs in a program's mask, which has `limit` bits. */
void bpf_set_cpus(uint64_t *mask, unsigned limit, const struct cpus *cpus);

/* Can programs read a task's registers? */
bool bpf_has_registers(void);

/* Can programs find what is mapped at an address? */
bool bpf_has_find_vma(void);

/* Have the loops of bpf/steps.bpf.h take the way that this kernel has; `have` is have_loop of the object. */
void bpf_choose_loop(struct bpf_object *object, volatile uint32_t *have);

/* Run an iterator once; `what` describes its purpose in messages.  Returns 0, or -1 after a message. */
int bpf_iterate(const char *name, struct bpf_program *iterator, const char *what);

/* Run an iterator over tasks once, for one thread, and read what it writes into out[size].  Before Linux 6.1 the
 * iterator sees all threads, so the program must pick the thread itself.  Returns whether it wrote size bytes. */
bool bpf_iterate_thread(struct bpf_program *iterator, uint32_t tid, void *out, size_t size);

/* Wait until all programs that are running now, on any CPU, have ended, so that their data can be read.  Takes some
 * milliseconds. */
void bpf_wait_for_programs(void);

/* What the programs of an object have cost so far.  This is complete only if bpf_cost_enable() returned true before
 * they were attached; otherwise they were measured only while another process had enabled the kernel's statistics. */
struct bpf_cost {
	uint64_t runs, ns;
};

/* Make the kernel measure BPF programs until we exit, which makes them a little slower.  Returns false, after a
 * warning, if it refuses. */
bool bpf_cost_enable(void);
struct bpf_cost bpf_cost(struct bpf_object *object);

/* How often the kernel has skipped a program of the object because it was already running on that CPU: an interrupt
 * came while it ran, or the program itself caused such an event. */
uint64_t bpf_missed(const struct bpf_object *object);

#endif
