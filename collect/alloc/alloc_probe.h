/* alloc_probe: the HotSpot functions called for some allocations, or for each, and the perf events (PMU "uprobe")
 * on them. */
#ifndef COLLECT_ALLOC_ALLOC_PROBE_H
#define COLLECT_ALLOC_ALLOC_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/alloc/alloc_signature.h"
#include "collect/alloc/usdt.h"
#include "collect/machine/procfs.h"
#include "collect/recording/event.h"
#include "collect/sampling/stack_walk.h"
#include "core/str.h"

struct alloc_probe {
	char path[32];   /* path of libjvm.so: "/proc/self/fd/7", valid even after the process has ended */
	uint64_t offset; /* offset of the instruction in the file */
	bool is_every;   /* hotspot:object__alloc, which sees every allocation; otherwise AllocTracer */
	struct alloc_signature signature;
	int64_t limit_at;  /* offset in a Thread of its desired TLAB size, in words; -1: unknown ... */
	uint64_t fraction; /* a TLAB wastes at most one part in this many: TLABRefillWasteFraction */
	int object;        /* for object__alloc: index of the object argument (struct alloc_heap), or -1, and ... */
	struct usdt_argument name, name_len, size; /* ... these arguments can be trusted */
	struct alloc_probes *of;
	struct str text; /* the name read last */
};

struct alloc_probes {              /* {0}: there are none */
	struct alloc_probe **list; /* entries do not move: events point at them */
	size_t count, cap;
	struct alloc_file { /* a libjvm.so, which several processes may map */
		dev_t device;
		ino_t inode;
		int fd;
	} * files;
	size_t file_count, file_cap;
	size_t with_events;        /* this many of the first ones in list have events */
	struct pids jvms;          /* JVMs whose allocations are seen */
	struct alloc_heap **heaps; /* one for each JVM; NULL: not needed */
	size_t heap_cap;
};

/* Find what to probe in process pid.  Returns 0; -1, and *why, if the process is not a HotSpot JVM, or cannot be
 * read. */
int alloc_probes_find(struct alloc_probes *p, pid_t pid, bool every, const char **why);

/* Forget all JVMs; probes in their files stay. */
void alloc_probes_forget_jvms(struct alloc_probes *p);

/* Does compiled code of this JVM allocate unseen?  It does up to JDK 19 (JDK-8290706) without TLABs if the collector's
 * eden is contiguous: then compiled code and the interpreter allocate objects in eden themselves. */
bool alloc_misses_compiled(pid_t pid);

/* Have all TLABs of the JVM the same size, because of -XX:-ResizeTLAB or ZGC? */
bool alloc_steps_are_fixed(pid_t pid);

/* What a sample says about its object. */
struct alloc_object {
	uint64_t klass;      /* Klass* */
	uint64_t size, tlab; /* bytes of the object, and of its new TLAB; tlab 0: the object is outside any TLAB */
	uint64_t limit;      /* bytes of the new TLAB that may be wasted; 0: unknown */
	const char *name;    /* in JVM form: "[Ljava/lang/String;"; NULL: use klass; valid until the next one is
			       * read */
	size_t name_len;
};

/* Read what a sample says about its object.  Returns false if the object cannot be read.  Call from one thread only. */
bool alloc_probe_read(struct alloc_probe *probe, const struct walked_sample *s, struct alloc_object *o);

/* Add an event for each probe that has none: one complete sample per period hits, with stack_bytes of stack,
 * passed to made(probe, sample). */
void alloc_probes_add_events(struct alloc_probes *p, struct events *events, const struct sampling *how,
			     bool (*made)(void *probe, struct walked_sample *s));

void alloc_probes_free(struct alloc_probes *p);

#endif
