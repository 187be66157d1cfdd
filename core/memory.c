#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "core/error.h"

/* A message names a limit of this process if it is lower than the machine's memory. */
_Noreturn static void die_of_memory(size_t bytes)
{
	struct rlimit space;

	if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY)
		die("out of memory (%zu bytes): this process may have %ju kB (ulimit -v)", bytes,
		    (uintmax_t)space.rlim_cur / 1024);
	die("out of memory (%zu bytes)", bytes);
}

/* Larger allocations use huge pages if the kernel has them: 2 MB of small pages need 512 faults, each of which costs as
 * much as hashing a stack, or, in some virtual machines (16 us), as hashing fifty.  Where faults are fast, there is
 * little to gain below 8 MB.  Smaller tables of zeros come from calloc(), which does not clear pages that are fresh
 * from the kernel. */
enum { LARGE = 1 << 20, HUGE_PAGE = 2 << 20, LARGE_ZEROED = 8 << 20 };

/* The rest after the last multiple of a huge page also gets a huge page if it is more than a quarter of one, else small
 * pages. */
void *memory_try(size_t size)
{
	void *p;

	if (size < LARGE)
		return malloc(size ? size : 1);
	if (size % HUGE_PAGE > HUGE_PAGE / 4)
		size += HUGE_PAGE - size % HUGE_PAGE;
	if (posix_memalign(&p, HUGE_PAGE, size))
		return NULL;
	madvise(p, size & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
	return p;
}

void *xmalloc(size_t size)
{
	void *p = memory_try(size);

	if (!p)
		die_of_memory(size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(count, size, &bytes))
		die("out of memory (%zu x %zu bytes)", count, size);
	p = bytes < LARGE_ZEROED ? calloc(bytes ? bytes : 1, 1) : memory_try(bytes);
	if (!p)
		die_of_memory(bytes);
	if (bytes >= LARGE_ZEROED)
		memset(p, 0, bytes);
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		die_of_memory(size);
	return p;
}

void *xgrow(void *array, size_t *cap, size_t want, size_t size)
{
	return xgrow_used(array, cap, *cap, want, size);
}

void *xgrow_used(void *array, size_t *cap, size_t used, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;
	void *larger;

	if (want <= *cap)
		return array;
	while (n < want) {
		if (n > SIZE_MAX / 2)
			die("out of memory (%zu elements)", want);
		n *= 2;
	}
	if (n > SIZE_MAX / size)
		die("out of memory (%zu x %zu bytes)", n, size);
	*cap = n;
	if (n * size < LARGE)
		return xrealloc(array, n * size);
	larger = xmalloc(n * size);
	if (used)
		memcpy(larger, array, used * size);
	free(array);
	return larger;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t len)
{
	char *copy = xmalloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}
