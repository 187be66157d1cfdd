#include "core/symbols/names/name_simplify.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Longer names are generated and unreadable. */
enum { MAX_NAME = 64 * 1024 };

struct scan {
	const char *name;
	size_t len;
	uint32_t *closers; /* for an opening bracket: the position of its closing one; for other characters 0 */
	uint32_t *open;    /* [depth]: positions of open brackets */
	size_t depth;
	struct str *out;
	size_t start; /* where our part of out begins */
};

static char name_simplify_at(const struct scan *s, size_t i)
{
	return i < s->len ? s->name[i] : '\0';
}

static bool name_simplify_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool name_simplify_begins_with(const struct scan *s, size_t i, const char *text)
{
	size_t len = strlen(text);

	return s->len - i >= len && !memcmp(s->name + i, text, len);
}

/* The length of "operator<<" at i; 0: it is not there. */
static size_t operator_length(const struct scan *s, size_t i)
{
	static const char *const symbols[] = {
		"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "==", "!=",
		"&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",
		">",   "+",   "-",   "*",   "/",  "%",  "^",  "&",  "|",  "~",  "!",  "=",  ",",
	};
	const size_t word = strlen("operator");

	if (!name_simplify_begins_with(s, i, "operator") || (i && name_simplify_is_word(s->name[i - 1])))
		return 0;
	for (size_t k = 0; k < sizeof(symbols) / sizeof(*symbols); k++) {
		size_t end = i + word + strlen(symbols[k]);

		/* "operator<<int>" is "operator<" of int */
		if (name_simplify_begins_with(s, i + word, symbols[k]) &&
		    !(symbols[k][1] && name_simplify_is_word(name_simplify_at(s, end))))
			return end - i;
	}
	return 0;
}

/* '<' as a value: a generic argument of Rust */
static bool is_quoted(const struct scan *s, size_t i)
{
	return s->name[i] == '\'' && name_simplify_at(s, i + 2) == '\'';
}

/* --- which bracket closes which ----------------------------------------------------- */

/* Is the '<' at i a comparison, as demanglers write it: "foo<((3)<(2))>", "foo<(3 < 2)>"? */
static bool is_less_than(const struct scan *s, size_t i)
{
	return i && (s->name[i - 1] == ')' || (s->name[i - 1] == ' ' && name_simplify_at(s, i + 1) == ' '));
}

static void pair(struct scan *s, size_t i)
{
	s->closers[s->open[--s->depth]] = (uint32_t)i;
}

/* Close the bracket to which a '>' belongs.  Returns false if there is none. */
static bool close_angle(struct scan *s, size_t i)
{
	if (i && (s->name[i - 1] == '-' || s->name[i - 1] == '='))
		return true; /* an arrow */
	if (!s->depth)
		return false;
	if (s->name[s->open[s->depth - 1]] == '<')
		pair(s, i);
	return true; /* otherwise it means greater than, inside parentheses */
}

static bool close_other(struct scan *s, size_t i, char opener)
{
	while (s->depth && s->name[s->open[s->depth - 1]] == '<')
		s->depth--; /* the open bracket was a less than */
	if (!s->depth || s->name[s->open[s->depth - 1]] != opener)
		return false;
	pair(s, i);
	return true;
}

/* after_operator: where the last "operator..." ended */
static bool match_one(struct scan *s, size_t i, size_t after_operator)
{
	switch (s->name[i]) {
	case '<':
		if (i != after_operator && is_less_than(s, i))
			return true;
		/* fall through */
	case '(':
	case '[':
	case '{': s->open[s->depth++] = (uint32_t)i; return true;
	case '>': return close_angle(s, i);
	case ')': return close_other(s, i, '(');
	case ']': return close_other(s, i, '[');
	case '}': return close_other(s, i, '{');
	default: return true;
	}
}

/* Find the pairs of brackets.  Returns whether each bracket has one. */
static bool name_simplify_match(struct scan *s)
{
	size_t after_operator = SIZE_MAX;

	for (size_t i = 0; i < s->len;) {
		size_t operator= operator_length(s, i);

		if (operator) {
			i += operator;
			after_operator = i;
		} else if (is_quoted(s, i)) {
			i += 3;
		} else if (!match_one(s, i++, after_operator)) {
			return false;
		}
	}
	return !s->depth;
}

/* --- what is a list ----------------------------------------------------------------- */

static char last(const struct scan *s, size_t back)
{
	return s->out->len - s->start >= back ? s->out->buf[s->out->len - back] : '\0';
}

/* Java's Foo::<init>, Python's py::<module>, Rust's <impl Trait for T>: parts of names */
static bool is_name_in_angles(const struct scan *s, size_t i)
{
	static const char *const names[] = { "<init>",     "<clinit>",  "<module>",  "<lambda>", "<listcomp>",
					     "<dictcomp>", "<setcomp>", "<genexpr>", "<impl " };

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		if (name_simplify_begins_with(s, i, names[k]))
			return true;
	}
	return false;
}

/* std::mem::align_of::<usize>: at the "<" */
static bool is_turbofish(const struct scan *s, size_t i)
{
	return s->name[i] == '<' && last(s, 1) == ':' && last(s, 2) == ':' &&
	       (name_simplify_is_word(last(s, 3)) || last(s, 3) == '}') && !is_name_in_angles(s, i);
}

/* D's each!(int): at the "(" */
static bool is_d_list(const struct scan *s, size_t i)
{
	return s->name[i] == '(' && last(s, 1) == '!' && name_simplify_is_word(last(s, 2));
}

/* Go's Map[go.shape.int], but int[4], int[], foo[abi:cxx11] */
static bool is_square_list(const struct scan *s, size_t i)
{
	size_t digits = i + 1;

	while (isdigit((unsigned char)name_simplify_at(s, digits)))
		digits++;
	return s->name[i] == '[' && digits != s->closers[i] && !name_simplify_begins_with(s, i, "[abi:") &&
	       (name_simplify_is_word(last(s, 1)) || last(s, 1) == '`');
}

static bool is_angle_list(const struct scan *s, size_t i)
{
	char before = last(s, 1);

	return s->name[i] == '<' && (name_simplify_is_word(before) || (before && strchr("]}'`\"", before)));
}

/* Is the list really closed?  If a name follows directly, the brackets are not a list: C# has methods
 * Class::<Main>b__0. */
static bool is_closed(const struct scan *s, size_t i)
{
	return s->closers[i] && !name_simplify_is_word(name_simplify_at(s, s->closers[i] + 1u));
}

static void name_simplify_drop(struct scan *s, size_t bytes)
{
	if (!bytes)
		return;
	s->out->len -= bytes;
	s->out->buf[s->out->len] = '\0';
}

/* The position after the lists of "operator< <int>". */
static size_t skip_operator_lists(const struct scan *s, size_t start)
{
	size_t i = start;

	for (;;) {
		size_t list = i + (name_simplify_at(s, i) == ' ');

		if (name_simplify_at(s, list) != '<' || !is_closed(s, list))
			break;
		i = s->closers[list] + 1u;
	}
	return name_simplify_at(s, i) && strchr("=<>*-&|+", name_simplify_at(s, i))
		       ? start
		       : i; /* the next character must not form another
								      * operator */
}

/* Does the output, without its last bytes, end in "operator"?  Then these bytes belong to it. */
static bool follows_operator(const struct scan *s, size_t bytes)
{
	const size_t word = strlen("operator");
	size_t len = s->out->len - s->start - bytes;
	const char *end = s->out->buf + s->out->len - bytes;

	return len >= word && !memcmp(end - word, "operator", word) &&
	       (len == word || !name_simplify_is_word(end[-1 - (int)word]));
}

/* Append the character at i, unless a list starts there.  Returns where to go on. */
static size_t copy_one(struct scan *s, size_t i)
{
	size_t operator= operator_length(s, i), width = is_quoted(s, i) ? 3 : 1;

	if (operator) {
		str_add(s->out, s->name + i, operator);
		return skip_operator_lists(s, i + operator);
	}
	if (is_closed(s, i)) {
		size_t mark = is_turbofish(s, i) ? 2 : is_d_list(s, i) ? 1 : 0;

		if (!mark && !is_angle_list(s, i) && !is_square_list(s, i))
			goto keep;
		if (follows_operator(s, mark))
			goto keep;
		name_simplify_drop(s, mark);
		return s->closers[i] + 1u;
	}
keep:
	str_add(s->out, s->name + i, width);
	return i + width;
}

static void strip_once(const char *name, size_t len, struct str *out)
{
	struct scan scan = { .name = name, .len = len, .out = out, .start = out->len };

	if (len > MAX_NAME || !len || (!memchr(name, '<', len) && !memchr(name, '[', len) && !memchr(name, '!', len))) {
		str_add(out, name, len);
		return;
	}
	scan.closers = xcalloc(len, sizeof(*scan.closers));
	scan.open = xmalloc(len * sizeof(*scan.open));
	if (name_simplify_match(&scan)) {
		for (size_t i = 0; i < len;)
			i = copy_one(&scan, i);
	} else {
		str_add(out, name, len);
	}
	free(scan.closers);
	free(scan.open);
}

/* Brackets can change their meaning once others are gone ("{r!()<>}"): repeat until nothing changes.
 * No real name needs many rounds. */
void name_strip_templates(const char *name, size_t len, struct str *out)
{
	enum { TURNS = 8 };
	struct str now = { 0 }, next = { 0 };
	size_t before = len;

	strip_once(name, len, &now);
	for (int i = 0; now.len < before && i < TURNS; i++) {
		struct str last = now;

		before = now.len;
		str_clear(&next);
		strip_once(now.buf, now.len, &next);
		now = next;
		next = last;
	}
	if (now.len < before)
		str_add(out, name, len);
	else
		str_add(out, str_text(&now), now.len);
	str_free(&now);
	str_free(&next);
}
