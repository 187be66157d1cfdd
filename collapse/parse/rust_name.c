#include "collapse/parse/rust_name.h"

#include <stdlib.h>

enum { HASH_LEN = 19 }; /* "::h8612a2a83552fc2d" */

/* Without " (.llvm.42)" */
static struct text_span without_suffix(struct text_span name)
{
	size_t at = span_find(name, " (.llvm.");

	return (struct text_span){ name.text, at };
}

bool rust_name_is(struct text_span name)
{
	struct text_span hash;

	name = without_suffix(name);
	if (name.len <= HASH_LEN)
		return false;
	hash = span_after(name, name.len - HASH_LEN);
	return span_skip(&hash, "::h") && !span_begins(hash, "0x") && span_hex(hash) == hash.len;
}

/* "$LT$", "$u20$" at the front of rest: what it stands for is added, and its length returned; else 0. */
static size_t add_escape(struct str *out, struct text_span rest)
{
	static const struct {
		const char *escape;
		char c;
	} escapes[] = { { "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
			{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' } };
	struct text_span code = rest;
	char digits[3] = { 0 }, *end;

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		if (span_begins(rest, escapes[i].escape)) {
			str_addc(out, escapes[i].c);
			return strlen(escapes[i].escape);
		}
	}
	if (!span_skip(&code, "$u") || code.len < 3 || code.text[2] != '$')
		return 0;
	memcpy(digits, code.text, 2);
	code.len = (size_t)strtoul(digits, &end, 16);
	if (*end || code.len < ' ' || code.len > '~')
		return 0;
	str_addc(out, (char)code.len);
	return strlen("$u20$");
}

void rust_name_add(struct str *out, struct text_span name)
{
	name = without_suffix(name);
	name.len -= HASH_LEN;
	while (name.len) {
		bool begins = !out->len || out->buf[out->len - 1] == '`' || out->buf[out->len - 1] == ':';
		size_t n = begins && span_begins(name, "_$") ? 1 : add_escape(out, name);

		if (!n && span_begins(name, "..")) {
			str_puts(out, "::");
			n = 2;
		} else if (!n) {
			str_addc(out, *name.text);
			n = 1;
		}
		name = span_after(name, n);
	}
}
