/* jfr_pools: the constants of a chunk of a flight recording (jfr.c), and the names made of them.
 *
 * A checkpoint event has, after its size, number 1, start, duration, distance to the previous one and flags, pools of
 * constants, each with a type, a count, and that many pairs of key and value:
 *
 *     type jdk.types.StackTrace, 2:   17 -> not truncated, 3 frames: (method 8, line 12, bytecode 3, frame type 1), ...
 *     type jdk.types.Method, 1:        8 -> (class 4, name 9, descriptor 2, modifiers 1, not hidden)
 *     type java.lang.Class, 1:         4 -> (loader 1, name 6, package 3, modifiers 1)
 *     type jdk.types.Symbol, 2:        6 -> "com/example/App", 9 -> "handle"
 *
 * Only the position of each value is kept; values are read when a sample needs them. */
#ifndef COLLAPSE_JVM_JFR_POOLS_H
#define COLLAPSE_JVM_JFR_POOLS_H

#include "collapse/fold/text_stacks.h"
#include "collapse/jvm/jfr_types.h"

/* The kinds of constants that we need. */
enum jfr_pool {
	JFR_STACKS,
	JFR_METHODS,
	JFR_CLASSES,
	JFR_SYMBOLS,
	JFR_STRINGS,
	JFR_THREADS,
	JFR_FRAME_TYPES,
	JFR_THREAD_STATES,
	JFR_POOL_COUNT,
};

struct jfr_pools {
	struct jfr_types *types;
	bool wide;
	const uint8_t *end;            /* of the chunk */
	uint32_t type[JFR_POOL_COUNT]; /* JFR_NO_TYPE: the chunk has none */
	uint32_t frame_type;           /* the type of a stack's frames */
	struct map places;             /* key, pool -> index in values + 1 */
	const uint8_t **values;
	size_t count, cap;
	struct map methods; /* key -> name + 1, for names that were already made */
	struct map stacks;  /* (key, class at the leaf) -> number + 1 */
	struct str text;
};

/* Prepare for the constants of a chunk whose types are known. */
void jfr_pools_begin(struct jfr_pools *p, struct jfr_types *types, bool wide, const uint8_t *end);

/* Read a checkpoint event; `in` is behind the event's number.  Returns false if the event is damaged; what was read
 * before the damage is kept. */
bool jfr_pools_read(struct jfr_pools *p, struct jfr_input *in, int64_t *distance);

/* The number of the stack with this key, with a frame for the class at the leaf, if that is not 0.  Missing frames
 * become "[unknown]", the rest of a truncated stack becomes "[truncated]". */
uint32_t jfr_stack(struct jfr_pools *p, struct text_stacks *s, uint64_t key, uint64_t class_key);

/* Set tid and, in comm, the thread's name, as far as they are known. */
void jfr_thread(struct jfr_pools *p, struct text_stacks *s, uint64_t key, struct text_labels *labels);

/* The name of a state: "RUNNABLE" for STATE_RUNNABLE; TEXT_NO_NAME: not known. */
uint32_t jfr_state(struct jfr_pools *p, struct text_stacks *s, uint64_t key);

void jfr_pools_free(struct jfr_pools *p);

#endif
