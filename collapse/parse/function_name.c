#include "collapse/parse/function_name.h"

#include <stdlib.h>

#include "collapse/frames/java_name.h"
#include "collapse/parse/span.h"

/* --- Rust ------------------------------------------------------------------------------- */

/* Names that were demangled as if they were of C++:
 *
 *     _$LT$F$u20$as$u20$alloc..boxed..FnBox$LT$A$GT$$GT$::call_box::h8612a2a83552fc2d (.llvm.42)
 *     <F as alloc::boxed::FnBox<A>>::call_box */

enum { HASH_LEN = 19 }; /* "::h8612a2a83552fc2d" */

/* Without " (.llvm.42)" */
static struct text_span without_suffix(struct text_span name)
{
	size_t at = span_find(name, " (.llvm.");

	return (struct text_span){ name.text, at };
}

/* Does name end with the hash that Rust puts at the end of its names? */
static bool rust_name_is(struct text_span name)
{
	struct text_span hash;

	name = without_suffix(name);
	if (name.len <= HASH_LEN)
		return false;
	hash = span_after(name, name.len - HASH_LEN);
	return span_skip(&hash, "::h") && !span_begins(hash, "0x") && span_hex(hash) == hash.len;
}

/* Append what "$LT$" or "$u20$" at the front of rest stands for, and return its length; 0: there is no such code. */
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

/* Append the repaired name, without its hash. */
static void rust_name_add(struct str *out, struct text_span name)
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

/* --- frames of others ------------------------------------------------------------------- */

static bool follows(struct text_span name, size_t at, const char *word)
{
	return span_ends((struct text_span){ name.text, at }, word);
}

/* The bracket that closes the one at `at`; name.len: there is none. */
static size_t closer(struct text_span name, size_t at)
{
	char open = name.text[at], close = open == '(' ? ')' : open == '<' ? '>' : open == '{' ? '}' : ']';
	size_t depth = 0;

	for (; at < name.len; at++) {
		char c = name.text[at];

		if (c == open && !(open == '<' && follows(name, at, "operator")))
			depth++;
		else if (c == close && !(close == '>' && at && name.text[at - 1] == '-') && !--depth)
			return at;
	}
	return name.len;
}

/* --- what is behind a list of arguments ----------------------------------------------- */

/* " const", "&&": qualifiers of a function, at the front of rest */
static struct text_span skip_qualifiers(struct text_span rest)
{
	static const char *const qualifiers[] = { " const", " volatile", " noexcept", " restrict", " &", "&" };

	for (size_t i = 0; i < sizeof(qualifiers) / sizeof(*qualifiers); i++) {
		if (span_skip(&rest, qualifiers[i]))
			i = (size_t)-1;
	}
	return rest;
}

/* " [clone .cold]", " (.llvm.42)", ".part.0": what compilers add to parts and copies of a function */
static bool skip_clone(struct text_span *rest)
{
	struct text_span mark = *rest;
	size_t n = 0;

	if (span_skip(&mark, " [clone ") || span_skip(&mark, " (.") || span_skip(&mark, "[abi:")) {
		n = span_begins(*rest, " (") ? span_find(mark, ")") : span_find(mark, "]");
		if (n == mark.len)
			return false;
		*rest = span_after(mark, n + 1);
		return true;
	}
	if (!span_skip(&mark, "."))
		return false;
	while (n < mark.len && (is_digit(mark.text[n]) || (mark.text[n] >= 'a' && mark.text[n] <= 'z')))
		n++;
	*rest = span_after(mark, n);
	return n;
}

/* Does the name end here, apart from qualifiers, and additions of compilers and linkers? */
static bool function_name_is_end(struct text_span rest)
{
	rest = skip_qualifiers(rest);
	while (skip_clone(&rest))
		;
	return !span_trim(rest).len || span_begins(rest, " requires ") || span_is(rest, "@plt");
}

/* Swift's labels of parameters, "a:b:", "_:" */
static bool are_labels(struct text_span list)
{
	if (!span_ends(list, ":") || span_begins(list, ":") || span_has(list, "::"))
		return false;
	return !memchr(list.text, ' ', list.len) && !memchr(list.text, '.', list.len);
}

/* Are the parentheses that open at `at` part of the name? */
static bool is_part_of_name(struct text_span name, size_t at, size_t close)
{
	static const char *const words[] = { "operator", "::", ".", "decltype", "decltype ", "typeof", "noexcept" };

	if (!at || are_labels((struct text_span){ name.text + at + 1, close - at - 1 }))
		return true;
	if (follows(name, at, "!") && !follows(name, at, "operator!")) /* D: each!(int) */
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (follows(name, at, words[i]))
			return true;
	}
	return span_begins(skip_qualifiers(span_after(name, close + 1)), "::");
}

/* --- where it begins -------------------------------------------------------------------- */

/* For "operator<<" or "operator->": the index after the symbol, whose brackets need not be closed. */
static size_t skip_operator(struct text_span name, size_t at)
{
	if (!follows(name, at, "operator"))
		return at;
	while (at < name.len && memchr("<>=-*", name.text[at], 5))
		at++;
	return at;
}

/* The place where the arguments begin, or an addition of a compiler; name.len: there is none. */
static size_t arguments(struct text_span name)
{
	for (size_t i = 0; (i = skip_operator(name, i)) < name.len;) {
		char c = name.text[i];
		bool after_blank = i && name.text[i - 1] == ' ';
		size_t close;

		if (c != '(' && c != '<' && c != '{' && c != '[') {
			i++;
			continue;
		}
		close = closer(name, i);
		if (close == name.len)
			return name.len;
		if (c == '(' && after_blank && function_name_is_end(span_after(name, i - 1)) && name.text[i + 1] == '.')
			return i;
		if (c == '(' && !after_blank && !is_part_of_name(name, i, close))
			return function_name_is_end(span_after(name, close + 1)) ? i : name.len;
		i = close + 1;
	}
	return name.len;
}

/* Does the name have a single colon after a word: "RegExp:", "lists:map/2"?  "public: void f(int)" is a member of a
 * class, as Microsoft's tools print it. */
static bool has_tag(struct text_span name)
{
	static const char *const access[] = { "public:", "private:", "protected:", "[thunk]:" };
	size_t colon = 0;

	for (size_t i = 0; i < sizeof(access) / sizeof(*access); i++) {
		if (span_begins(name, access[i]))
			return false;
	}
	while (colon < name.len && !memchr(":(<{[ ", name.text[colon], 6))
		colon++;
	return colon && colon + 1 < name.len && name.text[colon] == ':' && name.text[colon + 1] != ':';
}

/* Is it a name of V8, Python or Objective-C, which is not a compiler's symbol? */
static bool function_name_is_whole(struct text_span name)
{
	return has_tag(name) || span_begins(name, "-[") || span_begins(name, "+[") || span_begins(name, "py::") ||
	       span_has(name, " /") || span_has(name, " file:/");
}

size_t function_name_len(const char *name, size_t len)
{
	struct text_span all = { name, len };

	if (!memchr(name, '(', len) || function_name_is_whole(all))
		return len;
	return span_trim_end((struct text_span){ name, arguments(all) }).len;
}

struct text_span function_name_without_version(struct text_span name)
{
	size_t at = span_last(name, '@'), n = 0;
	struct text_span version = span_after(name, at + (at < name.len));
	bool twice = at && at < name.len && name.text[at - 1] == '@', has_digit = false;

	for (; n < version.len; n++) {
		char c = version.text[n];

		has_digit |= is_digit(c);
		if (!is_digit(c) && c != '_' && c != '.' && ((c | 0x20) < 'a' || (c | 0x20) > 'z'))
			return name;
	}
	if (!n || (!twice && (!has_digit || version.text[0] < 'A' || version.text[0] > 'Z')))
		return name;
	name.len = at - twice;
	return name;
}

struct text_span function_name_clean(struct text_span printed, struct str *scratch)
{
	str_clear(scratch);
	if (rust_name_is(printed)) {
		rust_name_add(scratch, printed);
		return (struct text_span){ scratch->buf, scratch->len };
	}
	if (java_name_add(scratch, printed))
		return (struct text_span){ scratch->buf, scratch->len };
	printed.len = function_name_len(printed.text, printed.len);
	return printed;
}

/* --- gdb ---------------------------------------------------------------------------------- */

/* Is text after a parenthesis a list of arguments, "this=0x1, x=3)", "...)", ")"?  The list may continue in the next
 * line. */
static bool is_list(struct text_span rest)
{
	size_t n = 0;

	if (span_skip(&rest, ")"))
		return !rest.len || span_begins(rest, " at ") || span_begins(rest, " from ");
	if (!rest.len || span_begins(rest, "..."))
		return true;
	while (n < rest.len && !memchr("=() ,<>/", rest.text[n], 8))
		n++;
	return n && n < rest.len && rest.text[n] == '=';
}

size_t function_name_before_list(const char *text, size_t len)
{
	enum { OPEN_MAX = 64 }; /* limit on unclosed brackets: no name has so many */
	struct text_span name = { text, len };
	size_t first = len, opened = 0;

	for (size_t i = 0; (i = skip_operator(name, i)) < len;) {
		char c = text[i];
		size_t close;

		if (c == '(' && i && text[i - 1] == ' ' && is_list(span_after(name, i + 1))) {
			first = i;
			break;
		}
		if (c == '(' && i && text[i - 1] == ' ' && first == len)
			first = i;
		close = opened < OPEN_MAX && memchr("(<{[", c, 4) ? closer(name, i) : len;
		opened += close == len && memchr("(<{[", c, 4);
		i = close < len ? close + 1 : i + 1;
	}
	return span_trim_end((struct text_span){ text, first }).len;
}
