#include "ship/header.h"

#include <stdio.h>
#include <string.h>

#include "core/format/folded.h"

/* The length of the pair that begins at: key=value, key="JSON", or a word of a key with blanks. */
static size_t header_pair_len(const char *at)
{
	const char *equals = strchr(at, '='), *end;

	if (!equals)
		return strlen(at);
	end = equals + 1;
	if (*end != '"')
		return (size_t)(end - at) + strcspn(end, " ");
	for (end++; *end && *end != '"'; end++)
		end += *end == '\\' && end[1];
	return (size_t)(end - at) + (*end == '"');
}

/* Text as JSON escapes it; of \\u, those that ASCII needs. */
static void header_add_unescaped(struct str *out, const char *text, size_t len)
{
	for (const char *end = text + len; text < end; text++) {
		unsigned code;

		if (*text != '\\' || text + 1 == end) {
			str_addc(out, *text);
		} else if (text + 5 < end && sscanf(text + 1, "u%4x", &code) == 1 && code && code < 0x80) {
			str_addc(out, (char)code);
			text += 5;
		} else {
			str_addc(out, *++text);
		}
	}
}

bool header_value(const char *header, const char *key, struct str *value)
{
	const char *at = header + (strncmp(header, FOLDED_HEADER, strlen(FOLDED_HEADER)) ? 0 : strlen(FOLDED_HEADER));
	size_t n = strlen(key), len;

	for (; *at; at += len + (at[len] == ' ')) {
		len = header_pair_len(at);
		if (len <= n || at[n] != '=' || memcmp(at, key, n) != 0)
			continue;
		if (at[n + 1] == '"')
			header_add_unescaped(value, at + n + 2, len - n - 2 - (len > n + 2 && at[len - 1] == '"'));
		else
			str_add(value, at + n + 1, len - n - 1);
		return true;
	}
	return false;
}

void header_lost(const char *header, uint64_t *lost, uint64_t *seen)
{
	unsigned long long a = 0, b = 0;
	struct str text = { 0 };

	if (header_value(header, FOLDED_LOST, &text))
		sscanf(text.buf, "%llu/%llu", &a, &b);
	*lost = a;
	*seen = b;
	str_free(&text);
}
