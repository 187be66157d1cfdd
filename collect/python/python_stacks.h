/* python_stacks: Python frames as entries of call chains, for all interpreters of a recording.
 *
 * BPF programs copy the frames of a thread when it is sampled (bpf/python/python_copy.bpf.h), since they change with the next
 * instruction; what their code is called is read afterwards.  In the chain of C functions, each call of the evaluating
 * function becomes the Python frames that it ran:
 *
 *     chain:   poll  _PyEval_EvalFrameDefault  _PyEval_Vector  _PyEval_EvalFrameDefault  main
 *     frames:        select | _run_once, run_forever                                 <module>
 *     becomes: poll  select _run_once run_forever  _PyEval_Vector                    <module>  main
 *
 * With -X perf, each function is called by code of its own, in memory without a file: it goes with the call.
 *
 * As with Java (collect/java/java_stacks.h), each (code, line) has an address of its own, in a pseudo mapping "[python]". */
#ifndef COLLECT_PYTHON_PYTHON_STACKS_H
#define COLLECT_PYTHON_PYTHON_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/python.h"
#include "collect/python/python_feed.h"
#include "collect/recording/living.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

struct python_stacks;

/* modules: those of the spaces; not owned.  python_stacks_free() frees it. */
struct python_stacks *python_stacks_new(const struct modules *modules, const struct python_maps *maps);

/* Call this after new records were read, before the samples among them: opens the interpreters of new processes, and
 * takes the copies that go with the samples. */
void python_stacks_next_batch(struct python_stacks *p, struct spaces *spaces);

enum { PYTHON_LABELS_MAX = 2 };

/* A stack that was walked. */
struct python_stack {
	struct space *space;
	int pid, tid;
	uint64_t time_ns;
	bool is_whole;                  /* else callers are missing at its end */
	const struct python_copy *copy; /* its frames; NULL: take the copy of this thread and time */
	/* Answer: of the task of asyncio that ran, if any (core/format/recording.h). */
	uint64_t labels[PYTHON_LABELS_MAX];
	size_t label_count;
};

/* Put Python frames into chain[0..count), leaf first.  Returns the new count, at most room. */
size_t python_stacks_mix(struct python_stacks *p, struct python_stack *s, uint64_t *chain, size_t count, size_t room);

/* The name of an address assigned by python_stacks, with its annotation; NULL: it was not assigned.  Valid until the
 * next call. */
const char *python_stacks_name(struct python_stacks *p, int pid, uint64_t address);

/* As java_stacks_mappings(), ... */
void python_stacks_mappings(struct python_stacks *p, uint64_t id, struct str *out);
void python_stacks_give_names(struct python_stacks *p, struct jit_files *files);
void python_stacks_move(struct python_stacks *p, struct spaces *spaces);
void python_stacks_forget(struct python_stacks *p, const struct living *living);

/* Number of frames whose code was gone. */
uint64_t python_stacks_unread(const struct python_stacks *p);

/* Report the interpreters that have no Python frames, and why.  defect: that of the kernel, because of which nobody copies any;
 * NULL: none. */
void python_stacks_complain(const struct python_stacks *p, const char *defect);

void python_stacks_free(struct python_stacks *p);

#endif
