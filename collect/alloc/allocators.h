/* allocators: finds malloc() and the other functions by which a process allocates memory, in the C library or its
 * replacement (jemalloc, tcmalloc, a static program). */
#ifndef COLLECT_ALLOC_ALLOCATORS_H
#define COLLECT_ALLOC_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Which argument gives the number of bytes. */
enum allocator_kind {
	ALLOCATOR_MALLOC,  /* the first argument; the function calls none of the others */
	ALLOCATOR_FIRST,   /* the first argument: valloc, operator new */
	ALLOCATOR_SECOND,  /* the second: realloc, aligned_alloc, memalign */
	ALLOCATOR_THIRD,   /* the third: posix_memalign */
	ALLOCATOR_PRODUCT, /* the product of both: calloc */
	ALLOCATOR_KINDS,
};

enum { ALLOCATOR_FUNCTIONS_MAX = 24 };

/* A file that was examined, whether or not it has such functions. */
struct allocator {
	dev_t dev;
	ino_t inode;
	bool is_libc; /* it is the C library, whose functions count only if no other file has them */
	struct allocator_function {
		enum allocator_kind kind;
		uint64_t offset; /* offset in the file */
	} functions[ALLOCATOR_FUNCTIONS_MAX];
	size_t count; /* number of functions; 0: the file has no malloc() */
};

struct allocators { /* {0} is empty */
	struct allocator *files;
	size_t count, cap;
};

/* Called with an allocator, its index in files, and a path that opens its file now. */
typedef void allocator_take(void *self, size_t file, const char *path);

/* Call take() for the allocators that process pid uses.  Returns their number. */
size_t allocators_of_process(struct allocators *all, int pid, allocator_take *take, void *self);

/* The same for the allocators that the program argv[0] will probably use, which is not running yet; if unknown, for our
 * own. */
void allocators_of_command(struct allocators *all, const char *name, allocator_take *take, void *self);

void allocators_free(struct allocators *all);

#endif
