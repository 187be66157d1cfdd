/* denial: who denies what our capabilities allow: a user namespace, lockdown, seccomp, a security module. */
#ifndef COLLECT_MACHINE_DENIAL_H
#define COLLECT_MACHINE_DENIAL_H

/* Who denies perf_event_open() or bpf(), and what to do, in one sentence without a full stop: "a seccomp filter, such as a
 * container engine's default profile, denies it: ...".  It is the first of those in force, in the order in which they
 * would have to be changed.  root: where /proc and /sys are, "" except in tests.  Valid until the next call. */
const char *denial_reason(const char *root);

/* Why kernel memory cannot be read, which all of our BPF programs do; NULL: nothing is known that denies it.  Maps can be made all
 * the same, and a program that may not read it is refused as wrong, not for want of rights. */
const char *denial_of_kernel_memory(const char *root);

/* Why processes of others cannot be seen, and what to do; NULL: they can. */
const char *denial_of_processes(const char *root);

#endif
