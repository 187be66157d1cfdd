/* lanes_program: the BPF program of collect lanes (bpf/lanes.bpf.c). */
#ifndef COLLECT_LANES_LANES_PROGRAM_H
#define COLLECT_LANES_LANES_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/lanes.h"
#include "collect/machine/targets.h"

struct lanes_rules {
	const struct targets *targets; /* NULL: all processes */
	const char *cgroup;
	bool inherit;
};

enum { LANES_MISSING = 4 };

/* Why the program cannot be loaded on this machine with our rights, in a few words; NULL if it can be. */
const char *lanes_program_obstacle(void);
const void *lanes_program_object(size_t *size);

/* Load the program.  missing gets what this kernel does not report, up to a NULL.  Returns 0, or -1 after a message. */
int lanes_program_load(const struct lanes_rules *rules, const char *missing[LANES_MISSING]);

/* Can the program look at sockets?  Are their depths maxima, or only those at the time of a look? */
bool lanes_program_has_sockets(void);
bool lanes_program_has_maxima(void);

/* Does the program take this process for a target? */
bool lanes_program_is_target(pid_t pid);

/* Attach the program, and find the sockets of targets.  command: a thread that becomes a target at its exec; 0:
 * none. */
int lanes_program_start(const struct targets *targets, int command);

/* Find processes of sockets whose process is not known yet; always: look for new sockets, too. */
void lanes_program_find_sockets(bool always);

/* A look: call take for each socket that has changed, and for each one that was not passed for a second. */
void lanes_program_sockets(void (*take)(void *context, const struct lane_socket *s), void *context);

/* A look: the number of threads that run on each CPU or wait for it.  Returns NULL if the kernel does not report
 * them. */
const uint32_t *lanes_program_run_queues(void);

/* Pass the events since the last call to take. */
void lanes_program_events(void (*take)(void *context, const struct lane_event *e), void *context);

void lanes_program_stop(void);

/* Number of events that found the ring full, and of sockets that are not watched for lack of memory. */
uint64_t lanes_program_lost(void);
uint64_t lanes_program_lost_sockets(void);

/* bpf_missed() */
uint64_t lanes_program_missed(void);

void lanes_program_free(void);

#endif
