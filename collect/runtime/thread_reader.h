/* thread_reader: how a language's runtime tells what it calls its threads (the kernel keeps 15 bytes). */
#ifndef COLLECT_RUNTIME_THREAD_READER_H
#define COLLECT_RUNTIME_THREAD_READER_H

#include <stdbool.h>
#include <stddef.h>

struct runtime_thread {
	int tid;          /* the kernel's thread id, in the process's PID namespace */
	const char *name; /* UTF-8, valid until the next call; has no newline and no NUL; NULL: it could not be read */
	bool is_sure;     /* false: the name counts only if it begins with the kernel's name, as for the JVM's own
			   * threads, and for references to objects that ZGC may have moved */
	bool is_default;  /* the runtime made it up: it does not count if the program gave the kernel another name */
};

struct thread_reader {
	/* Could a mapped file of this name[0..len) be the runtime? */
	bool (*is_named)(const char *name, size_t len);
	/* Returns NULL if the process does not run the runtime, or is not ready yet. */
	void *(*open)(int pid);
	/* Read the names of all threads.  Returns their number, or -1 if the runtime has ended.  *list is valid until the next
	 * call.  *unread: names that could not be read yet. */
	int (*read)(void *runtime, const struct runtime_thread **list, size_t *unread);
	/* May be NULL: the file whose probes report threads as they begin. */
	const char *(*probed)(const void *runtime);
	void (*close)(void *runtime);
};

#endif
