#include "render/colours/module.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "render/profile/frame.h"

/* Where the path of a name must end: at "::", '(', '<', ' ' or ':'. */
static size_t path_end(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (memchr(":(< ", name[i], 4))
			break;
	}
	return i;
}

/* Does the '.' at name[at] begin a suffix that compilers append to names? */
static bool is_suffix(const char *name, size_t len, size_t at)
{
	static const char *const suffixes[] = { ".part.", ".isra.", ".constprop.", ".cold", ".lto_priv.", ".llvm." };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t suffix_len = strlen(suffixes[i]);

		if (len - at >= suffix_len && !memcmp(name + at, suffixes[i], suffix_len))
			return true;
	}
	return false;
}

/* The length of "com/example" or "com.example" at name, or 0. */
static size_t module_package_len(const char *name, size_t len)
{
	const char *slash;
	size_t end, start, at, first = 0;

	len = path_end(name, len);
	slash = memrchr(name, '/', len);
	end = slash ? (size_t)(slash - name) : 0;
	for (start = slash ? end + 1 : 0; start < len && islower((unsigned char)name[start]); start = at + 1) {
		for (at = start; at < len && name[at] != '.'; at++)
			;
		if (at == len || is_suffix(name, len, at))
			break;
		end = at;
		if (!first)
			first = end;
	}
	return first && (start >= len || !isupper((unsigned char)name[start])) ? first : end;
}

/* The 'L' of "Lcom/example/App". */
static bool has_class_mark(const char *name, size_t len)
{
	return len > 2 && name[0] == 'L' && islower((unsigned char)name[1]) && memchr(name, '/', path_end(name, len));
}

/* The length of "std" in "std::io", or 0. */
static size_t module_namespace_len(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len && (isalnum((unsigned char)name[i]) || memchr("_$", name[i], 2)); i++)
		;
	return i + 1 < len && name[i] == ':' && name[i + 1] == ':' ? i : 0;
}

/* The length of "liblzma.so.5.4.1" in "liblzma.so.5.4.1+0x8a40", or 0. */
static size_t file_len(const char *name, size_t len)
{
	size_t i = len;

	while (i && (isdigit((unsigned char)name[i - 1]) || (name[i - 1] >= 'a' && name[i - 1] <= 'f')))
		i--;
	if (i == len || i <= 3 || memcmp(name + i - 3, "+0x", 3))
		return 0;
	i -= 3;
	return memchr(name, '[', i) || memchr(name, ']', i) ? 0 : i;
}

size_t module_of(const char *name, size_t len, const char **module)
{
	char annotation = frame_annotation(name, len);
	const char *quote;
	size_t found;

	len = frame_base_len(name, len);
	*module = name;
	quote = memchr(name, '`', len);
	if (quote && quote > name)
		return (size_t)(quote - name);
	if (len > 2 && name[0] == '[' && name[len - 1] == ']') {
		*module = name + 1;
		return len - 2;
	}
	if (annotation == 'k') {
		*module = "kernel";
		return strlen("kernel");
	}
	found = file_len(name, len);
	if (found)
		return found;
	if (has_class_mark(name, len))
		*module = name + 1;
	found = module_package_len(*module, len - (size_t)(*module - name));
	if (found)
		return found;
	*module = len && memchr("<&", name[0], 2) ? name + 1 : name;
	found = module_namespace_len(*module, len - (size_t)(*module - name));
	if (found)
		return found;
	*module = "native";
	return strlen("native");
}
