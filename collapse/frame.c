#include "collapse/frame.h"

#include <ctype.h>
#include <string.h>

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

void frame_add(struct str *out, const char *text, size_t len)
{
	size_t start = out->len;

	if (!len) {
		str_puts(out, "[no name]");
		return;
	}
	str_add(out, text, len);
	for (size_t i = start; i < out->len; i++) {
		unsigned char c = (unsigned char)out->buf[i];

		if (c == ';')
			out->buf[i] = ':';
		else if (c < ' ' || c == 0x7f)
			out->buf[i] = '?';
	}
	if (out->buf[out->len - 1] == ' ')
		out->buf[out->len - 1] = '_';
	guard_number_at_end(out->buf + start, len);
	guard_start(out->buf + start, len);
}
