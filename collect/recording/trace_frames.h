/* trace_frames: finds frames in kernel stacks taken by BPF programs that are not the thread's own, but belong to
 * tracing or interrupts. Function names tell:
 *
 *     bpf_prog_1a2b3c_waking      exists only because we trace
 *     bpf_trace_run1
 *     __traceiter_sched_waking
 *     try_to_wake_up
 *     hrtimer_interrupt
 *     asm_sysvec_apic_timer_interrupt
 *     futex_wait                  what was interrupted; the frames above are not the thread's own */
#ifndef COLLECT_RECORDING_TRACE_FRAMES_H
#define COLLECT_RECORDING_TRACE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_frames { /* {0} knows none */
	struct trace_range {
		uint64_t start, end;
		bool interrupt; /* the entry of an interrupt; otherwise tracing */
	} * list;               /* in ascending order */
	size_t count, cap;
};

/* Look the functions up in kallsyms, once the programs are loaded.  Warns if addresses are hidden, so that no function
 * is known. */
void trace_frames_read(struct trace_frames *t);

/* The number of entries at the leaf end of the stack that belong to tracing. */
size_t trace_frames_count(const struct trace_frames *t, const uint64_t *stack, size_t count);

/* Number of leading entries that belong to an interrupt (core/symbols/names/interrupts.h), its entry included; 0: all
 * are the thread's own. */
size_t trace_frames_interrupt(const struct trace_frames *t, const uint64_t *stack, size_t count);

void trace_frames_free(struct trace_frames *t);

#endif
