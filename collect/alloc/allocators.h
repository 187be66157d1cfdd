/* allocators: the functions by which a process allocates memory: malloc() and its like, in the file that
 * it has them from: the C library, or what stands in for it (jemalloc, tcmalloc, a static program). */
#ifndef COLLECT_ALLOC_ALLOCATORS_H
#define COLLECT_ALLOC_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Where a function is told how many bytes. */
enum allocator_kind {
	ALLOCATOR_MALLOC,  /* the first argument; calls none of the others */
	ALLOCATOR_FIRST,   /* the first argument: valloc, operator new */
	ALLOCATOR_SECOND,  /* the second: realloc, aligned_alloc, memalign */
	ALLOCATOR_THIRD,   /* the third: posix_memalign */
	ALLOCATOR_PRODUCT, /* the product of both: calloc */
	ALLOCATOR_KINDS,
};

enum { ALLOCATOR_FUNCTIONS_MAX = 24 };

/* A file that was looked at, whether or not it has any. */
struct allocator {
	dev_t dev;
	ino_t inode;
	bool is_libc;      /* others go before it */
	struct allocator_function {
		enum allocator_kind kind;
		uint64_t offset; /* in the file */
	} functions[ALLOCATOR_FUNCTIONS_MAX];
	size_t count;      /* 0: it has no malloc() */
};

struct allocators {        /* {0} is empty */
	struct allocator *files;
	size_t count, cap;
};

/* An allocator, its number in files, and a path by which it can be opened now. */
typedef void allocator_take(void *self, size_t file, const char *path);

/* Tell those that process pid uses.  Returns how many. */
size_t allocators_of_process(struct allocators *all, int pid, allocator_take *take, void *self);

/* Tell those that the program argv[0], which does not run yet, will use, as far as can be said; if it is
 * not known, our own. */
void allocators_of_command(struct allocators *all, const char *name, allocator_take *take, void *self);

void allocators_free(struct allocators *all);

#endif
