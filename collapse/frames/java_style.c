#include "collapse/frames/java_style.h"

#include <ctype.h>
#include <string.h>

/* --- generated classes -------------------------------------------------------------- */

/* What may follow the name of a generated class, to be left out. */
enum { NUMBER = 1 << 0, HEX = 1 << 1, ADDRESS = 1 << 2 };

/*	com.example.App$$Lambda$14/0x0000000800c03000.run      App$$Lambda.run
 *	com.example.App$$Lambda/0x0000000800c03000.run
 *	com.example.App$$Lambda+0x0000000800c03000/12345.run
 *	java.lang.invoke.LambdaForm$MH/0x0000000800c03000.invoke
 *	jdk.internal.reflect.GeneratedMethodAccessor12.invoke
 *	jdk.proxy2.$Proxy7.close                               jdk.proxy.$Proxy.close
 *	com.example.App$$EnhancerByCGLIB$$1a2b3c4d.get         App$$EnhancerByCGLIB.get */
static const struct {
	const char *name;
	unsigned drop;
} generated[] = {
	{ "$$Lambda", ADDRESS },
	{ "LambdaForm$MH", ADDRESS },
	{ "LambdaForm$DMH", ADDRESS },
	{ "LambdaForm$BMH", ADDRESS },
	{ "GeneratedMethodAccessor", NUMBER },
	{ "GeneratedConstructorAccessor", NUMBER },
	{ "GeneratedSerializationConstructorAccessor", NUMBER },
	{ "$Proxy", NUMBER },
	{ "jdk.proxy", NUMBER },
	{ "CGLIB", HEX },
	{ "ByGuice", HEX },
};

static size_t skip_digits(const char *text, size_t len, size_t i, bool hex)
{
	while (i < len && (hex ? isxdigit((unsigned char)text[i]) : isdigit((unsigned char)text[i])))
		i++;
	return i;
}

/* "$14", "/0x0000000800c03000", "+0x0000000800c03000/12345", ".0x0000000800c03000", "/12345" */
static size_t java_style_skip_address(const char *text, size_t len)
{
	size_t i = len > 1 && text[0] == '$' ? skip_digits(text, len, 1, false) : 0;

	if (i == 1)
		return 0;
	while (i + 1 < len && strchr("/+.", text[i])) {
		bool hex = i + 3 < len && text[i + 1] == '0' && text[i + 2] == 'x';
		size_t end = skip_digits(text, len, i + (hex ? 3 : 1), hex);

		if (!isdigit((unsigned char)text[i + 1]) || (!hex && text[i] != '/'))
			break;
		i = end;
	}
	return i;
}

static size_t skip_generated(const char *text, size_t len, unsigned drop)
{
	if (drop & ADDRESS)
		return java_style_skip_address(text, len);
	if (drop & NUMBER)
		return skip_digits(text, len, 0, false);
	return len > 2 && text[0] == '$' && text[1] == '$' ? skip_digits(text, len, 2, true) : 0;
}

static void add_normal(struct str *out, const char *text, size_t len)
{
	size_t start = 0, i = 0;

	while (i < len) {
		size_t row = 0, rows = sizeof(generated) / sizeof(*generated), end, skipped;

		while (row < rows && !text_begins(text + i, len - i, generated[row].name))
			row++;
		if (row == rows) {
			i++;
			continue;
		}
		end = i + strlen(generated[row].name);
		skipped = skip_generated(text + end, len - end, generated[row].drop);
		str_add(out, text + start, end - start);
		start = i = end + skipped;
	}
	str_add(out, text + start, len - start);
}

/* --- packages ----------------------------------------------------------------------- */

/* The length of "java.base@17/", "java.base/", "app//"; or 0 without a module. */
static size_t java_style_module_len(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);
	size_t n = slash ? (size_t)(slash - text) : 0;

	for (size_t i = 0; i < n; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("._-@+$", text[i]))
			return 0;
	}
	if (n && n + 2 < len && slash[1] == '/')
		return n + 2;
	return n && !isdigit((unsigned char)slash[1]) && (memchr(text, '.', n) || memchr(text, '@', n)) ? n + 1 : 0;
}

/* The length of "java" in "java.lang.Thread"; 0: no package comes next. */
static size_t java_style_package_len(const char *text, size_t len)
{
	size_t n = 0;

	if (!len || !(islower((unsigned char)*text) || *text == '_'))
		return 0;
	while (n < len && (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '$' || text[n] == '-' ||
			   text[n] & 0x80))
		n++;
	return n < len && (text[n] == '.' || text[n] == '/') ? n : 0;
}

static void java_style_add_short(struct str *out, const char *text, size_t len, bool none)
{
	size_t start = java_style_module_len(text, len), i = start, n;

	while ((n = java_style_package_len(text + i, len - i)))
		i += n + 1;
	if (i == len || !(isupper((unsigned char)text[i]) || text[i] == '$')) {
		str_add(out, text, len);
		return;
	}
	for (size_t at = start; at < i && !none; at += n + 1) {
		n = java_style_package_len(text + at, len - at);
		str_addc(out, text[at]);
		str_addc(out, text[at + n]);
	}
	str_add(out, text + i, len - i);
}

void java_style_add(struct str *out, const struct java_style *style, const char *text, size_t len)
{
	struct str normal = { 0 };

	if (style->norm) {
		add_normal(&normal, text, len);
		text = str_text(&normal);
		len = normal.len;
	}
	if (style->short_packages || style->no_packages)
		java_style_add_short(out, text, len, style->no_packages);
	else
		str_add(out, text, len);
	str_free(&normal);
}
