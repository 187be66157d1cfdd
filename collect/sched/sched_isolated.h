/* sched_isolated: reports who ran on CPUs meant for one thread each. */
#ifndef COLLECT_SCHED_SCHED_ISOLATED_H
#define COLLECT_SCHED_SCHED_ISOLATED_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/sched.h"
#include "collect/machine/anchors.h"
#include "collect/machine/cpus.h"

struct visitor {
	uint32_t cpu, pid, tid;
	uint64_t ns, count, longest_ns;
	uint64_t time_ns; /* when the thread came first; 0: it was there from the beginning */
	char comm[17];
	uint64_t stack_count;
	uint64_t stack[SCHED_STACK]; /* kernel stack at that time, leaf first */
};

struct isolated { /* {0} is empty */
	struct cpus cpus;
	struct visitor *visitors;
	size_t count, cap;
};

/* Choose the CPUs in text or, if text is "", those that the kernel isolates (isolcpus, nohz_full).  Wrong usage if
 * there are none. */
void isolated_choose(struct isolated *i, const char *text);

/* In "--assert-isolated 1", the 1 is taken for the COMMAND, since an optional value must be attached.  So it is wrong
 * usage if word looks like CPUs. */
void isolated_check_word(const char *word);

/* A thread came to a CPU. */
void isolated_add_entry(struct isolated *i, const struct sched_entry *e);

/* A thread ran on a CPU, which need not be one of the chosen ones. */
void isolated_add_time(struct isolated *i, uint32_t cpu, uint32_t pid, uint32_t tid, uint64_t ns, uint64_t count,
		       uint64_t longest_ns);

/* The thread was renamed: change its name. */
void isolated_rename(struct visitor *v, const struct sched_name *name);

/* Print on stdout which threads ran on each CPU; a converts to wall-clock times.  Returns true if no CPU had more
 * than one thread, counting kernel threads, but not the idle thread. */
bool isolated_report(struct isolated *i, const struct anchor *a);

void isolated_free(struct isolated *i);

#endif
