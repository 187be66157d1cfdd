/* windows_program: loads the BPF program of collect windows (bpf/windows.bpf.c), and sets its probes. */
#ifndef COLLECT_WINDOWS_WINDOWS_PROGRAM_H
#define COLLECT_WINDOWS_WINDOWS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/windows.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/windows/window_places.h"

struct windows_rules {
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
};

typedef void windows_take(const struct window_record *r);

/* Check rights and load the program.  take() gets its records.  Returns 0, or -1 after a message. */
int windows_program_load(const struct windows_rules *rules, windows_take *take);

/* Start with these places, which must stay. */
void windows_program_set(const struct window_places *places);

/* Set the probes. command: a process that becomes a target at its exec; 0: none.  Returns 0, or -1 after a message. */
int windows_program_start(const struct targets *targets, int command);

/* Of struct events: where functions whose return is probed return to.  (x86-64; elsewhere the address is in a register.) */
size_t windows_program_returns(uint32_t tid, struct return_slot slots[RETURN_SLOTS_MAX]);

/* A descriptor that is readable when much data is pending; drain() passes all of it to take(), round() only a part. */
int windows_program_fd(void);
void windows_program_drain(void);
void windows_program_round(void);

/* The recording ends at end_ns. */
void windows_program_end(uint64_t end_ns);

/* Remove the probes; all data has been passed on then. */
void windows_program_stop(void);

/* Begins and ends lost because the ring was full. */
uint64_t windows_program_lost(void);

/* bpf_missed() */
uint64_t windows_program_missed(void);

void windows_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *windows_program_obstacle(void);

#endif
