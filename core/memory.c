#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		die("out of memory (%zu bytes)", size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		die("out of memory (%zu x %zu bytes)", count, size);
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		die("out of memory (%zu bytes)", size);
	return p;
}

void *xgrow(void *array, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;

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
	return xrealloc(array, n * size);
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
