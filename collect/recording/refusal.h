/* refusal: why the kernel refuses us, and the commands that grant the least rights that we need. */
#ifndef COLLECT_RECORDING_REFUSAL_H
#define COLLECT_RECORDING_REFUSAL_H

#include <sys/types.h>

#include "collect/machine/rights.h"
#include "collect/recording/event.h"
#include "core/str.h"

enum wanted {
	WANT_OWN_USER, /* user code of our own processes */
	WANT_OWN,      /* kernel code of our own processes, too */
	WANT_MACHINE,  /* all processes */
	WANT_TRACEPOINTS,
	WANT_OTHERS, /* processes of another user */
	WANT_BPF,
	WANT_UPROBES
};

/* Append ways to get w, one command per line ("\n  sudo ..."), for a user with rights r. program: the file for
 * setcap; again: the command that was run, as sudo can run it. */
void refusal_add_ways(struct str *out, enum wanted w, const struct rights *r, const char *program, const char *again);

/* The limit of the machine or of this process behind an errno, and how to raise the limit; NULL: the errno is not about
 * a limit.  Valid until the next call. */
const char *refusal_limit(int err);

/* Explain errno err of perf_event_open(2) for event e on a CPU (or -1) and a
 * thread (-1: all threads).  Returns -1. */
int explain_open_failure(const struct event *e, pid_t tid, int cpu, int err);

/* Explain what collector NAME needs to load its BPF program.  Returns -1. */
int explain_bpf_rights(const char *name);

/* Explain what collector NAME needs in order to search for a kernel function that this kernel lacks.  Returns -1. */
int explain_kernel_function(const char *name, const char *function);

/* Check that collector NAME may set uprobes.  Returns 0, or -1 after a message that says what it needs. */
int check_uprobes(const char *name);

/* Why the kernel may not be sampled, if may_sample_kernel() is false. */
const char *kernel_obstacle(void);

/* Why perf events or uprobes are unavailable, in a few words; prints nothing.  NULL: they are available. */
const char *perf_obstacle(void);
const char *uprobe_obstacle(void);

#endif
