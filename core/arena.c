#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Blocks double in size, so a small arena stays small, and a large one consists of a few blocks of huge pages
 * (memory.c). */
enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 8 * 1024 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t size;
	char bytes[];
};

static void arena_add_block(struct arena *a, size_t size)
{
	struct arena_block *block = xmalloc(sizeof(*block) + size);

	block->next = a->blocks;
	block->size = size;
	a->blocks = block;
	a->next = block->bytes;
	a->end = block->bytes + size;
}

static size_t block_size(const struct arena *a, size_t wanted)
{
	size_t size = a->blocks ? 2 * a->blocks->size : FIRST_BLOCK;

	if (size > LARGEST_BLOCK - sizeof(struct arena_block))
		size = LARGEST_BLOCK - sizeof(struct arena_block);
	return size > wanted ? size : wanted;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = (size + !size + 7) & ~(size_t)7;
	if ((size_t)(a->end - a->next) < size)
		arena_add_block(a, block_size(a, size));
	p = a->next;
	a->next += size;
	return p;
}

char *arena_strdup(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void arena_take(struct arena *a, struct arena *from)
{
	struct arena_block **last = &from->blocks;

	while (*last)
		last = &(*last)->next;
	if (!a->blocks) {
		*a = *from;
	} else { /* after the block that a is filling */
		*last = a->blocks->next;
		a->blocks->next = from->blocks;
	}
	*from = (struct arena){ 0 };
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	*a = (struct arena){ 0 };
}
