#include "core/symbols/space/chooser.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { BUCKETS = 4096 };

static const struct symbol none = { .start = UINT64_MAX };

static size_t bucket_of(const struct chooser *c, uint64_t address)
{
	return (size_t)((address - c->wanted[0].address) >> c->shift);
}

void chooser_init(struct chooser *c, struct place *wanted, size_t count)
{
	size_t next = 0;

	*c = (struct chooser){ .wanted = wanted, .count = count };
	c->covering = xmalloc(count * sizeof(*c->covering));
	c->before = xmalloc(count * sizeof(*c->before));
	c->buckets = xmalloc((BUCKETS + 1) * sizeof(*c->buckets));
	for (size_t i = 0; i < count; i++)
		c->covering[i] = c->before[i] = none;
	while (count && bucket_of(c, wanted[count - 1].address) >= BUCKETS)
		c->shift++;
	for (size_t b = 0; b < BUCKETS; b++) {
		while (next < count && bucket_of(c, wanted[next].address) < b)
			next++;
		c->buckets[b] = (uint32_t)next;
	}
	c->buckets[BUCKETS] = (uint32_t)count;
}

/* The index of the first wanted place at or after address.  One bucket can have nearly all places,
 * because a module far from the kernel makes the buckets wide. */
static size_t chooser_first_from(const struct chooser *c, uint64_t address)
{
	size_t first, bucket;

	if (address <= c->wanted[0].address)
		return 0;
	bucket = bucket_of(c, address);
	if (bucket >= BUCKETS)
		return c->count;
	first = c->buckets[bucket];
	return first + FIRST_NOT(i, c->buckets[bucket + 1] - first, c->wanted[first + i].address < address);
}

static size_t name_len(const struct symbol *s)
{
	return s->name_len ? s->name_len : strlen(s->name);
}

static size_t chooser_leading_underscores(const struct symbol *s)
{
	size_t len = name_len(s), n = 0;

	while (n < len && s->name[n] == '_')
		n++;
	return n;
}

static bool chooser_begins_with(const struct symbol *s, const char *text, size_t len)
{
	return name_len(s) >= len && !memcmp(s->name, text, len);
}

/* Is the symbol one of the kernel's less useful second names of a function: the 32-bit entry of a system call, the
 * position-independent copy for early boot? */
static bool is_second_name(const struct symbol *s)
{
	return chooser_begins_with(s, "__ia32_", 7) || chooser_begins_with(s, "__pi_", 5);
}

static bool chooser_is_better(const struct symbol *a, const struct symbol *b)
{
	size_t a_underscores, b_underscores;

	if (a->start == UINT64_MAX || b->start == UINT64_MAX)
		return a->start != UINT64_MAX;
	if (a->start != b->start)
		return a->start > b->start;
	if (!a->name || !b->name)
		return a->name && !b->name;
	if (!a->size != !b->size)
		return a->size;
	if (a->weak != b->weak)
		return b->weak;
	if (a->local != b->local)
		return b->local;
	if (is_second_name(a) != is_second_name(b))
		return is_second_name(b);
	a_underscores = chooser_leading_underscores(a);
	b_underscores = chooser_leading_underscores(b);
	if (a_underscores != b_underscores)
		return a_underscores < b_underscores;
	return name_len(a) > name_len(b);
}

void chooser_offer(struct chooser *c, const struct symbol *s)
{
	size_t first;

	if (!c->count)
		return;
	first = chooser_first_from(c, s->start);
	if (first == c->count)
		return;
	if (chooser_is_better(s, &c->before[first]))
		c->before[first] = *s;
	for (size_t i = first; i < c->count && c->wanted[i].address - s->start < s->size; i++) {
		if (chooser_is_better(s, &c->covering[i]))
			c->covering[i] = *s;
	}
}

void chooser_finish(struct chooser *c, struct arena *names)
{
	const struct symbol *before = &none, *named = NULL; /* of the place before, if it has a name */

	for (size_t i = 0; i < c->count; i++) {
		const struct symbol *s = &c->covering[i], *last = named;

		named = NULL;

		if (chooser_is_better(&c->before[i], before))
			before = &c->before[i];
		if (s->start == UINT64_MAX && before->start != UINT64_MAX && !before->size)
			s = before;
		if (s->start == UINT64_MAX || !s->name)
			continue;
		c->wanted[i].start = s->start;
		c->wanted[i].size = s->size;
		/* Neighbouring places often have the same symbol, and then share the copy of its name. */
		c->wanted[i].name = last && last->name == s->name ? c->wanted[i - 1].name
								  : arena_strdup(names, s->name, name_len(s));
		named = s;
	}
	free(c->covering);
	free(c->before);
	free(c->buckets);
	*c = (struct chooser){ 0 };
}
