/* threads: the full names of all threads of a JVM, in UTF-8 (the kernel keeps 15 bytes). */
#ifndef COLLECT_JVM_THREADS_H
#define COLLECT_JVM_THREADS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/jvm/jvm.h"
#include "collect/runtime/thread_reader.h"
#include "core/str.h"

struct java_threads;

/* Returns NULL, and *why, if the JVM's tables lack what is needed. */
struct java_threads *java_threads_new(const struct jvm *jvm, const char **why);

/* Read the names of all threads.  Returns their number, or -1 if the list could not be read (the JVM has ended).
 * *list is valid until the next call.  *unread counts names that could not be read (the garbage collector moved them at
 * each of three attempts). */
int java_threads_read(struct java_threads *t, const struct runtime_thread **list, size_t *unread);

void java_threads_free(struct java_threads *t);

#endif
