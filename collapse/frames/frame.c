#include "collapse/frames/frame.h"

#include <string.h>

#include "core/decimal.h"
#include "core/utf8.h"

/* Without this, a frame "worker 7", or "worker 4e7", would be read as the stack "worker" with that value. */
static void guard_number_at_end(char *text, size_t len)
{
	char *blank = memrchr(text, ' ', len);
	struct decimal number;
	const char *word;

	if (!blank || !strchr(".0123456789", text[len - 1]))
		return;
	word = blank + 1;
	len -= (size_t)(word - text);
	if (decimal_read(&word, &len, &number) ? !len : strspn(word, ".0123456789") == len)
		*blank = '_';
}

/* Without this, a frame "# x" would be read as a comment, and "@1.5 x" as a time. */
static void guard_start(char *text, size_t len)
{
	if (len > 1 && text[0] == '#' && text[1] == ' ')
		text[1] = '_';
	for (size_t i = 1; i < len && text[0] == '@'; i++)
		text[i] = text[i] == ' ' ? '_' : text[i];
}

void frame_add(struct str *out, const char *text, size_t len)
{
	size_t start = out->len;
	char *frame;

	if (!len) {
		str_puts(out, FRAME_NO_NAME);
		return;
	}
	printable_add(out, text, len);
	frame = out->buf + start;
	len = out->len - start;
	for (char *c = frame; (c = memchr(c, ';', len - (size_t)(c - frame)));)
		*c = ':';
	if (frame[0] == ' ')
		frame[0] = '_';
	if (frame[len - 1] == ' ')
		frame[len - 1] = '_';
	guard_number_at_end(frame, len);
	guard_start(frame, len);
}

size_t frame_bare_len(const char *frame, size_t len)
{
	enum { ANNOTATION = 4 };

	while (len > ANNOTATION && frame[len - 1] == ']' && frame[len - 3] == '[' && frame[len - 4] == '_')
		len -= ANNOTATION;
	return len;
}
