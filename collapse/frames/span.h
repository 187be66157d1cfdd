/* span: a stretch of text, of the input or of a name.  All functions work in place. */
#ifndef COLLAPSE_FRAMES_SPAN_H
#define COLLAPSE_FRAMES_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/decimal.h"
#include "core/str.h"

struct text_span {
	const char *text;
	size_t len;
};

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* s without its first n bytes */
static inline struct text_span span_after(struct text_span s, size_t n)
{
	return (struct text_span){ s.text + n, s.len - n };
}

static inline size_t span_indent(struct text_span s)
{
	size_t n = 0;

	while (n < s.len && is_blank(s.text[n]))
		n++;
	return n;
}

static inline struct text_span span_trim_end(struct text_span s)
{
	while (s.len && is_blank(s.text[s.len - 1]))
		s.len--;
	return s;
}

static inline struct text_span span_trim(struct text_span s)
{
	return span_trim_end(span_after(s, span_indent(s)));
}

static inline bool span_begins(struct text_span s, const char *start)
{
	return text_begins(s.text, s.len, start);
}

static inline bool span_ends(struct text_span s, const char *end)
{
	size_t len = strlen(end);

	return s.len >= len && !memcmp(s.text + s.len - len, end, len);
}

static inline bool span_is(struct text_span s, const char *text)
{
	return s.len == strlen(text) && !memcmp(s.text, text, s.len);
}

/* Where text begins in s; s.len: nowhere. */
static inline size_t span_find(struct text_span s, const char *text)
{
	const char *found = s.len ? memmem(s.text, s.len, text, strlen(text)) : NULL;

	return found ? (size_t)(found - s.text) : s.len;
}

static inline bool span_has(struct text_span s, const char *text)
{
	return s.len && memmem(s.text, s.len, text, strlen(text));
}

/* Where text begins for the last time in s; s.len: nowhere. */
static inline size_t span_find_last(struct text_span s, const char *text)
{
	for (size_t i = s.len; i-- > 0;) {
		if (span_begins(span_after(s, i), text))
			return i;
	}
	return s.len;
}

/* Where the parenthesis opens that closes at the end of s; s.len: nowhere. */
static inline size_t span_opening(struct text_span s)
{
	size_t depth = 0;

	for (size_t i = s.len; i-- > 0;) {
		depth += s.text[i] == ')';
		depth -= depth && s.text[i] == '(';
		if (!depth)
			return s.text[i] == '(' ? i : s.len;
	}
	return s.len;
}

/* Where the last c is in s; s.len: nowhere. */
static inline size_t span_last(struct text_span s, char c)
{
	const char *found = s.len ? memrchr(s.text, c, s.len) : NULL;

	return found ? (size_t)(found - s.text) : s.len;
}

/* Skip start at the front of s, if it is there. */
static inline bool span_skip(struct text_span *s, const char *start)
{
	if (!span_begins(*s, start))
		return false;
	*s = span_after(*s, strlen(start));
	return true;
}

/* Take the next word off the front of s, with the blanks before it; empty at the end. */
static inline struct text_span span_word(struct text_span *s)
{
	struct text_span word;

	*s = span_after(*s, span_indent(*s));
	word = (struct text_span){ s->text, 0 };
	while (word.len < s->len && !is_blank(s->text[word.len]))
		word.len++;
	*s = span_after(*s, word.len);
	return word;
}

/* Take a whole number off the front of s.  Returns false, with nothing taken, if there is none or it is
 * larger than max. */
static inline bool span_number(struct text_span *s, uint64_t max, uint64_t *number)
{
	size_t n = 0;

	*number = 0;
	for (; n < s->len && is_digit(s->text[n]); n++) {
		uint64_t digit = (uint64_t)(s->text[n] - '0');

		if (digit > max || *number > (max - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	*s = span_after(*s, n);
	return n > 0;
}

/* Is s a whole number, of any size, and nothing else? */
static inline bool span_is_digits(struct text_span s)
{
	size_t n = 0;

	while (n < s.len && is_digit(s.text[n]))
		n++;
	return n && n == s.len;
}

/* The length of a number with digits 0-9, a-f at the front of s, "0x" before it included. */
static inline size_t span_hex(struct text_span s)
{
	size_t n = span_begins(s, "0x") ? 2 : 0;

	while (n < s.len && (is_digit(s.text[n]) || (s.text[n] >= 'a' && s.text[n] <= 'f')))
		n++;
	return n;
}

#endif
