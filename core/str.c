#include "core/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"

void str_reserve(struct str *s, size_t extra)
{
	if (s->cap - s->len <= extra) /* buf has len bytes, and the NUL, if it was allocated */
		s->buf = xgrow_used(s->buf, &s->cap, s->len + (s->len < s->cap), s->len + extra + 1, 1);
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
	n = vsnprintf(s->buf ? s->buf + s->len : NULL, s->cap - s->len, fmt, args); /* mostly there is room */
	va_end(args);
	if (n > 0 && (size_t)n >= s->cap - s->len) {
		str_reserve(s, (size_t)n);
		vsnprintf(s->buf + s->len, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	s->len += n > 0 ? (size_t)n : 0;
	if (s->buf)
		s->buf[s->len] = '\0';
}

void str_add_u64(struct str *s, uint64_t n)
{
	static const char pairs[] =
		"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
		"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
	char digits[20], *d = digits + sizeof(digits);

	for (; n >= 10; n /= 100)
		memcpy(d -= 2, pairs + n % 100 * 2, 2);
	if (n || d == digits + sizeof(digits))
		*--d = (char)('0' + n);
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
