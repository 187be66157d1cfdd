/* frames: walks through the Java frames of a stack: the step of the unwinder in code of a JVM
 * (core/unwind/unwinder.h, struct unwind_runtime).
 *
 *     C++  --call stub-->  interpreter <--> adapters <--> compiled code, with inlined methods
 *      ^                                                     |
 *      +------ native method, stub, call into libjvm --------+  */
#ifndef COLLECT_JVM_FRAMES_H
#define COLLECT_JVM_FRAMES_H

#include "collect/jvm/code_cache.h"
#include "collect/jvm/jvm.h"
#include "collect/jvm/methods.h"
#include "collect/jvm/scopes.h"
#include "core/unwind/unwinder.h"

/* How the code of a frame was made, which its annotation tells. */
enum java_tier {
	JAVA_INTERPRETED = '0',
	JAVA_C1 = '1',
	JAVA_C2 = 'j', /* also for native wrappers and stubs */
	JAVA_INLINED = 'i',
	JAVA_LIKELY = '?', /* inlined, according to the nearest debug information: scopes.h */
};

/* One method of a frame. */
struct java_frame {
	uint64_t method;  /* Method*; 0: a stub, see name */
	const char *name; /* of a stub: "Interpreter", "StubRoutines (1)" */
	int bci;          /* -1: not known */
	enum java_tier tier;
};

struct java_frames;

/* The caller keeps ownership of the parts. */
struct java_frames *java_frames_new(const struct jvm *jvm, struct code_cache *code, struct scope_reader *scopes,
				    const char **why);

enum { JAVA_FRAMES_MAX = SCOPES_MAX + 1 };

/* One step: fills list[0..*count), the innermost first, and the caller in f (not f->entries).  Where a virtual
 * thread's callers are in the heap, "[frames on the heap]" stands for them. */
enum unwind_answer java_frames_step(struct java_frames *j, struct unwind_made *f,
				    struct java_frame list[JAVA_FRAMES_MAX], size_t *count);

void java_frames_free(struct java_frames *j);

#endif
