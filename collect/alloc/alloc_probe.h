/* alloc_probe: the functions of HotSpot that are called for some allocations, or for each of them, and
 * the perf events (PMU "uprobe") on them. */
#ifndef COLLECT_ALLOC_ALLOC_PROBE_H
#define COLLECT_ALLOC_ALLOC_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/alloc/alloc_heap.h"
#include "collect/alloc/alloc_signature.h"
#include "collect/alloc/usdt.h"
#include "collect/machine/procfs.h"
#include "collect/recording/event.h"
#include "collect/sampling/stack_walk.h"
#include "core/str.h"

struct alloc_probe {
	char path[32];        /* of the libjvm.so: "/proc/self/fd/7", whatever becomes of who has mapped it */
	uint64_t offset;      /* in the file */
	bool is_every;        /* hotspot:object__alloc, else AllocTracer */
	struct alloc_signature signature;
	int64_t limit_at;     /* where a Thread has the size that it wants its TLABs to be, in words; -1: not
			       * known ... */
	uint64_t fraction;    /* ... of which it wastes one so many'th at most: TLABRefillWasteFraction */
	int object;           /* of object__alloc: the argument that is the object (alloc_heap.h), or -1, and ... */
	struct usdt_argument name, name_len, size; /* ... this is to be trusted */
	struct alloc_probes *of;
	struct str text;      /* a name that was read */
};

struct alloc_probes {         /* {0} is none */
	struct alloc_probe **list; /* each stays where it is: events point at them */
	size_t count, cap;
	struct alloc_file {   /* a libjvm.so, which several processes may have mapped */
		dev_t device;
		ino_t inode;
		int fd;
	} *files;
	size_t file_count, file_cap;
	size_t with_events;   /* the first so many of list have some */
	struct pids jvms;     /* whose allocations are seen */
	struct alloc_heap **heaps; /* of each; NULL: not needed */
	size_t heap_cap;
};

/* Find what is to be probed in process pid.  Returns 0; -1, and *why, when it is no HotSpot JVM, or one
 * that cannot be looked at. */
int alloc_probes_find(struct alloc_probes *p, pid_t pid, bool every, const char **why);

/* No JVM is looked at any more; what is probed in their files stays. */
void alloc_probes_forget_jvms(struct alloc_probes *p);

/* Without TLABs, compiled code and the interpreter take objects from eden by themselves, and tell nobody: with
 * collectors whose eden is one piece, until JDK 19 (JDK-8290706).  Is the JVM such a one? */
bool alloc_misses_compiled(pid_t pid);

/* What a sample says of its object. */
struct alloc_object {
	uint64_t klass;       /* Klass* */
	uint64_t size, tlab;  /* bytes; tlab 0: outside of any */
	uint64_t limit;       /* of the new TLAB's bytes may be wasted; 0: not known */
	const char *name;     /* as the JVM has it: "[Ljava/lang/String;"; NULL: has a klass; valid until
			       * the next one is read */
	size_t name_len;
};

/* Returns false when it cannot be read.  Called by one thread only. */
bool alloc_probe_read(struct alloc_probe *probe, const struct walked_sample *s, struct alloc_object *o);

/* Add an event for each probe that has none, whose samples go to made(probe, sample): complete, with the stacks' first
 * stack_bytes, one for period hits. */
void alloc_probes_add_events(struct alloc_probes *p, struct events *events, const struct sampling *how,
			     bool (*made)(void *probe, struct walked_sample *s));

void alloc_probes_free(struct alloc_probes *p);

#endif
