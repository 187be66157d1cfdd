/* java_machine: the JVM that a process runs, if any: opened when the JVM has come up, tracked until it has ended.
 *
 * java_stacks.h --> java_machine.h --> jvm/frames.h, methods.h, code_cache.h, scopes.h */
#ifndef COLLECT_JAVA_JAVA_MACHINE_H
#define COLLECT_JAVA_JAVA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/frames.h"
#include "collect/jvm/jvm.h"
#include "collect/jvm/methods.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

/* Cache of decoded frames: stacks repeat the same ones. */
enum { JAVA_SEEN_SLOTS = 4096 };

struct java_seen {
	uint64_t method, address;
	uint64_t since_ns;     /* the names are valid since: java_method() */
	uint64_t batch, epoch; /* java_methods_epoch() ... */
	int64_t unloads;       /* ... and java_methods_unloads(), at that time */
	int bci;
	enum java_tier tier;
};

/* A program that a process runs, or has run. {0}: nothing is known about it. */
struct java_machine {
	const struct space *space; /* NULL: unknown yet */
	struct jvm jvm;
	struct java_methods *methods;
	struct code_cache *code;
	struct scope_reader *scopes;
	struct java_frames *frames;
	struct java_seen *seen;        /* [JAVA_SEEN_SLOTS], the caller's */
	bool only_certain;             /* not cleared: see java_stacks_new() */
	bool is_open;                  /* the program is a JVM ... */
	uint64_t lived;                /* ... that was alive when this batch began, ... */
	uint64_t ended;                /* ... and had ended when this one did: nothing can be read any more; 0: alive */
	const char *obstacle;          /* why its stacks are not walked ... */
	bool is_half_mapped;           /* ... perhaps because the process was about to map HotSpot's library, or to
				        * end */
	bool is_starting;              /* the process has mapped HotSpot's library */
	size_t searched;               /* number of mappings searched for HotSpot's library */
	size_t mappings;               /* number of mappings at the last look ... */
	uint64_t look_again, patience; /* ... and the batch in which to look again */
};

/* Does the space map HotSpot's library? */
bool java_machine_is_in(const struct space *space, const struct modules *modules);

/* Does the process run a JVM, in this batch?  If the process has executed another program, the old JVM is closed
 * and the new one examined.
 * space: NULL for the newest program; false for an earlier program, whose memory is gone.  What the JVM is opened
 * with must outlive m. */
bool java_machine_look(struct java_machine *m, const struct modules *modules, int pid, const struct space *space,
		       uint64_t batch);

/* The same program, whose mappings are in this space from now on. */
void java_machine_move(struct java_machine *m, const struct space *space);

/* Has the JVM ended? */
bool java_machine_has_ended(const struct java_machine *m);

/* Begin a new batch: time has passed. */
void java_machine_next_batch(struct java_machine *m, uint64_t batch);

/* Is m->obstacle worth reporting?  Not for a JVM that was starting and soon ended. */
bool java_machine_is_hopeless(const struct java_machine *m);

void java_machine_close(struct java_machine *m);

#endif
