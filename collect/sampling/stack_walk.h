/* stack_walk: turns a sample with registers and a piece of the user stack into one with a whole call chain
 * (core/format/recording.h: "Where the user part of a chain ends early").
 *
 *     header | fields | kernel chain | RAW | registers | stack             from the kernel
 *     header | fields | kernel chain, PERF_CONTEXT_USER, callers, END | RAW      recorded
 *
 * A sample without a period (event_lacks_period()) gets that of its event.
 *
 * Learns address spaces from the records that pass through it. */
#ifndef COLLECT_SAMPLING_STACK_WALK_H
#define COLLECT_SAMPLING_STACK_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/java/java_stacks.h"
#include "collect/python/python_stacks.h"
#include "collect/recording/event.h"
#include "collect/sampling/stack_rest.h"
#include "collect/sampling/taken_sample.h"
#include "core/format/recording.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"
#include "core/unwind/unwinder.h"

/* A sample whose stack was walked, for struct event's made(). */
struct walked_sample {
	int pid, tid;
	uint64_t time_ns;
	uint64_t regs_mask;  /* by the kernel's register numbers, asm/perf_regs.h ... */
	const uint8_t *regs; /* registers, 8 bytes each, for walked_register(); NULL: none */
	const uint8_t *raw;  /* PERF_SAMPLE_RAW, [raw_len], without its length; NULL: none */
	size_t raw_len;
	const uint8_t *stack; /* [stack_len] bytes from the stack pointer on, as copied */
	size_t stack_len;
	struct java_stacks *java;
	/* made() may change these: */
	const uint64_t *chain; /* [count] entries of the user part, leaf first; may be trimmed at both ends */
	size_t count;
	uint64_t weight;            /* PERIOD */
	uint64_t label;             /* an additional label for the chain's end; 0: none */
	struct recording_span span; /* recorded if the event has recorded_as */
};

/* The value of a register (PERF_REG_X86_SI); false if it was not sampled. */
bool walked_register(const struct walked_sample *s, unsigned number, uint64_t *value);

struct stack_walk {
	struct walked_id {
		uint64_t id;            /* id of an event whose samples are walked, or completed */
		uint64_t recorded;      /* the id that its samples get in the recording */
		struct taken_form form; /* if false, its samples only get a period */
		bool is_span;
		bool (*made)(void *self, struct walked_sample *s);
		void *self;
	} * ids; /* [id_count], sorted */
	size_t id_count, id_cap;
	struct modules modules;
	struct spaces spaces;
	struct jit_files dumps; /* unwind tables of JIT-compiled code */
	size_t modules_seen;    /* number of modules already searched for dumps */
	struct unwinder *unwinder;
	bool no_java; /* Java frames are not looked for */
	struct java_stacks *java;
	struct python_stacks *python;
	struct python_copy *python_next; /* of the sample that follows; count 0: none */
	uint64_t chain[UNWIND_MAX];
	uint8_t rest[STACK_REST_MAX]; /* for a stack that is read again */
	size_t (*return_slots)(uint32_t tid, struct return_slot slots[RETURN_SLOTS_MAX]); /* of struct events */
	struct return_slot slots[RETURN_SLOTS_MAX];
	struct str repaired; /* a copy of a stack, with probed return addresses put back */
};

/* The most that perf_event_open(2) can copy of a stack, a multiple of 8; and our default. */
enum { CALL_GRAPH_MAX_BYTES = 65528, CALL_GRAPH_BYTES = 32768 };

/* Call this when events are complete and have their ids. */
void stack_walk_init(struct stack_walk *w, const struct events *events);

/* Learn about address spaces from the whole records in bytes[0..len), in whatever order, before walking the samples
 * among them. */
void stack_walk_learn(struct stack_walk *w, const uint8_t *bytes, size_t len);

/* Forget all address spaces, and learn the present ones from known records: those of all processes that live. */
void stack_walk_renew(struct stack_walk *w, const uint8_t *known, size_t len);

/* Open the JVMs known by now, which is slow. */
void stack_walk_open(struct stack_walk *w);

/* Append a whole record to out, its stack cut to the bytes actually copied, for stack_walk_records().  Uses only
 * constant parts of w, since another thread may walk meanwhile. */
void stack_walk_shorten(const struct stack_walk *w, const uint8_t *record, size_t size, struct str *out);

/* Append the whole records in bytes[0..len) to out: samples are walked and get a period, other records stay
 * unchanged. */
void stack_walk_records(struct stack_walk *w, const uint8_t *bytes, size_t len, struct str *out);

void stack_walk_free(struct stack_walk *w);

#endif
