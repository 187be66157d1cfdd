#include "render/colours/java_name.h"

#include <ctype.h>
#include <string.h>

#include "core/str.h"

static bool is_of_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* "example.App"; but not Go's "net.Listen.func1", which has no package after "net". */
static bool has_class(const char *name, size_t len)
{
	for (size_t i = 0; i + 1 < len && (is_of_identifier(name[i]) || name[i] == '.'); i++) {
		if (i && name[i] == '.' && isupper((unsigned char)name[i + 1]))
			return true;
	}
	return false;
}

/* "java/lang/String", "java.lang.String" */
static bool has_package(const char *name, size_t len)
{
	static const char *const roots[] = { "java", "javax", "jdk", "net", "org", "com", "io", "sun" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		size_t root = strlen(roots[i]);

		if (!text_begins(name, len, roots[i]) || len == root)
			continue;
		if (name[root] == '/')
			return true;
		if (name[root] == '.' && (*name == 'j' || has_class(name + root + 1, len - root - 1)))
			return true;
	}
	return false;
}

static bool colours_java_name_is_part(const char *name, size_t len)
{
	static const char *const parts[] = {
		"part.", "isra.", "constprop.", "cold", "lto_priv.", "llvm.", "localalias"
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (text_begins(name, len, parts[i]))
			return true;
	}
	return len > 4 && text_begins(name, len, "func") && isdigit((unsigned char)name[4]); /* a Go closure */
}

/* "com.example.App.handle": after lower-case parts, a part with a capital and its method. */
static bool has_class_and_method(const char *name, size_t len)
{
	size_t start = 0, end = 0;

	for (; start < len && islower((unsigned char)name[start]); start = end + 1) {
		for (end = start; end < len && is_of_identifier(name[end]); end++)
			;
		if (end == len || name[end] != '.')
			return false;
	}
	if (start >= len || !isupper((unsigned char)name[start]))
		return false;
	for (end = start; end < len && (is_of_identifier(name[end]) || name[end] == '/'); end++)
		;
	if (end + 1 >= len || name[end] != '.')
		return false;
	end++;
	return (is_of_identifier(name[end]) || name[end] == '<') && !colours_java_name_is_part(name + end, len - end);
}

/* "byte[]" */
static bool is_array(const char *name, size_t len)
{
	return len > 2 && name[0] != '[' && !memcmp(name + len - 2, "[]", 2) && !memchr(name, '(', len) &&
	       !memchr(name, ' ', len);
}

bool is_java_name(const char *name, size_t len)
{
	if (len && name[0] == 'L' && has_package(name + 1, len - 1) && memchr(name, '/', len))
		return true;
	if (memmem(name, len, "::", 2) && !memchr(name, '/', len))
		return false;
	return has_package(name, len) || has_class_and_method(name, len) || is_array(name, len);
}
