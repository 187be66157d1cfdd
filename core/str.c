#include "core/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"

void str_reserve(struct str *s, size_t extra)
{
	if (s->cap - s->len <= extra)
		s->buf = xgrow(s->buf, &s->cap, s->len + extra + 1, 1);
}

void str_add(struct str *s, const char *text, size_t len)
{
	str_reserve(s, len);
	if (len)
		memcpy(s->buf + s->len, text, len);
	s->len += len;
	s->buf[s->len] = '\0';
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list args, again;
	int n;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n > 0) {
		str_reserve(s, (size_t)n);
		vsnprintf(s->buf + s->len, (size_t)n + 1, fmt, again);
		s->len += (size_t)n;
	}
	va_end(again);
}

void str_add_u64(struct str *s, uint64_t n)
{
	char digits[20], *d = digits + sizeof(digits);

	do {
		*--d = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	str_add(s, d, (size_t)(digits + sizeof(digits) - d));
}

void str_clear_large(struct str *s, size_t most)
{
	if (s->cap > most)
		str_free(s);
	else
		str_clear(s);
}

void str_free(struct str *s)
{
	if (!s)
		return;
	free(s->buf);
	*s = (struct str){ 0 };
}
