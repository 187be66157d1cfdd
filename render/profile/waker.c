#include "render/profile/waker.h"

#include <stdbool.h>

#include "render/profile/frame.h"

static bool waker_is_separator(const char *frame, size_t len)
{
	return len == 2 && !memcmp(frame, "--", 2);
}

void waker_mark(struct str *buf, const char **stack, size_t *len)
{
	const char *text = *stack;
	bool waker = false;

	if (!memmem(text, *len, ";--;", 4) && (*len < 3 || memcmp(text, "--;", 3)))
		return;
	str_clear(buf);
	for (size_t at = 0, end; at <= *len; at = end + 1) {
		const char *semicolon = memchr(text + at, ';', *len - at);
		bool separator;

		end = semicolon ? (size_t)(semicolon - text) : *len;
		separator = waker_is_separator(text + at, end - at);
		if (at)
			str_addc(buf, ';');
		str_add(buf, text + at, end - at);
		if (waker && !separator && frame_annotation(text + at, end - at) != 'w')
			str_puts(buf, "_[w]");
		waker |= separator;
	}
	*stack = buf->buf;
	*len = buf->len;
}
