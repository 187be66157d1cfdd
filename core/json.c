#include "core/json.h"

#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/memory.h"
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

/* Shorter ones are not in an index: finding their ends is cheaper.  What is deeper than DEPTH_MAX is cut, since each open bracket
 * takes memory. */
enum { INDEXED_MIN = 512, DEPTH_MAX = 1 << 24 };

struct json json_indexed(struct json value, struct json_index *index)
{
	size_t *open = NULL, depth = 0, cap = 0; /* places of extents */

	for (const char *at = value.at; at < value.end; at++) {
		if (*at == '"') {
			at = string_end(at, value.end) - 1;
		} else if (depth == DEPTH_MAX && (*at == '{' || *at == '[')) {
			value.end = at;
		} else if (*at == '{' || *at == '[') {
			index->extents = xgrow(index->extents, &index->cap, index->count + 1, sizeof(*index->extents));
			index->extents[index->count] = (struct json_extent){ at, value.end };
			open = xgrow(open, &cap, depth + 1, sizeof(*open));
			open[depth++] = index->count++;
		} else if ((*at == '}' || *at == ']') && depth) {
			struct json_extent *extent = &index->extents[open[--depth]];

			extent->end = at + 1;
			if (extent->end - extent->at < INDEXED_MIN)
				index->count = open[depth]; /* and whatever is in it */
		}
	}
	free(open);
	value.index = index;
	return value;
}

void json_index_free(struct json_index *index)
{
	free(index->extents);
	*index = (struct json_index){ 0 };
}

/* The end of what starts at at, which an index has; NULL: it does not. */
static const char *indexed_end(const struct json_index *index, const char *at)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->extents[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < index->count && index->extents[low].at == at ? index->extents[low].end : NULL;
}

/* The end of the value at the begin of rest. */
static const char *json_value_end(struct json rest)
{
	const char *at = rest.at, *end = rest.end, *indexed = NULL;
	size_t open = 0;

	if (rest.index && at < end && (*at == '{' || *at == '['))
		indexed = indexed_end(rest.index, at);
	if (indexed)
		return indexed < end ? indexed : end;
	while (at < end) {
		char c = *at;

		if (!marks[(uint8_t)c]) {
			at++;
			continue;
		}
		if (!open && (c == ',' || c == ':' || c == '}' || c == ']'))
			return at;
		if (c == '"') {
			at = string_end(at, end);
		} else {
			open += c == '{' || c == '[';
			open -= c == '}' || c == ']';
			at++;
		}
		if (!open && (c == '"' || c == '}' || c == ']'))
			return at;
	}
	return at;
}

/* Take the value at *rest, without the blanks behind it. */
static struct json json_take(struct json *rest)
{
	struct json value = { rest->at, json_value_end(*rest), rest->index };

	rest->at = value.end;
	*rest = json_skip_blanks(*rest);
	while (value.end > value.at && json_is_blank(value.end[-1]))
		value.end--;
	return value;
}

/* A number may be a string, "12": writers in JavaScript do this with large ones, others with all. */
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

bool json_next_member(struct json *rest, struct str *key, struct json *value)
{
	struct json name;

	if (!json_step(rest, '{', '}'))
		return false;
	name = json_take(rest);
	if (!json_text(name, key) || rest->at == rest->end || *rest->at != ':')
		return false;
	rest->at++;
	*rest = json_skip_blanks(*rest);
	*value = json_take(rest);
	return true;
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
	struct json value = { 0 }, found = { 0 };
	struct str name = { 0 };

	while (!found.at && json_next_member(&object, &name, &value)) {
		if (!strcmp(str_text(&name), key))
			found = value;
	}
	str_free(&name);
	return found;
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

bool json_text(struct json value, struct str *out)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *at = value.at, *end = value.end, *escape;

	str_clear(out);
	if (end - at < 2 || *at != '"' || end[-1] != '"')
		return false;
	for (at++, end--; at < end; at++) {
		if (*at != '\\' || at + 1 == end) {
			str_addc(out, *at);
			continue;
		}
		at++;
		if (*at == 'u') {
			at = take_unicode(out, at + 1, end) - 1;
			continue;
		}
		escape = *at ? strchr(from, *at) : NULL;
		str_addc(out, escape ? to[escape - from] : *at);
	}
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
	struct str found = { 0 };
	bool is = json_text(value, &found) && !strcmp(str_text(&found), text);

	str_free(&found);
	return is;
}
