/* load_ahead: asks for memory that is needed soon, so that it is in the cache by then. */
#ifndef CORE_LOAD_AHEAD_H
#define CORE_LOAD_AHEAD_H

#include <stddef.h>

enum { CACHE_LINE = 64 };

/* Load the len bytes at p, which need not be mapped.  The empty asm statement counts as an effect: gcc 12 treats a
 * function that only prefetches as one without effect, and drops calls of it. */
static inline void load_ahead(const void *p, size_t len)
{
	__asm__ volatile("");
	for (size_t at = 0; at < len; at += CACHE_LINE)
		__builtin_prefetch((const char *)p + at);
}

#endif
