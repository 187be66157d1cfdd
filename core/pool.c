#include "core/pool.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { HEX_DIGITS_MIN = 6 }; /* "-ace" may be a word */

static bool has_digit(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (isdigit((unsigned char)text[i]))
			return true;
	}
	return false;
}

/* The start of the hexadecimal number at the end; len: there is none. */
static size_t hex_start(const char *name, size_t len)
{
	size_t at = len;

	while (at && isxdigit((unsigned char)name[at - 1]))
		at--;
	if (at < len && at >= 2 && name[at - 1] == 'x' && name[at - 2] == '0')
		return at - 2;
	if (len - at < HEX_DIGITS_MIN || !at || !strchr("-_#@ ", name[at - 1]) || !has_digit(name + at, len - at))
		return len;
	return at;
}

size_t pool_len(const char *name, size_t len)
{
	size_t start = hex_start(name, len);

	if (start == len) {
		while (start && isdigit((unsigned char)name[start - 1]))
			start--;
	}
	return start < len ? start : 0;
}
