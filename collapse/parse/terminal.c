#include "collapse/parse/terminal.h"

#include <string.h>

#define ESCAPE '\033'
#define BELL '\a'

/* The place after the sequence that starts at `at`: "\033[1;31m", "\033]0;title\a", "\033(B", "\033=" */
static const char *sequence_end(const char *at, const char *end)
{
	char kind = at + 1 < end ? at[1] : 0;

	at = at + 1 < end ? at + 2 : end;
	if (kind == ']') {
		while (at < end && *at != BELL && *at != ESCAPE && *at != '\n')
			at++;
		return at < end && *at == BELL ? at + 1 : at;
	}
	if (kind == '[') {
		while (at < end && *at >= ' ' && *at <= '?')
			at++;
	}
	if (kind == '[' || kind == '(' || kind == ')')
		at += at < end && *at >= '0' && *at <= '~';
	return at;
}

const char *terminal_plain(const char *text, size_t *len, struct str *plain)
{
	const char *end = text + *len, *at = text;

	if (!memchr(text, ESCAPE, *len))
		return text;
	str_clear(plain);
	while (at < end) {
		const char *next = at;

		while (next < end && *next != ESCAPE && *next != '\r')
			next++;
		str_add(plain, at, (size_t)(next - at));
		if (next == end)
			break;
		at = *next == ESCAPE ? sequence_end(next, end) : next + 1;
	}
	*len = plain->len;
	return str_text(plain);
}
