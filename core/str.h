/* str: a text buffer that grows.  {0} is a valid empty one. */
#ifndef CORE_STR_H
#define CORE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"

static inline bool text_begins(const void *text, size_t len, const char *start)
{
	size_t start_len = strlen(start);

	return len >= start_len && !memcmp(text, start, start_len);
}

struct str {
	char *buf;  /* NUL-terminated once anything was added, else NULL */
	size_t len; /* bytes, without the NUL */
	size_t cap;
};

/* Make room for extra more bytes (and the NUL). */
void str_reserve(struct str *s, size_t extra);

void str_add(struct str *s, const char *text, size_t len);
void str_addf(struct str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Append n in decimal; many times faster than str_addf. */
void str_add_u64(struct str *s, uint64_t n);

static inline void str_puts(struct str *s, const char *text)
{
	str_add(s, text, strlen(text));
}

static inline void str_addc(struct str *s, char c)
{
	if (s->len + 1 >= s->cap)
		str_reserve(s, 1);
	s->buf[s->len++] = c;
	s->buf[s->len] = '\0';
}

/* Forget the content, keep the memory. */
static inline void str_clear(struct str *s)
{
	s->len = 0;
	if (s->buf)
		s->buf[0] = '\0';
}

/* Forget the content; also free the memory if it is more than this many bytes. */
void str_clear_large(struct str *s, size_t most);

/* The text, "" when nothing was ever added. */
static inline const char *str_text(const struct str *s)
{
	return s->buf ? s->buf : "";
}

void str_free(struct str *s);

/* For scratch that is reused: its memory is freed if a text made it very large. */
static inline void str_trim(struct str *s)
{
	enum { STR_KEPT = 1 << 20 };

	if (s->cap > STR_KEPT)
		str_free(s);
}

#endif
