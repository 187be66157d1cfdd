/* arena: memory for many small things that die together.  {0} is empty. */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	char *next, *end;
};

/* size bytes, uninitialised, aligned to 8; valid until arena_free(). */
void *arena_alloc(struct arena *a, size_t size);

/* A NUL-terminated copy of text. */
char *arena_strdup(struct arena *a, const char *text, size_t len);

/* Move everything in *from to *a; *from is empty afterwards. */
void arena_take(struct arena *a, struct arena *from);

/* Free everything in a, which is empty afterwards. */
void arena_free(struct arena *a);

#endif
