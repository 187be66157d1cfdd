#include "collect/jvm/java_text.h"

#include <string.h>

#include "core/utf8.h"

/* Append a character of a name; newline and NUL become '?'. */
static void add_character(struct str *out, uint32_t code)
{
	if (!code || code == '\n' || code == '\r')
		str_addc(out, '?');
	else
		utf8_add(out, code);
}

static uint32_t unit_at(const uint8_t *bytes, size_t at)
{
	uint16_t unit;

	memcpy(&unit, bytes + at, sizeof(unit));
	return unit;
}

void java_text_add(struct str *out, const uint8_t *bytes, size_t len, bool is_latin1)
{
	for (size_t i = 0; is_latin1 && i < len; i++)
		add_character(out, bytes[i]);
	for (size_t i = 0; !is_latin1 && i + 2 <= len; i += 2) {
		uint32_t code = unit_at(bytes, i), low = i + 4 <= len ? unit_at(bytes, i + 2) : 0;

		if (code >> 10 == 0xd800 >> 10 && low >> 10 == 0xdc00 >> 10) {
			code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
			i += 2;
		}
		add_character(out, code);
	}
}
