#include "core/markup.h"

#include <stdbool.h>

#include "core/utf8.h"

static const char REPLACEMENT[] = "\xef\xbf\xbd"; /* U+FFFD */

static bool xml_allows(uint32_t code)
{
	if (code < 0x20)
		return code == '\t' || code == '\n' || code == '\r';
	return is_printable(code) && code != 0xfffe && code != 0xffff;
}

static const char *xml_entity(uint32_t code)
{
	switch (code) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	case '\n': return "&#10;"; /* in an attribute it would become a blank */
	case '\r': return "&#13;";
	case '\t': return "&#9;";
	}
	return NULL;
}

void xml_add(struct str *out, const char *text, size_t len)
{
	size_t bytes;

	for (size_t i = 0; i < len; i += bytes) {
		uint32_t code;
		const char *entity;

		bytes = utf8_decode(text + i, len - i, &code);
		if (!bytes || !xml_allows(code)) {
			bytes = bytes ? bytes : 1;
			str_puts(out, REPLACEMENT);
		} else if ((entity = xml_entity(code))) {
			str_puts(out, entity);
		} else {
			str_add(out, text + i, bytes);
		}
	}
}

/* Characters that would end the string, the script or the XML around it. */
static bool json_escapes(uint32_t code)
{
	return !is_printable(code) || code == '"' || code == '\\' || code == '<' || code == '>' || code == '&' ||
	       code == 0xfffe || code == 0xffff;
}

void json_add(struct str *out, const char *text, size_t len)
{
	size_t bytes;

	str_addc(out, '"');
	for (size_t i = 0; i < len; i += bytes) {
		uint32_t code;

		bytes = utf8_decode(text + i, len - i, &code);
		if (!bytes) {
			bytes = 1;
			str_puts(out, REPLACEMENT);
		} else if (json_escapes(code)) {
			str_addf(out, "\\u%04x", (unsigned)code);
		} else {
			str_add(out, text + i, bytes);
		}
	}
	str_addc(out, '"');
}
