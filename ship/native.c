#include "ship/native.h"

#include <string.h>

static void native_varint(struct str *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		str_addc(out, (char)(n | 0x80));
	str_addc(out, (char)n);
}

void native_text(struct str *out, const char *text, size_t len)
{
	native_varint(out, len);
	str_add(out, text, len);
}

void native_begin(struct str *out, size_t columns, size_t rows)
{
	native_varint(out, columns);
	native_varint(out, rows);
}

void native_column(struct str *out, const char *name, const char *type)
{
	native_text(out, name, strlen(name));
	native_text(out, type, strlen(type));
}

void native_repeat(struct str *out, const void *value, size_t len, size_t rows)
{
	size_t start = out->len, all = len * rows;

	if (!all)
		return;
	str_reserve(out, all);
	str_add(out, value, len);
	while (out->len - start < all) { /* twice as much each time */
		size_t there = out->len - start, left = all - there;

		str_add(out, out->buf + start, there < left ? there : left);
	}
}

void native_repeat_text(struct str *out, const char *text, size_t rows)
{
	struct str one = { 0 };

	native_text(&one, text, strlen(text));
	native_repeat(out, one.buf, one.len, rows);
	str_free(&one);
}
