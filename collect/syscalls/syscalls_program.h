/* syscalls_program: the BPF program of collect syscalls (bpf/syscalls.bpf.c), its sums, and its looks at calls that go on. */
#ifndef COLLECT_SYSCALLS_SYSCALLS_PROGRAM_H
#define COLLECT_SYSCALLS_SYSCALLS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/syscalls.h"
#include "collect/spans/span_program.h"

/* The collector sets its take(), which gets each struct call_record; of a sum, nothing after its parts is set. */
extern struct span_program syscalls_program;

struct syscalls_rules {
	uint64_t min_ns;  /* shorter ones are summed */
	const char *call; /* pattern of names; NULL: all */
	bool only_errors;
	uint32_t max_threads;
	const char *cgroup; /* or NULL */
};

/* Check rights and load it.  Returns 0, or -1 after a message. */
int syscalls_program_load(const struct collection *c, const struct syscalls_rules *rules);

/* Pass the sums so far to take(), and begin new ones. */
void syscalls_program_take_sums(void);

/* Have the calls that go on, and began at before_ns or earlier, sent: flag is CALL_OPEN, or CALL_HANGS, which sends each
 * once.  CALL_BEFORE, at the start, sends nothing: calls in which threads are blocked now count from the begin on.  Returns 0,
 * or -1 after a message. */
int syscalls_program_look(uint32_t flag, uint64_t before_ns);

/* Number of calls that had begun before the recording, mostly; and of those that a signal interrupted. */
uint64_t syscalls_program_no_begin(void);
uint64_t syscalls_program_restarted(void);

void syscalls_program_free(void);

#endif
