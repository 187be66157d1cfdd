#include "core/utf8.h"

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
