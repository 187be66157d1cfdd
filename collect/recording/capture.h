/* capture: how good the stacks of a recording are, and where most of them are broken.  The name of the outermost
 * function shows whether a stack found by frame pointers is complete, so stacks are counted by this function until all
 * places have names. */
#ifndef COLLECT_RECORDING_CAPTURE_H
#define COLLECT_RECORDING_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/recording.h"
#include "core/intern.h"
#include "core/symbols/quality.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/runtime.h"
#include "core/symbols/starts.h"

enum { CAPTURE_MAX_STACK = 127 }; /* kernel.perf_event_max_stack, unless changed */

struct capture {            /* {0} is empty */
	uint64_t max_stack; /* set by the caller; 0: CAPTURE_MAX_STACK */
	bool symbols_only;  /* set by the caller, too: leave out inlined functions and source lines, which are
			     * expensive */
	struct quality quality;
	uint64_t looks_broken;   /* broken stacks that were not walked */
	struct capture_worst {   /* where most stacks of ... broke */
		char module[64]; /* name of the module, or "" */
		bool is_jit;
		int pid;              /* a process that maps the module */
		enum runtime runtime; /* runtime of that process; set by symbolize() */
		uint64_t *broken;     /* number of broken stacks, by module */
		size_t cap;
		uint64_t on_heap; /* number of broken stacks with RECORDING_END_OTHER_STACK, as a virtual thread's */
	} of_samples, of_spans;
	char nameless_in[64]; /* module with the most nameless frames, or "" */
	enum why nameless_why;
	char unnamed[400]; /* text of unnamed_line() (core/symbols/unnamed.h); "" if only few samples are in such
			    * functions */

	uint64_t *hits; /* number of frames, by place */
	size_t hits_cap;
	uint64_t *leaves; /* number of samples in user code, by place */
	size_t leaves_cap;
	uint64_t samples;   /* samples with a stack */
	struct intern ends; /* struct capture_end of the stacks that are not judged yet */
	uint64_t *stacks;   /* [ends] how many stacks end in this way */
	size_t stacks_cap;
};

/* A stack, with the frames that were added so far. */
struct capture_stack {
	bool span;   /* it is the stack of a span of time */
	bool alone;  /* it is only an address, rather than a call chain */
	bool walked; /* the chain says how it ends */
	enum recording_end end;
	uint64_t depth, user_depth;
	uint32_t outer[STARTS_LOOKED_AT]; /* places of user frames, the outermost first */
	uint32_t last_place, last_module; /* module of the outermost user frame that is in a module */
	bool astray;                      /* frames further out lie in no module */
};

/* Add a frame of s, in the order of the chain; module is that of the place. */
void capture_frame(struct capture *c, struct capture_stack *s, uint32_t place, uint32_t module, bool kernel);

/* Count s, after all its frames were added. */
void capture_stack(struct capture *c, const struct capture_stack *s);

/* Call this once all places have names: it fills quality, of_samples, of_spans, nameless_in. */
void capture_judge(struct capture *c, const struct places *places, const struct modules *modules);

void capture_free(struct capture *c);

#endif
