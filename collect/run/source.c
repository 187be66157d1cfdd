#include "collect/run/source.h"

#include <stddef.h>

const char *source_obstacle(const struct source *s)
{
	if (s->obstacle)
		return s->obstacle();
	return s->life ? s->life->obstacle(s->program) : NULL;
}

const void *source_object(const struct source *s, size_t *size)
{
	if (s->object)
		return s->object(size);
	return s->life ? s->life->object(s->program, size) : NULL;
}

uint64_t source_lost(const struct source *s)
{
	if (s->lost)
		return s->lost();
	return s->life ? s->life->lost(s->program) : 0;
}

uint64_t source_missed(const struct source *s)
{
	if (s->missed)
		return s->missed();
	return s->life ? s->life->missed(s->program) : 0;
}
