#include "render/profile/base.h"

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
