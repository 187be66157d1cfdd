/* java_machine: the JVM that a process runs, if it runs one: opened when it has come up, looked after until it has
 * ended.
 *
 *     java_stacks.h --> java_machine.h --> jvm/frames.h, methods.h, code_cache.h, scopes.h */
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

/* What frames were found to be: stacks have the same ones, over and over. */
enum { JAVA_SEEN_SLOTS = 4096 };

struct java_seen {
	uint64_t method, address;
	uint64_t since_ns;    /* it has been that: java_method() */
	uint64_t batch, epoch; /* java_methods_epoch() ... */
	int64_t unloads;      /* ... and java_methods_unloads(), then */
	int bci;
	enum java_tier tier;
};

/* One program that a process runs, or has run.  {0}: nothing is known of it. */
struct java_machine {
	const struct space *space; /* NULL: not known yet */
	struct jvm jvm;
	struct java_methods *methods;
	struct code_cache *code;
	struct scope_reader *scopes;
	struct java_frames *frames;
	struct java_seen *seen;    /* [JAVA_SEEN_SLOTS], the user's */
	bool only_certain;         /* stays: see java_stacks_new() */
	bool is_open;              /* it is a JVM ... */
	uint64_t lived;            /* ... which did live when this batch began, ... */
	uint64_t ended;            /* ... and had ended when this did: nothing can be read any more; 0: it lives */
	const char *obstacle;      /* why its stacks are not walked ... */
	bool is_half_mapped;       /* ... it may have been about to map HotSpot's library, or to end */
	bool is_starting;          /* it has mapped HotSpot's library */
	size_t searched;           /* mappings, for that */
	size_t mappings;           /* that there were when it was looked at last ... */
	uint64_t look_again, patience; /* ... and in which batch it may be looked at again */
};

/* Has the space HotSpot's library? */
bool java_machine_is_in(const struct space *space, const struct modules *modules);

/* Look at it for a batch: is it a JVM?  A process may have become another program: it is closed then, and looked at anew.
 * space: NULL, when only the newest is asked for; false of one that it ran before, whose memory is gone.  What it is
 * opened with must outlive m. */
bool java_machine_look(struct java_machine *m, const struct modules *modules, int pid, const struct space *space,
		       uint64_t batch);

/* Has it ended, by now? */
bool java_machine_has_ended(const struct java_machine *m);

/* Time has passed. */
void java_machine_next_batch(struct java_machine *m, uint64_t batch);

/* Is there something to complain of (m->obstacle)?  One that was starting, and ended soon, is nothing of that kind. */
bool java_machine_is_hopeless(const struct java_machine *m);

void java_machine_close(struct java_machine *m);

#endif
