#include "render/profile/stack_edit.h"

#include <stdbool.h>
#include <string.h>

#include "render/profile/frame.h"

bool base_is(const struct text_list *bases, const char *frame, size_t len)
{
	for (size_t i = 0; i < bases->count; i++) {
		size_t base_len = strlen(bases->items[i]);

		if ((base_len == len || base_len == frame_base_len(frame, len)) &&
		    !memcmp(bases->items[i], frame, base_len))
			return true;
	}
	return false;
}

bool base_cut(const struct text_list *bases, const char **stack, size_t *len)
{
	const char *end = *stack + *len;

	if (!bases || !bases->count)
		return true;
	while (end >= *stack) {
		const char *semicolon = memrchr(*stack, ';', (size_t)(end - *stack));
		const char *frame = semicolon ? semicolon + 1 : *stack;

		if (base_is(bases, frame, (size_t)(end - frame))) {
			*len -= (size_t)(frame - *stack);
			*stack = frame;
			return true;
		}
		if (!semicolon)
			return false;
		end = semicolon;
	}
	return false;
}

/* ---- wakers ---- */

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
