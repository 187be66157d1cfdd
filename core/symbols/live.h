/* live: names from the running system: kallsyms, ELF files, the vdso, JIT maps. */
#ifndef CORE_SYMBOLS_LIVE_H
#define CORE_SYMBOLS_LIVE_H

#include <pthread.h>
#include <stdbool.h>

#include "core/symbols/jit_files.h"
#include "core/symbols/kallsyms.h"
#include "core/symbols/places.h"

struct live {
	struct kallsyms kallsyms;
	pthread_t reader;
	bool reading;          /* kallsyms_read() runs on its own thread */
	bool wrong_kernel;     /* the recording is of another kernel, or boot: it was said */
	const char *symbol;    /* a kernel symbol, and where it was while recording: */
	uint64_t address;      /* 0: nobody knows */
	bool inlined;          /* look for lines of source and inlined functions, too */
	bool quiet;            /* no warning for each module without symbols */

	const struct jit_files *jit; /* maps of JIT code that were read; others are looked for.
				      * NULL: none */
};

/* Begin to read kallsyms beside the caller's other work. */
void live_start(struct live *live);

/* The recording says that its kernel was this release (NULL: unknown), and that
 * symbol was at address then (0: unknown).  Kernel addresses mean something only
 * to the kernel and the boot they come from: others get no names, and a warning.
 * symbol must outlive live. */
void live_expect_kernel(struct live *live, const char *release, const char *symbol,
			uint64_t address);

/* A places_source; argument is the struct live. */
void live_source(const struct module *module, struct place *wanted, size_t count,
		 struct arena *names, void *argument);

void live_free(struct live *live);

#endif
