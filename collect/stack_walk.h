/* stack_walk: a sample that has registers and a piece of the user stack becomes one with a whole
 * call chain (collect/recording.h: "Where the user part of a chain ends early").
 *
 *     header | fields | kernel chain | RAW | registers | stack             from the kernel
 *     header | fields | kernel chain, PERF_CONTEXT_USER, callers, END | RAW      recorded
 *
 * Knows the address spaces from the records that pass through it. */
#ifndef COLLECT_STACK_WALK_H
#define COLLECT_STACK_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/event.h"
#include "core/str.h"
#include "core/symbols/jit_files.h"
#include "core/symbols/modules.h"
#include "core/symbols/spaces.h"
#include "core/unwind/unwinder.h"

struct stack_walk {
	struct walked_id {
		uint64_t id;   /* of an event whose samples are walked */
		uint64_t regs_mask;
		bool has_raw;
	} *ids;                /* [id_count], sorted */
	size_t id_count, id_cap;
	struct modules modules;
	struct spaces spaces;
	struct jit_files dumps; /* of JIT-compiled code: how to unwind it */
	size_t modules_seen;    /* for dumps */
	struct unwinder *unwinder;
	uint64_t chain[UNWIND_MAX];
};

/* What perf_event_open(2) can copy of a stack, a multiple of 8; and what we copy if not told. */
enum { CALL_GRAPH_MAX_BYTES = 65528, CALL_GRAPH_BYTES = 32768 };

/* Registers are wanted, by bits of sample_regs_user; 0: this machine's are not known. */
uint64_t stack_walk_registers(void);

/* events are complete and have their ids. */
void stack_walk_init(struct stack_walk *w, const struct events *events);

/* Learn what the whole records in bytes[0..len) say about address spaces: before the
 * samples among them, whatever their order, are walked. */
void stack_walk_learn(struct stack_walk *w, const uint8_t *bytes, size_t len);

/* Append a whole record to out, but of its stack only what is there, for stack_walk_records().  Of
 * w only what is constant is used: another thread may walk meanwhile. */
void stack_walk_shorten(const struct stack_walk *w, const uint8_t *record, size_t size, struct str *out);

/* Append the whole records in bytes[0..len) to out, samples walked, others as they are. */
void stack_walk_records(struct stack_walk *w, const uint8_t *bytes, size_t len, struct str *out);

void stack_walk_free(struct stack_walk *w);

#endif
