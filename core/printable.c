#include "core/printable.h"

#include <string.h>

#include "core/utf8.h"

bool is_printable(uint32_t code)
{
	if (code < 0x80)
		return code >= ' ' && code != 0x7f;
	return code > 0x9f && code != 0x061c && code != 0x200e && code != 0x200f && (code < 0x2028 || code > 0x202e) &&
	       (code < 0x2066 || code > 0x2069);
}

size_t printable_clean(char *text, size_t len, const char *keep)
{
	size_t to = 0, bytes;

	while (to < len && text[to] >= ' ' && text[to] < 0x7f) /* mostly all of it */
		to++;
	for (size_t i = to; i < len; i += bytes) {
		uint32_t code;

		bytes = utf8_decode(text + i, len - i, &code);
		if (bytes && (is_printable(code) || (code && code < 0x80 && strchr(keep, (int)code)))) {
			memmove(text + to, text + i, bytes);
			to += bytes;
		} else {
			bytes = bytes ? bytes : 1;
			text[to++] = '?';
		}
	}
	return to;
}

void printable_add(struct str *out, const char *text, size_t len)
{
	size_t start = out->len;

	str_add(out, text, len);
	if (len)
		out->len = start + printable_clean(out->buf + start, len, "");
	if (out->buf)
		out->buf[out->len] = '\0';
}
