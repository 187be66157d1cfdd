#include "ship/sql.h"

#include <string.h>

static bool sql_is_plain(unsigned char c)
{
	return (c >= ' ' && c != '\'' && c != '\\' && c != 0x7f) || c >= 0x80;
}

void sql_quote(struct str *out, const char *text, size_t len)
{
	str_addc(out, '\'');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (sql_is_plain(c))
			str_addc(out, (char)c);
		else
			str_addf(out, "\\x%02X", c);
	}
	str_addc(out, '\'');
}

void sql_like(struct str *out, const char *column, const char *pattern)
{
	struct str like = { 0 };
	bool negated = *pattern == '!';

	pattern += negated;
	if (!*pattern || (!strcmp(pattern, "*") && !negated)) {
		str_addc(out, '1');
		return;
	}
	for (const char *p = pattern; *p; p++) {
		if (*p == '*')
			str_addc(&like, '%');
		else if (*p == '?')
			str_addc(&like, '_');
		else if (strchr("%_\\", *p))
			str_addf(&like, "\\%c", *p);
		else
			str_addc(&like, *p);
	}
	str_addf(out, "%s%s LIKE ", negated ? "NOT " : "", column);
	sql_quote(out, str_text(&like), like.len);
	str_free(&like);
}
