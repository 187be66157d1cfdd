#include "collect/jvm/thread_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { THREADS_MAX = 1 << 16, ATTEMPTS = 3, SHORTEST_OWN = 3 };

bool thread_list_init(struct thread_list *l, const struct jvm *jvm)
{
	*l = (struct thread_list){
		.remote = &jvm->remote,
		.length = vm_offset(jvm->tables, "ThreadsList", "_length"),
		.array = vm_offset(jvm->tables, "ThreadsList", "_threads"),
		.next = vm_offset(jvm->tables, "JavaThread", "_next"),
		.root = vm_static(jvm->tables, "ThreadsSMRSupport", "_java_thread_list"),
	};
	if (l->root && l->length >= 0 && l->array >= 0)
		l->next = -1;
	else
		l->root = vm_static(jvm->tables, "Threads", "_thread_list");
	return l->root && (l->next >= 0 || (l->length >= 0 && l->array >= 0));
}

/* The JVM's own threads are NonJavaThreads.  NonJavaThread only adds a next pointer to Thread, as the sizes of the
 * two show.  The tables do not export the head of the list, but the symbols do. */
void thread_list_find_own(struct thread_list *l, const struct jvm *jvm)
{
	struct libjvm_symbol symbols[] = { { .name = "_ZN13NonJavaThread9_the_listE" },
					   { .name = "_ZN13WatcherThread15_watcher_threadE" } };
	uint64_t size = vm_size(jvm->tables, "Thread");

	l->own_name = vm_offset(jvm->tables, "NamedThread", "_name");
	if (!size || vm_size(jvm->tables, "NonJavaThread") != size + sizeof(uint64_t) || l->own_name < 0)
		return;
	libjvm_symbols(&jvm->lib, symbols, 2);
	l->own_next = (int64_t)size;
	l->own_root = symbols[0].address;
	l->watcher = symbols[1].address;
}

/* ---- reading ---- */

static void thread_list_add(struct thread_list *l, uint64_t thread)
{
	l->threads = xgrow(l->threads, &l->cap, l->count + 1, sizeof(*l->threads));
	l->threads[l->count++] = thread;
}

static bool thread_list_read_array(struct thread_list *l)
{
	uint64_t list, array;
	uint32_t length;

	if (!remote_u64(l->remote, l->root, &list) || !remote_u32(l->remote, list + (uint64_t)l->length, &length) ||
	    !remote_u64(l->remote, list + (uint64_t)l->array, &array) || length > THREADS_MAX)
		return false;
	l->threads = xgrow(l->threads, &l->cap, length + 1, sizeof(*l->threads));
	l->count = length;
	return remote_read(l->remote, array, l->threads, length * sizeof(*l->threads));
}

static bool read_chain(struct thread_list *l, uint64_t root, int64_t next)
{
	uint64_t thread, seen = 0;

	if (!remote_u64(l->remote, root, &thread))
		return false;
	/* Detect a ring, which arises when freed memory is reused: the walk meets a thread again that it has seen
	 * 1, 2, 4, ... steps ago. */
	for (size_t i = 0; thread && thread != seen && i < THREADS_MAX; i++) {
		if (!(i & (i - 1)))
			seen = thread;
		thread_list_add(l, thread);
		if (!remote_u64(l->remote, thread + (uint64_t)next, &thread))
			break;
	}
	return true;
}

bool thread_list_read(struct thread_list *l)
{
	bool read = false;

	/* The list may be replaced and freed while we read it. */
	for (int i = 0; i < ATTEMPTS && !read; i++) {
		l->count = 0;
		read = l->next >= 0 ? read_chain(l, l->root, l->next) : thread_list_read_array(l);
	}
	l->java_count = l->count;
	if (read && l->own_root)
		read_chain(l, l->own_root, l->own_next);
	return read;
}

bool thread_own_name(const struct thread_list *l, uint64_t thread, char name[THREAD_OWN_BYTES])
{
	uint64_t watcher = 0, text;

	if (l->watcher && remote_u64(l->remote, l->watcher, &watcher) && thread == watcher) {
		snprintf(name, THREAD_OWN_BYTES, "VM Periodic Task Thread");
		return true;
	}
	if (!remote_u64(l->remote, thread + (uint64_t)l->own_name, &text) ||
	    !remote_text(l->remote, text, name, THREAD_OWN_BYTES))
		return false;
	for (const char *c = name; *c; c++) {
		if (*c < ' ' || *c > '~')
			return false;
	}
	return strlen(name) >= SHORTEST_OWN;
}

void thread_list_free(struct thread_list *l)
{
	free(l->threads);
	*l = (struct thread_list){ 0 };
}
