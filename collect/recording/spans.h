/* spans: turns what BPF programs measure into samples of a recording (core/format/recording.h: events that no PMU
 * counts). */
#ifndef COLLECT_RECORDING_SPANS_H
#define COLLECT_RECORDING_SPANS_H

#include <stdint.h>

#include "collect/recording/event.h"
#include "core/format/recording.h"
#include "core/str.h"

struct span {
	int pid, tid;
	uint32_t cpu;     /* the CPU where the span was or ended; UINT32_MAX: several */
	uint64_t time_ns; /* time of the sample: when the span ended or was summed up */
	uint64_t ns;      /* total duration */
	uint64_t count, longest_ns, begin_ns, migrations;
	uint32_t flags;        /* enum recording_span_flag */
	const uint64_t *chain; /* leaf first, with PERF_CONTEXT_* marks and labels */
	size_t chain_count;
};

/* Event number n of ours has the id SPANS_FIRST_ID + n, above the kernel's ids, which count from 1. */
#define SPANS_FIRST_ID (1ull << 62)

/* Add an event of ours, RECORDING_SCHED or the like.  Returns its number in events->list.  It has an id that the
 * kernel never assigns, and is never opened. */
size_t spans_add_event(struct events *events, const char *name);

/* Append s, as a sample of event e, to out: whole records for recording_append(),
 * many at once. */
void span_add(struct str *out, const struct event *e, const struct span *s);

/* The same for an event whose spans end in `more`: len bytes, a multiple of 8. */
void span_add_with(struct str *out, const struct event *e, const struct span *s, const void *own, size_t len);

/* The data for walking the user part of a span's chain. */
struct span_copy {
	uint64_t ip;          /* user instruction pointer */
	uint64_t abi;         /* PERF_SAMPLE_REGS_ABI_64 */
	const uint64_t *regs; /* [reg_count], in the order of unwind_sample_registers() */
	size_t reg_count;
	const uint8_t *stack; /* [stack_len], from the stack pointer on */
	size_t stack_len;
	const void *python;   /* [python_len], a record SPANS_PYTHON without its header; NULL: none */
	size_t python_len;
	size_t stack_wanted; /* if more than stack_len, the copy ended early: collect/sampling/stack_rest.h */
};

/* A record that precedes a sample of span_add_copied(), for the walker alone: struct python_copy (bpf/python.h). */
enum { SPANS_PYTHON = 0x50590001 };

/* Append s like span_add(), but for an event whose stacks are walked, and for walker_take() in place of
 * recording_append().  The chain lacks its user part. */
void span_add_copied(struct str *out, const struct event *e, const struct span *s, const struct span_copy *copy);

/* Have user stacks walked of the samples of e that span_add_copied() made. */
void spans_walk(struct event *e);

#endif
