/* pairs: what is written can be read again; malformed pairs are read as far as possible. */
#include <string.h>

#include "core/format/pairs.h"
#include "tests/unit/check.h"

static const char *value_of(const char *text, const char *key)
{
	static struct str value;

	str_clear(&value);
	return pairs_value(text, strlen(text), key, &value) ? str_text(&value) : "none";
}

/* All pairs as "key=value|", with "?" for a word without a value. */
static const char *all(const char *text)
{
	static struct str out;
	const char *at = text, *end = text + strlen(text);
	struct pair p;

	str_clear(&out);
	while (pair_next(&at, end, &p)) {
		str_add(&out, p.key, p.key_len);
		str_addc(&out, p.value ? '=' : '?');
		if (p.value)
			pair_value(&p, &out);
		str_addc(&out, '|');
	}
	return str_text(&out);
}

static const char *again(const char *value)
{
	struct str text = { 0 };
	const char *read;

	pair_add(&text, "key", value);
	pair_add(&text, "last", "1");
	CHECK(!strcmp(value_of(text.buf, "last"), "1"));
	read = value_of(text.buf, "key");
	str_free(&text);
	return read;
}

int main(void)
{
	static const char *const values[] = { "",           "bare",    "two words", "\"quoted\"", "back\\slash",
					      "a=b",        "\\",      "\xc3\xa9",  "a\tb\nc",    "\x01 \x1f",
					      "ends in \\", "\\u0041", ";<&>'" };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		CHECK(!strcmp(again(values[i]), values[i]));
	CHECK(!strcmp(all("a=1 b=\"x y\" c"), "a=1|b=x y|c?|"));
	CHECK(!strcmp(all("word a=1  b=2 "), "word?|a=1|b=2|"));
	CHECK(!strcmp(all("a=\"1\"b=2"), "a=1|b=2|"));
	CHECK(!strcmp(all("a=\"x\\\" b=2\" c=\"\\\\\" d=3"), "a=x\" b=2|c=\\|d=3|"));
	CHECK(!strcmp(all("a=\"cut"), "a=cut|"));
	CHECK(!strcmp(all("a=\"cut\\"), "a=cut\\|"));
	CHECK(!strcmp(all("a=\"\\u00e9\\u00zz\\u12\""), "a=\xc3\xa9u00zzu12|"));
	CHECK(!strcmp(all("=1 a= b=="), "=1|a=|b==|"));
	CHECK(!strcmp(all(""), ""));
	CHECK(!strcmp(value_of("unit=\"a event=b\" event=c", "event"), "c"));
	CHECK(!strcmp(value_of("event", "event"), "none"));
	CHECK(!strcmp(value_of("nevent=1", "event"), "none"));
	return check_done();
}
