#include "core/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t bytes = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	uint32_t c = p[0];

	if (bytes == 1) {
		*code = c;
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4 || bytes > len)
		return 0;
	c &= 0x7fu >> bytes;
	for (size_t i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < smallest[bytes] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return bytes;
}

void utf8_add(struct str *out, uint32_t code)
{
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		code = 0xfffd;
	if (code < 0x80) {
		str_addc(out, (char)code);
		return;
	}
	if (code < 0x800) {
		str_addc(out, (char)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			str_addc(out, (char)(0xe0 | code >> 12));
		} else {
			str_addc(out, (char)(0xf0 | code >> 18));
			str_addc(out, (char)(0x80 | (code >> 12 & 0x3f)));
		}
		str_addc(out, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	str_addc(out, (char)(0x80 | (code & 0x3f)));
}

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
