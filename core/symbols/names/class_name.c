#include "core/symbols/names/class_name.h"

#include <stdint.h>
#include <string.h>

#include "core/decimal.h"
#include "core/utf8.h"

/* ---- modified UTF-8 ------------------------------------------------------------------------ */

enum { HIGH_SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00, SURROGATES_END = 0xe000 };

/* Take one UTF-16 code unit, encoded as 1 to 3 bytes.  Returns the number of bytes; 0: invalid. */
static size_t class_name_take_unit(const char *text, size_t len, uint32_t *unit)
{
	const unsigned char *p = (const unsigned char *)text;

	if (p[0] < 0x80) {
		*unit = p[0];
		return 1;
	}
	if (len >= 2 && (p[0] & 0xe0) == 0xc0 && (p[1] & 0xc0) == 0x80) {
		*unit = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
		return 2;
	}
	if (len >= 3 && (p[0] & 0xf0) == 0xe0 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80) {
		*unit = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
		return 3;
	}
	return 0;
}

bool java_utf8_add(struct str *out, const char *text, size_t len)
{
	bool is_valid = true;

	for (size_t at = 0, took; at < len; at += took) {
		uint32_t code = 0, low;
		size_t more;

		took = class_name_take_unit(text + at, len - at, &code);
		is_valid &= took && text[at];
		if (took == 1 && code) {
			str_addc(out, (char)code);
			continue;
		}
		if (took && code >= HIGH_SURROGATE && code < LOW_SURROGATE && at + took < len) {
			more = class_name_take_unit(text + at + took, len - at - took, &low);
			if (more && low >= LOW_SURROGATE && low < SURROGATES_END) {
				code = 0x10000 + ((code - HIGH_SURROGATE) << 10) + (low - LOW_SURROGATE);
				took += more;
			}
		}
		utf8_add(out, took && code ? code : 0xfffd);
		took = took ? took : 1;
	}
	return is_valid;
}

/* ---- parts that differ in each run ---------------------------------------------------------- */

static bool class_name_is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t without_digits(const char *name, size_t len)
{
	while (len && is_digit(name[len - 1]))
		len--;
	return len;
}

/* Length of a name without the address that the JVM appends: to hidden classes "+0x00007f5e8c000a18", "/0x...",
 * ".0x..."; to anonymous ones, before JDK 15, "/1234567". */
static size_t without_address(const char *name, size_t len)
{
	size_t at = len;

	while (at && class_name_is_hex(name[at - 1]))
		at--;
	if (at >= 3 && at < len && name[at - 1] == 'x' && name[at - 2] == '0')
		at -= 2;
	else
		at = without_digits(name, len);
	return at >= 2 && at < len && strchr("+/.", name[at - 1]) ? at - 1 : len;
}

static bool class_name_ends_in(const char *name, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len >= end_len && !memcmp(name + len - end_len, end, end_len);
}

/* Length of a name without its number, for classes that the JDK generates at run time. */
static size_t without_number(const char *name, size_t len)
{
	static const char *const numbered[] = {
		"$$Lambda$",
		"$$Lambda",
		"/$Proxy",
		"/GeneratedMethodAccessor",
		"/GeneratedConstructorAccessor",
		"/GeneratedSerializationConstructorAccessor",
		"/LambdaForm$MH",
		"/LambdaForm$DMH",
		"/LambdaForm$BMH",
	};
	size_t shorter = without_digits(name, len);

	if (shorter == strlen("$Proxy") && class_name_ends_in(name, shorter, "$Proxy"))
		return shorter;
	for (size_t i = 0; i < sizeof(numbered) / sizeof(*numbered); i++) {
		if (class_name_ends_in(name, shorter, numbered[i]))
			return class_name_ends_in(name, shorter, "Lambda$") ? shorter - 1 : shorter;
	}
	return len;
}

/* The JDK puts proxies into packages "jdk/proxy1", "jdk/proxy2", ... */
static void skip_proxy_number(struct str *out, const char **name, size_t *len)
{
	static const char package[] = "jdk/proxy", class[] = "/$Proxy";
	size_t at = sizeof(package) - 1;

	if (*len < at || memcmp(*name, package, at))
		return;
	while (at < *len && is_digit((*name)[at]))
		at++;
	if (*len - at < sizeof(class) - 1 || memcmp(*name + at, class, sizeof(class) - 1))
		return;
	str_puts(out, "jdk.proxy");
	*name += at;
	*len -= at;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void class_name_add_class(struct str *out, const char *name, size_t len)
{
	size_t from;

	len = without_address(name, len);
	len = without_number(name, len);
	skip_proxy_number(out, &name, &len);
	from = out->len;
	java_utf8_add(out, name, len);
	for (size_t i = from; i < out->len; i++) {
		if (out->buf[i] == '/')
			out->buf[i] = '.';
	}
}

static const char *primitive(char letter)
{
	static const char *const names['Z' - 'A' + 1] = {
		['B' - 'A'] = "byte", ['C' - 'A'] = "char", ['D' - 'A'] = "double", ['F' - 'A'] = "float",
		['I' - 'A'] = "int",  ['J' - 'A'] = "long", ['S' - 'A'] = "short",  ['Z' - 'A'] = "boolean",
	};

	return letter >= 'A' && letter <= 'Z' ? names[letter - 'A'] : NULL;
}

void java_class_name(struct str *out, const char *name, size_t len)
{
	size_t dimensions = 0, left;

	while (dimensions < len && dimensions < 255 && name[dimensions] == '[')
		dimensions++;
	left = len - dimensions;
	if (!dimensions) {
		class_name_add_class(out, name, len);
	} else if (left == 1 && primitive(name[dimensions])) {
		str_puts(out, primitive(name[dimensions]));
	} else if (left > 2 && name[dimensions] == 'L' && name[len - 1] == ';') {
		class_name_add_class(out, name + dimensions + 1, left - 2);
	} else { /* invalid */
		java_utf8_add(out, name, len);
		dimensions = 0;
	}
	for (size_t i = 0; i < dimensions; i++)
		str_puts(out, "[]");
}

/* ---- perf maps --------------------------------------------------------------------------------- */

/* The form is TYPE CLASS.METHOD(TYPES), with only that one blank before the parenthesis; not Python's "py::f:/a
 * b.c(d)". */
bool java_perfmap_name(struct str *out, const char *text, size_t len)
{
	const char *open = memchr(text, '(', len), *class = memchr(text, ' ', len), *method = open;
	struct str name = { 0 };

	if (!open || !class || class == text || class ++ > open || text[len - 1] != ')' ||
	    memchr(class, ' ', (size_t)(open - class)) || memchr(text, ':', (size_t)(class - text)))
		return false;
	while (method > class && *method != '.')
		method--;
	if (method == class || method + 1 == open)
		return false;
	str_add(&name, class, (size_t)(method - class));
	for (size_t i = 0; i < name.len; i++) {
		if (name.buf[i] == '.')
			name.buf[i] = '/';
	}
	java_class_name(out, name.buf, name.len);
	java_utf8_add(out, method, (size_t)(open - method));
	str_free(&name);
	return true;
}
