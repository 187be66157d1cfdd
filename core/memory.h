/* memory: allocation that dies instead of returning NULL. */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stddef.h>

/* As malloc, calloc and realloc; the caller owns the result and calls free(). */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);

/* Like xmalloc, for a size claimed by a file: returns NULL if there is not enough memory. */
void *memory_try(size_t size);

/* An array of at least want elements, grown by doubling; *cap is its capacity
 * in elements.  Dies when count * size overflows. */
void *xgrow(void *array, size_t *cap, size_t want, size_t size);

/* The same, but only the first `used` elements are kept, so that memory after them is not touched. */
void *xgrow_used(void *array, size_t *cap, size_t used, size_t want, size_t size);

char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);

#endif
