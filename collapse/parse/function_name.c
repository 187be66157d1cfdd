#include "collapse/parse/function_name.h"

#include <stdbool.h>
#include <string.h>

static bool follows(const char *name, size_t at, const char *word)
{
	size_t len = strlen(word);

	return at >= len && !memcmp(name + at - len, word, len);
}

/* Where the bracket at `at` is closed; len: nowhere. */
static size_t closer(const char *name, size_t len, size_t at)
{
	char open = name[at], close = open == '(' ? ')' : open == '<' ? '>' : open == '{' ? '}' : ']';
	size_t depth = 0;

	for (; at < len; at++) {
		if (name[at] == open && !(open == '<' && follows(name, at, "operator")))
			depth++;
		else if (name[at] == close && !(close == '>' && at && name[at - 1] == '-') && !--depth)
			return at;
	}
	return len;
}

/* Does the name go on with the parentheses that open at `at`? */
static bool is_part_of_name(const char *name, size_t len, size_t at, size_t close)
{
	if (!at || follows(name, at, "operator") || follows(name, at, "::") || follows(name, at, "."))
		return true;
	return close + 2 < len && name[close + 1] == ':' && name[close + 2] == ':';
}

/* The parenthesis with which the arguments begin; len: none. */
static size_t arguments(const char *name, size_t len, bool after_blank)
{
	size_t i = 0, close;

	while (i < len) {
		char c = name[i];
		bool is_operator = follows(name, i, "operator");

		if (is_operator && (c == '<' || c == '>' || c == '-')) {
			while (i < len && (name[i] == '<' || name[i] == '>' || name[i] == '=' || name[i] == '-'))
				i++;
			continue;
		}
		if (c != '(' && c != '<' && c != '{' && c != '[') {
			i++;
			continue;
		}
		close = closer(name, len, i);
		if (c == '(' && after_blank && i && name[i - 1] == ' ')
			return i;
		if (close == len)
			return c == '<' && after_blank ? arguments(name, len, false) : len;
		if (c == '(' && !after_blank && !is_part_of_name(name, len, i, close))
			return i;
		i = close + 1;
	}
	return len;
}

static size_t trimmed(const char *name, size_t len)
{
	while (len && name[len - 1] == ' ')
		len--;
	return len;
}

size_t function_name_len(const char *name, size_t len)
{
	if (!memchr(name, '(', len))
		return len;
	return trimmed(name, arguments(name, len, false));
}

size_t function_name_before_list(const char *name, size_t len)
{
	return trimmed(name, arguments(name, len, true));
}
