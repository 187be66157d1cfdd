/* java_maps: asks JVMs for perf maps of their code (Compiler.perfmap, Java 17 and newer) at the beginning, every few
 * seconds, and at the end; collect/java/jit_maps.h reads the maps.
 *
 * They are used when the JVM's code is not read from outside (collect/java/java_stacks.h): because stacks are not
 * walked, as the JVM keeps frame pointers, or because the JVM's tables cannot be read. */
#ifndef COLLECT_JAVA_JAVA_MAPS_H
#define COLLECT_JAVA_JAVA_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/jvm/jvm.h"
#include "collect/machine/procfs.h"
#include "collect/recording/living.h"
#include "core/symbols/jit/jit_files.h"

/* How names of JVM code are found. */
enum jvm_way {
	JVM_CHOOSE,    /* chosen for each JVM */
	JVM_VMSTRUCTS, /* read from outside: collect/jvm/jvm.h */
	JVM_PERFMAP,   /* written by the JVM on request */
	JVM_OFF,       /* JVMs are treated like any program */
};

struct java_map;

struct java_maps { /* {0} is empty; the caller sets the first five members */
	enum jvm_way way;
	bool walked;              /* stacks are copied: a readable JVM does not need a map */
	const struct pids *roots; /* the caller's: these processes and their descendants are asked */
	int command;              /* this process, too, with its descendants; 0: none */
	bool everybody;           /* unless this is set */
	struct java_map *list;    /* each process once, whether or not it is a JVM */
	size_t count, cap;
};

/* Ask those among processes whose turn it is, and wait up to 5 s for their answers. */
void java_maps_begin(struct java_maps *m, const struct pids *processes);

/* Call this once a second.  It also asks processes found in files, which have executable memory that no file backs, and
 * asks some of them again.  Does not wait.  Skips JVMs that are not recorded, though the kernel reports their mappings
 * too. */
void java_maps_look(struct java_maps *m, const struct jit_files *files);

/* A readable JVM without a map that started after it was decided not to copy stacks; 0: none. */
int java_maps_latecomer(const struct java_maps *m);

/* Ask all JVMs a last time, and wait. */
void java_maps_finish(struct java_maps *m);

/* Forget processes that nothing refers to any more, and remove their maps as java_maps_free() does. */
void java_maps_forget(struct java_maps *m, const struct living *living);

/* Remove maps that did not exist before, unless somebody else has written them since.  Call this after the maps were
 * read for the last time. */
void java_maps_free(struct java_maps *m);

#endif
