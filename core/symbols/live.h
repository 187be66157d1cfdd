/* live: names from the running system: kallsyms, ELF files, the vdso, JIT maps. */
#ifndef CORE_SYMBOLS_LIVE_H
#define CORE_SYMBOLS_LIVE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/symbols/jit/jit_files.h"
#include "core/symbols/kallsyms.h"
#include "core/symbols/kernel_code.h"
#include "core/symbols/kernel_copy.h"
#include "core/symbols/space/places.h"

struct live {
	struct kallsyms kallsyms;
	pthread_t reader;
	bool reading;   /* kallsyms_read() runs on its own thread */
	bool elsewhere; /* see live_is_elsewhere() */
	bool inlined;   /* look for inlined functions, too */
	bool lines;     /* and for source lines: with inlined only */
	bool quiet;     /* no warning for each module without symbols */

	const struct kernel_copy *kept; /* the caller's: set it first; NULL: none */
	bool saved;              /* set it first: perf's copy of kallsyms is good enough if it has all wanted names */
	struct kernel_copy copy; /* while the copy is open, kallsyms is not read in the background */

	/* Code in the kernel at the time of the recording, sorted; NULL: not known. */
	const struct kernel_code *kernel_code;

	atomic_bool unwanted; /* set if the thread may end before everything is read */

	const struct jit_files *jit; /* the maps of JIT code read so far; maps that are not there are looked for.
				      * NULL: there are none yet */
};

/* Open perf's copy of kallsyms, or start reading kallsyms in the background. */
void live_start(struct live *live);

/* The recording is from another machine or boot: there are no names for the kernel, the vdso and
 * JIT-compiled code.  (Files: modules_are_elsewhere().) */
void live_is_elsewhere(struct live *live);

/* A places_source; argument is the struct live. */
void live_source(const struct module *module, struct place *wanted, size_t count, struct arena *names, void *argument);

void live_free(struct live *live);

#endif
