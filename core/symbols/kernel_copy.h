/* kernel_copy: the copy of /proc/kallsyms that perf record leaves in its cache (perf-buildid-cache(1)):
 *
 *     ~/.debug/[kernel.kallsyms]/BUILD-ID/kallsyms
 *
 * The kernel formats the 5 MB of /proc/kallsyms anew for each reader, which takes 50 ms; in a file, the few wanted
 * lines are found at once.  Only symbols of the kernel's image are taken from the copy: within one build their
 * distances are always the same, wherever it was loaded.  Modules and BPF programs come and go. */
#ifndef CORE_SYMBOLS_KERNEL_COPY_H
#define CORE_SYMBOLS_KERNEL_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* {0} is valid and has no symbols. */
struct kernel_copy {
	const char *text; /* mapped, or of kept */
	size_t len;
	size_t image;        /* bytes of text before the lines of modules */
	uint64_t start, end; /* addresses of the image's first and last symbol */
	uint64_t shift;      /* offset from the addresses in text to the current ones */
	char *kept;          /* see kernel_copy_keep() */
};

/* The build-id of the running kernel.  Returns its length, 0: unknown. */
size_t kernel_build_id(uint8_t id[BUILD_ID_MAX]);

/* Open the copy for the running kernel.  Returns 0, or -1: there is no copy, others may write it, it is not usable, or
 * /proc/kallsyms hides addresses. */
int kernel_copy_open(struct kernel_copy *c);

/* Read /proc/kallsyms once, for callers that look up names repeatedly.  The copy is valid until a module or a BPF program is
 * loaded or unloaded.  Returns as kernel_copy_open(). */
int kernel_copy_keep(struct kernel_copy *c);

/* Is the address in the kernel's image? */
bool kernel_copy_has(const struct kernel_copy *c, uint64_t address);

/* Name those of wanted[0..count), sorted by address, that are in the image, as kallsyms_resolve() does; the names go
 * into *names.  Names of other places are invalid. */
void kernel_copy_resolve(const struct kernel_copy *c, struct place *wanted, size_t count, struct arena *names);

/* The same with a copy from kernel_copy_keep(), for all places. */
void kernel_copy_resolve_all(const struct kernel_copy *c, struct place *wanted, size_t count, struct arena *names);

void kernel_copy_close(struct kernel_copy *c);

#endif
