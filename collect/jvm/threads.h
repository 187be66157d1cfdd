/* threads: the names of all threads of a JVM, whole (the kernel keeps 15 bytes), in UTF-8. */
#ifndef COLLECT_JVM_THREADS_H
#define COLLECT_JVM_THREADS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/jvm/jvm.h"
#include "core/str.h"

struct java_threads;

/* Returns NULL, and *why, when the JVM's tables have not what is needed. */
struct java_threads *java_threads_new(const struct jvm *jvm, const char **why);

struct java_thread {
	int tid;              /* the kernel's, as the JVM knows it: in its own PID namespace */
	const char *name;     /* valid until the next call; no newline, no NUL; NULL: it could not be read */
	bool is_sure;         /* else it is the thread's only if the kernel's name for it is a cut of it: of
			       * the JVM's own threads, and of references to an object that ZGC may
			       * have moved */
};

/* Read all.  Returns how many, or -1 when the list could not be read (the JVM ended).  *list is valid
 * until the next call.  Names that could not be read (the collector moved them, three times) are counted
 * in *unread. */
int java_threads_read(struct java_threads *t, const struct java_thread **list, size_t *unread);

void java_threads_free(struct java_threads *t);

#endif
