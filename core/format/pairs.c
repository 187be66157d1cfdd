#include "core/format/pairs.h"

#include <ctype.h>
#include <string.h>

#include "core/markup.h"
#include "core/utf8.h"
#include "core/wallclock.h"

void pair_add(struct str *out, const char *key, const char *value)
{
	bool bare = value[0];

	for (const char *c = value; *c; c++)
		bare &= isalnum((unsigned char)*c) || strchr("_.,:+/%@~-", *c);
	str_addf(out, "%s=", key);
	if (bare)
		str_puts(out, value);
	else
		json_puts(out, value);
	str_addc(out, ' ');
}

void pair_add_time(struct str *out, const char *key, uint64_t wall_ns)
{
	struct str text = { 0 };

	wallclock_add(&text, wall_ns);
	pair_add(out, key, text.buf);
	str_free(&text);
}

void pair_add_count(struct str *out, const char *key, uint64_t count)
{
	struct str text = { 0 };

	str_add_u64(&text, count);
	pair_add(out, key, text.buf);
	str_free(&text);
}

void pair_add_instant(struct str *out, const char *key, uint64_t ns)
{
	str_addf(out, "%s=", key);
	wallclock_add_seconds(out, ns);
	str_addc(out, ' ');
}

/* The end of a value: after its closing quote, or at a blank. */
static const char *pairs_value_end(const char *value, const char *end)
{
	if (value == end || *value != '"') {
		const char *blank = memchr(value, ' ', (size_t)(end - value));

		return blank ? blank : end;
	}
	for (value++; value < end && *value != '"'; value++)
		value += *value == '\\' && value + 1 < end;
	return value < end ? value + 1 : end;
}

bool pair_next(const char **at, const char *end, struct pair *p)
{
	const char *key = *at, *stop;

	while (key < end && *key == ' ')
		key++;
	for (stop = key; stop < end && *stop != '=' && *stop != ' ';)
		stop++;
	*p = (struct pair){ .key = key, .key_len = (size_t)(stop - key) };
	if (stop < end && *stop == '=') {
		p->value = stop + 1;
		stop = pairs_value_end(p->value, end);
		p->value_len = (size_t)(stop - p->value);
	}
	p->len = (size_t)(stop - key);
	*at = stop;
	return key < end;
}

bool pair_is(const struct pair *p, const char *key)
{
	return p->value && p->key_len == strlen(key) && !memcmp(p->key, key, p->key_len);
}

/* The value of the four hexadecimal digits of "\u"; 0, for which \u is never written, if they are not hexadecimal. */
static uint32_t pairs_hex(const char *at, const char *end)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t code = 0;

	if (end - at < 4)
		return 0;
	for (int i = 0; i < 4; i++) {
		const char *digit = at[i] ? strchr(digits, at[i] | 0x20) : NULL;

		if (!digit)
			return 0;
		code = code << 4 | (uint32_t)(digit - digits);
	}
	return code;
}

/* Append one character of a JSON string.  Returns the position of the next one. */
static const char *pairs_add_char(struct str *out, const char *at, const char *end)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *letter;
	uint32_t code;

	if (*at != '\\' || at + 1 == end) {
		str_addc(out, *at);
		return at + 1;
	}
	at++;
	if (*at == 'u' && (code = pairs_hex(at + 1, end))) {
		utf8_add(out, code);
		return at + 5;
	}
	letter = *at ? strchr(letters, *at) : NULL;
	str_addc(out, letter ? meant[letter - letters] : *at);
	return at + 1;
}

void pair_value(const struct pair *p, struct str *out)
{
	const char *at = p->value, *end = at + p->value_len;

	if (!p->value_len || *at != '"') {
		str_add(out, at, p->value_len);
		return;
	}
	end -= p->value_len > 1 && end[-1] == '"';
	for (at++; at < end;)
		at = pairs_add_char(out, at, end);
}

bool pairs_value(const char *text, size_t len, const char *key, struct str *out)
{
	const char *at = text;
	struct pair p;

	while (pair_next(&at, text + len, &p)) {
		if (pair_is(&p, key)) {
			pair_value(&p, out);
			return true;
		}
	}
	return false;
}
