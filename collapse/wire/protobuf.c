#include "collapse/wire/protobuf.h"

#include "core/utf8.h"

void pb_fixed64_bare(struct str *out, uint64_t value)
{
	char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(value >> 8 * i);
	str_add(out, bytes, sizeof(bytes));
}

void pb_fixed64(struct str *out, unsigned field, uint64_t value)
{
	if (!value)
		return;
	pb_tag(out, field, PB_FIXED64);
	pb_fixed64_bare(out, value);
}

static void add_repaired(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0, bytes; i < len; i += bytes) {
		uint32_t code;

		bytes = utf8_decode(text + i, len - i, &code);
		if (bytes)
			str_add(out, text + i, bytes);
		else
			utf8_add(out, 0xfffd);
		bytes = bytes ? bytes : 1;
	}
}

static bool is_ascii(const char *text, size_t len)
{
	unsigned char all = 0;

	for (size_t i = 0; i < len; i++)
		all |= (unsigned char)text[i];
	return !(all & 0x80);
}

void pb_text(struct str *out, unsigned field, const char *text, size_t len)
{
	struct str repaired = { 0 };

	if (is_ascii(text, len)) {
		pb_bytes(out, field, text, len);
		return;
	}
	add_repaired(&repaired, text, len);
	pb_message(out, field, &repaired);
	str_free(&repaired);
}
