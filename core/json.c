#include "core/json.h"

#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/utf8.h"

static bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static struct json json_skip_blanks(struct json j)
{
	while (j.at < j.end && json_is_blank(*j.at))
		j.at++;
	return j;
}

struct json json_make(const char *text, size_t len)
{
	return json_skip_blanks((struct json){ text, text + len, NULL });
}

/* The end of the string that starts at at: after its closing quote, which has an even number of backslashes before it. */
static const char *string_end(const char *at, const char *end)
{
	const char *start = at + 1, *quote = at, *slash;

	while ((quote = memchr(quote + 1, '"', (size_t)(end - quote - 1)))) {
		for (slash = quote; slash > start && slash[-1] == '\\'; slash--)
			;
		if ((quote - slash) % 2 == 0)
			return quote + 1;
	}
	return end;
}

/* The bytes that json_value_end() looks at. */
static const uint8_t marks[256] = { ['"'] = 1, [','] = 1, [':'] = 1, ['{'] = 1, ['}'] = 1, ['['] = 1, [']'] = 1 };

/* An open bracket, and how many of the bytes after it are in extents. */
struct json_open {
	const char *at;
	size_t indexed;
};

/* Close the innermost of depth brackets before end.  If an object has few bytes outside of extents, its end is found by
 * walking over these. */
static void json_close_bracket(struct json_index *index, struct json_open *open, size_t depth, const char *end)
{
	enum { INDEXED_MIN = 512 };
	const struct json_open *closed = &open[depth - 1];
	size_t len = (size_t)(end - closed->at), indexed = closed->indexed;

	if (len - indexed >= INDEXED_MIN) {
		index->extents = xgrow(index->extents, &index->cap, index->count + 1, sizeof(*index->extents));
		index->extents[index->count++] = (struct json_extent){ closed->at, end };
		indexed = len;
	}
	if (depth > 1)
		open[depth - 2].indexed += indexed;
}

SORT_BY(json_by_place, struct json_extent, at);

struct json json_indexed(struct json value, struct json_index *index)
{
	struct json_open *open = NULL;
	size_t depth = 0, cap = 0;

	for (const char *at = value.at; at < value.end; at++) {
		if (*at == '"') {
			at = string_end(at, value.end) - 1;
		} else if (depth == JSON_DEPTH_MAX && (*at == '{' || *at == '[')) {
			value.end = index->too_deep = at;
		} else if (*at == '{' || *at == '[') {
			open = xgrow(open, &cap, depth + 1, sizeof(*open));
			open[depth++] = (struct json_open){ at, 0 };
		} else if ((*at == '}' || *at == ']') && depth) {
			json_close_bracket(index, open, depth--, at + 1);
		}
	}
	while (depth)
		json_close_bracket(index, open, depth--, value.end);
	free(open);
	if (index->count)
		qsort(index->extents, index->count, sizeof(*index->extents), json_by_place);
	value.index = index;
	return value;
}

void json_index_free(struct json_index *index)
{
	free(index->extents);
	*index = (struct json_index){ 0 };
}

/* The number of the first extent from low on that does not begin before at. */
static size_t json_extent_from(const struct json_index *index, size_t low, const char *at)
{
	size_t high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->extents[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The end of the bracket at `at`, if *next is the bracket's extent; *next is then the next extent.  NULL: it is not. */
static const char *json_skip_extent(struct json rest, const char *at, size_t *next)
{
	const struct json_index *index = rest.index;
	const char *end;

	if (!index || *next == index->count || index->extents[*next].at != at)
		return NULL;
	end = index->extents[*next].end;
	*next = json_extent_from(index, *next + 1, end);
	return end < rest.end ? end : rest.end;
}

/* The end of the value at the beginning of rest. */
static const char *json_value_end(struct json rest)
{
	const char *at = rest.at, *end = rest.end, *behind;
	size_t open = 0, next = 0;

	if (at < end && *at != '{' && *at != '[')
		rest.index = NULL;
	if (rest.index)
		next = json_extent_from(rest.index, 0, at);
	while (at < end) {
		char c = *at;

		if (!marks[(uint8_t)c]) {
			at++;
			continue;
		}
		if (!open && (c == ',' || c == ':' || c == '}' || c == ']'))
			return at;
		behind = c == '{' || c == '[' ? json_skip_extent(rest, at, &next) : NULL;
		if (c == '"') {
			at = string_end(at, end);
		} else if (behind) {
			at = behind;
		} else {
			open += c == '{' || c == '[';
			open -= c == '}' || c == ']';
			at++;
		}
		if (!open && (behind || c == '"' || c == '}' || c == ']'))
			return at;
	}
	return at;
}

/* Take the value at *rest, without the blanks after it. */
static struct json json_take(struct json *rest)
{
	struct json value = { rest->at, json_value_end(*rest), rest->index };

	rest->at = value.end;
	*rest = json_skip_blanks(*rest);
	while (value.end > value.at && json_is_blank(value.end[-1]))
		value.end--;
	return value;
}

/* A number may be in a string, "12": writers in JavaScript do this with large numbers, others with all. */
static struct json without_quotes(struct json value)
{
	if (value.end - value.at > 2 && *value.at == '"' && value.end[-1] == '"') {
		value.at++;
		value.end--;
	}
	return value;
}

/* Step over the opening bracket or a comma.  Returns false if no element follows. */
static bool json_step(struct json *rest, char open, char close)
{
	if (rest->at == rest->end || (*rest->at != open && *rest->at != ','))
		return false;
	rest->at++;
	*rest = json_skip_blanks(*rest);
	return rest->at < rest->end && *rest->at != close;
}

static bool json_is_text(struct json value)
{
	return value.end - value.at >= 2 && *value.at == '"' && value.end[-1] == '"';
}

/* json_next_member(), with the key as it is written in the text. */
static bool json_next_pair(struct json *rest, struct json *key, struct json *value)
{
	if (!json_step(rest, '{', '}'))
		return false;
	*key = json_take(rest);
	if (!json_is_text(*key) || rest->at == rest->end || *rest->at != ':')
		return false;
	rest->at++;
	*rest = json_skip_blanks(*rest);
	*value = json_take(rest);
	return true;
}

bool json_next_member(struct json *rest, struct str *key, struct json *value)
{
	struct json name;

	return json_next_pair(rest, &name, value) && json_text(name, key);
}

bool json_next_item(struct json *rest, struct json *item)
{
	if (!json_step(rest, '[', ']'))
		return false;
	*item = json_take(rest);
	return true;
}

struct json json_member(struct json object, const char *key)
{
	struct json name, value;

	while (json_next_pair(&object, &name, &value)) {
		if (json_is(name, key))
			return value;
	}
	return (struct json){ 0 };
}

static bool json_parse_hex4(const char *at, const char *end, uint32_t *code)
{
	static const char digits[] = "0123456789abcdef";

	*code = 0;
	if (end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		const char *digit = at[i] ? strchr(digits, at[i] | 0x20) : NULL;

		if (!digit)
			return false;
		*code = *code << 4 | (uint32_t)(digit - digits);
	}
	return true;
}

/* Append the character of the \u escape at at, of one or two parts.  Returns where it ends. */
static const char *take_unicode(struct str *out, const char *at, const char *end)
{
	uint32_t code, low;

	if (!json_parse_hex4(at, end, &code))
		return at;
	at += 4;
	if (code >= 0xd800 && code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' &&
	    json_parse_hex4(at + 2, end, &low) && low >= 0xdc00 && low < 0xe000) {
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
		at += 6;
	}
	utf8_add(out, code);
	return at;
}

/* Append what the escape at `at`, after its backslash, stands for.  Returns its end. */
static const char *json_take_escape(struct str *out, const char *at, const char *end)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *escape = *at ? strchr(from, *at) : NULL;

	if (*at == 'u')
		return take_unicode(out, at + 1, end);
	str_addc(out, escape ? to[escape - from] : *at);
	return at + 1;
}

bool json_text(struct json value, struct str *out)
{
	const char *at = value.at, *end = value.end, *slash;

	str_clear(out);
	if (!json_is_text(value))
		return false;
	for (at++, end--; (slash = memchr(at, '\\', (size_t)(end - at))) && slash + 1 < end;) {
		str_add(out, at, (size_t)(slash - at));
		at = json_take_escape(out, slash + 1, end);
	}
	str_add(out, at, (size_t)(end - at));
	return true;
}

bool json_span(struct json value, struct str *scratch, const char **text, size_t *len)
{
	bool is_text = json_is_text(value);

	*text = is_text ? value.at + 1 : "";
	*len = is_text ? (size_t)(value.end - value.at) - 2 : 0;
	if (!memchr(*text, '\\', *len))
		return is_text;
	json_text(value, scratch);
	*text = scratch->buf;
	*len = scratch->len;
	return true;
}

bool json_u64(struct json value, uint64_t *n)
{
	const char *at, *end;

	value = without_quotes(value);
	at = value.at;
	end = value.end;
	while (end > at && json_is_blank(end[-1]))
		end--;
	*n = 0;
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*at - '0'), n))
			return false;
	}
	return true;
}

static bool read_decimal(struct json value, struct decimal *number)
{
	const char *at;
	size_t len;

	value = without_quotes(value);
	at = value.at;
	len = at ? (size_t)(value.end - at) : 0;
	if (!decimal_read(&at, &len, number))
		return false;
	while (len && json_is_blank(*at)) {
		at++;
		len--;
	}
	return !len;
}

bool json_scaled(struct json value, int power, uint64_t *n)
{
	struct decimal number;

	return read_decimal(value, &number) && decimal_scale(&number, power, n);
}

bool json_rounded(struct json value, int power, uint64_t *n)
{
	struct decimal number;

	return read_decimal(value, &number) && decimal_round(&number, power, n);
}

bool json_is_true(struct json value)
{
	return value.end - value.at >= 4 && !memcmp(value.at, "true", 4);
}

bool json_is(struct json value, const char *text)
{
	struct str room = { 0 };
	const char *found;
	size_t len;
	bool is = json_span(value, &room, &found, &len) && len == strlen(text) && !memcmp(found, text, len);

	str_free(&room);
	return is;
}
