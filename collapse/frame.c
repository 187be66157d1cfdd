#include "collapse/frame.h"

#include <ctype.h>
#include <string.h>

#include "core/utf8.h"

/* "worker 7" would be the stack "worker" with the value 7. */
static void guard_number_at_end(char *text, size_t len)
{
	size_t i = len;

	while (i > 0 && (isdigit((unsigned char)text[i - 1]) || text[i - 1] == '.'))
		i--;
	if (i < len && i > 0 && text[i - 1] == ' ')
		text[i - 1] = '_';
}

static void guard_start(char *text, size_t len)
{
	char *blank = memchr(text, ' ', len);

	if (blank && (text[0] == '#' || text[0] == '@'))
		*blank = '_';
}

/* The length of what is at text[0..len): a character, or a byte that is none. */
static size_t clean_character(char *text, size_t len)
{
	unsigned char c = (unsigned char)*text;
	uint32_t code;
	size_t bytes;

	if (c < 0x80) {
		*text = c == ';' ? ':' : c < ' ' || c == 0x7f ? '?' : *text;
		return 1;
	}
	bytes = utf8_decode(text, len, &code);
	if (bytes)
		return bytes;
	*text = '?';
	return 1;
}

void frame_add(struct str *out, const char *text, size_t len)
{
	size_t start = out->len;

	if (!len) {
		str_puts(out, "[no name]");
		return;
	}
	str_add(out, text, len);
	for (size_t i = start; i < out->len;)
		i += clean_character(out->buf + i, out->len - i);
	if (out->buf[start] == ' ')
		out->buf[start] = '_';
	if (out->buf[out->len - 1] == ' ')
		out->buf[out->len - 1] = '_';
	guard_number_at_end(out->buf + start, len);
	guard_start(out->buf + start, len);
}
