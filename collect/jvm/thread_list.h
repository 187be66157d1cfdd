/* thread_list: the threads of a JVM.  Java threads are in an array that is replaced when it changes (JDK 17), or
 * chained.  The JVM's own threads (GC threads, the VM thread) are listed from JDK 11 on. */
#ifndef COLLECT_JVM_THREAD_LIST_H
#define COLLECT_JVM_THREAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum { THREAD_OWN_BYTES = 64 };

struct thread_list {
	const struct remote *remote;
	uint64_t *threads; /* [count]: Java threads [java_count], then the JVM's own */
	size_t count, java_count, cap;
	/* Offsets; -1: there is none. */
	int64_t next, length, array, own_next, own_name;
	uint64_t root, own_root, watcher; /* addresses of pointers */
};

/* Returns false if the tables do not say where the list is.  jvm must outlive l. */
bool thread_list_init(struct thread_list *l, const struct jvm *jvm);

/* Also find the JVM's own threads: takes some milliseconds. */
void thread_list_find_own(struct thread_list *l, const struct jvm *jvm);

/* Read the list.  Returns false if there is none. */
bool thread_list_read(struct thread_list *l);

/* The name of one of the JVM's own threads; false if it has no name at that place: few kinds do. */
bool thread_own_name(const struct thread_list *l, uint64_t thread, char name[THREAD_OWN_BYTES]);

void thread_list_free(struct thread_list *l);

#endif
