/* java_maps: asks JVMs for perf maps of their code (Compiler.perfmap, Java 17 and newer), at the
 * beginning, every few seconds, and at the end; collect/java/jit_maps.h reads them.
 *
 * It is for code that is not read from outside (collect/java/java_stacks.h): because nobody wants the stacks
 * walked, of a JVM that keeps frame pointers, or because its tables cannot be read. */
#ifndef COLLECT_JAVA_JAVA_MAPS_H
#define COLLECT_JAVA_JAVA_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/jvm/jvm.h"
#include "collect/machine/procfs.h"
#include "core/symbols/jit/jit_files.h"

/* How the code of JVMs becomes names. */
enum jvm_way {
	JVM_CHOOSE,     /* by what each of them is */
	JVM_VMSTRUCTS,  /* read from outside: collect/jvm/jvm.h */
	JVM_PERFMAP,    /* by the JVM, when it is asked: asked as below */
	JVM_OFF,        /* as of any program */
};

struct java_map;

struct java_maps {               /* {0}, then the first five, is empty */
	enum jvm_way way;
	bool walked;             /* stacks are copied: JVMs that can be read need no map */
	const struct pids *roots; /* they, ... (the caller's) */
	int command;             /* ... this one (0: there is none) and what they start are asked, nobody else */
	bool everybody;          /* but for this */
	struct java_map *list;   /* each process once, JVM or not */
	size_t count, cap;
};

/* Ask those of processes that shall be asked, and wait until they have answered (5 s at most). */
void java_maps_begin(struct java_maps *m, const struct pids *processes);

/* Once a second: ask also those that files tell of (they have memory for code that no file backs), and some
 * again.  Does not wait.  Others' JVMs, whose maps the kernel tells of too, are let alone. */
void java_maps_look(struct java_maps *m, const struct jit_files *files);

/* A JVM that could be read and has no map, since it came up after it was decided that no stacks are copied;
 * 0: there is none. */
int java_maps_latecomer(const struct java_maps *m);

/* Ask all a last time, and wait. */
void java_maps_finish(struct java_maps *m);

/* Maps that were not there before are removed, unless somebody else has written them since: after they were read
 * a last time. */
void java_maps_free(struct java_maps *m);

#endif
