#include "web/metadata.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/format/picture.h"
#include "core/str.h"

/* Most keys are those of the folded header; a picture repeats them. */
static const char *const fact_names[FACT_COUNT] = {
	[FACT_KIND] = PICTURE_KIND,
	[FACT_TITLE] = PICTURE_TITLE,
	[FACT_UNIT] = PICTURE_UNIT,
	[FACT_TOTAL] = PICTURE_TOTAL,
	[FACT_THREAD] = PICTURE_THREAD,
	[FACT_HOST] = "host",
	[FACT_EVENT] = "event",
	[FACT_START] = "start",
	[FACT_END] = "end",
	[FACT_RATE] = "rate",
	[FACT_KERNEL] = "kernel",
	[FACT_COMMAND] = "command",
	[FACT_FILTER] = "filter",
	[FACT_PODS] = "pods",
	[FACT_CONTAINERS] = "containers",
	[FACT_UNITS] = "units",
	[FACT_LOST] = "lost",
	[FACT_LOSSES] = "losses",
	[FACT_UNRESOLVED] = "unresolved",
	[FACT_LONGEST] = PICTURE_LONGEST,
	[FACT_HEADLINE] = PICTURE_HEADLINE,
	[FACT_IDLE] = PICTURE_IDLE,
	[FACT_PLOT] = PICTURE_PLOT,
};

struct cursor {
	const char *at, *end;
};

static void web_metadata_skip_blanks(struct cursor *c)
{
	while (c->at < c->end && memchr(" \t\r\n", *c->at, 4))
		c->at++;
}

/* Is the next character wanted?  Then skip it, and the blanks around it. */
static bool web_metadata_take(struct cursor *c, char wanted)
{
	web_metadata_skip_blanks(c);
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	web_metadata_skip_blanks(c);
	return true;
}

static void add_utf8(struct str *out, uint32_t code)
{
	if (!code || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd; /* NUL, or half of a surrogate pair */
	if (code < 0x80) {
		str_addc(out, (char)code);
	} else if (code < 0x800) {
		str_addc(out, (char)(0xc0 | code >> 6));
		str_addc(out, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		str_addc(out, (char)(0xe0 | code >> 12));
		str_addc(out, (char)(0x80 | (code >> 6 & 0x3f)));
		str_addc(out, (char)(0x80 | (code & 0x3f)));
	} else {
		str_addc(out, (char)(0xf0 | code >> 18));
		str_addc(out, (char)(0x80 | (code >> 12 & 0x3f)));
		str_addc(out, (char)(0x80 | (code >> 6 & 0x3f)));
		str_addc(out, (char)(0x80 | (code & 0x3f)));
	}
}

/* The four hex digits of "\u003c". */
static bool web_metadata_parse_hex4(struct cursor *c, uint32_t *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++, c->at++) {
		static const char digits[] = "0123456789abcdef0123456789ABCDEF";
		const char *digit;

		if (c->at == c->end || !(digit = memchr(digits, *c->at, 32)))
			return false;
		*code = *code << 4 | (uint32_t)(digit - digits) % 16;
	}
	return true;
}

/* The part after "\u"; a character beyond U+FFFF takes two, "\ud83d\ude00". */
static bool parse_unicode(struct cursor *c, struct str *out)
{
	uint32_t code, low;

	if (!web_metadata_parse_hex4(c, &code))
		return false;
	if (code >= 0xd800 && code < 0xdc00 && c->end - c->at >= 6 && !memcmp(c->at, "\\u", 2)) {
		struct cursor second = { c->at + 2, c->end };

		if (web_metadata_parse_hex4(&second, &low) && low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
			c->at = second.at;
		}
	}
	add_utf8(out, code);
	return true;
}

static bool parse_escape(struct cursor *c, struct str *out)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	char escape;

	if (c->at == c->end)
		return false;
	escape = *c->at++;
	if (escape == 'u')
		return parse_unicode(c, out);
	letter = memchr(letters, escape, sizeof(letters) - 1);
	if (!letter)
		return false;
	str_addc(out, bytes[letter - letters]);
	return true;
}

static bool parse_string(struct cursor *c, struct str *out)
{
	str_clear(out);
	if (!web_metadata_take(c, '"'))
		return false;
	while (c->at < c->end) {
		char byte = *c->at++;

		if (byte == '"')
			return true;
		if ((unsigned char)byte < ' ' || (byte == '\\' && !parse_escape(c, out)))
			return false;
		if (byte != '\\')
			str_addc(out, byte);
	}
	return false;
}

/* A string, or a bare word: a number, true, false, null. */
static bool web_metadata_parse_value(struct cursor *c, struct str *out)
{
	if (c->at < c->end && *c->at == '"')
		return parse_string(c, out);
	str_clear(out);
	while (c->at < c->end && !memchr(",} \t\r\n", *c->at, 6)) {
		if (memchr("{[<\"", *c->at, 4))
			return false;
		str_addc(out, *c->at++);
	}
	return out->len > 0;
}

static void web_metadata_set_fact(struct picture_metadata *m, struct arena *text, const struct str *key,
				  const struct str *value)
{
	for (int i = 0; i < FACT_COUNT; i++) {
		if (!strcmp(str_text(key), fact_names[i]) && value->len)
			m->facts[i] = arena_strdup(text, value->buf, value->len);
	}
}

/* {"kind":"flame","total":12345} */
static bool parse_object(struct cursor *c, struct picture_metadata *m, struct arena *text)
{
	struct str key = { 0 }, value = { 0 };
	bool whole = false;

	if (!web_metadata_take(c, '{'))
		return false;
	if (web_metadata_take(c, '}'))
		return true;
	while (parse_string(c, &key) && web_metadata_take(c, ':') && web_metadata_parse_value(c, &value)) {
		web_metadata_set_fact(m, text, &key, &value);
		if (web_metadata_take(c, ','))
			continue;
		whole = web_metadata_take(c, '}');
		break;
	}
	str_free(&key);
	str_free(&value);
	return whole;
}

enum metadata_found metadata_read(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len)
{
	const char *open = memmem(bytes, len, PICTURE_OPEN, strlen(PICTURE_OPEN));
	struct cursor c;

	*m = (struct picture_metadata){ 0 };
	if (!open)
		return METADATA_NONE;
	c = (struct cursor){ open + strlen(PICTURE_OPEN), bytes + len };
	if (parse_object(&c, m, text) && c.end - c.at >= (long)strlen(PICTURE_CLOSE) &&
	    !memcmp(c.at, PICTURE_CLOSE, strlen(PICTURE_CLOSE)))
		return METADATA_READ;
	*m = (struct picture_metadata){ 0 };
	return METADATA_BROKEN;
}
