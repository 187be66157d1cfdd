#include "collapse/cause/function_text.h"

#include <stdbool.h>
#include <string.h>

#include "collapse/frames/frame.h"

/* Set rest to what follows prefix in name.  Returns false if name does not begin with prefix. */
static bool function_text_skip(const char **name, size_t *len, const char *prefix)
{
	size_t prefix_len = strlen(prefix);

	if (*len <= prefix_len || memcmp(*name, prefix, prefix_len) != 0)
		return false;
	*name += prefix_len;
	*len -= prefix_len;
	return true;
}

/* The public name of an internal function of the C library. */
static void function_text_add_system(const char *name, size_t len, struct str *out)
{
	static const char *const prefixes[] = { "__GI_", "__libc_", "___", "__" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		while (function_text_skip(&name, &len, prefixes[i]))
			;
	}
	str_add(out, name, len);
}

/* " (app.js:7)" for "/srv/app.js:7:16": the column is of no use to a reader. */
static void function_text_add_file(const char *path, size_t len, struct str *out)
{
	const char *slash = memrchr(path, '/', len), *file = slash ? slash + 1 : path;
	size_t file_len = len - (size_t)(file - path);
	const char *line = memchr(file, ':', file_len), *column = NULL;

	if (line)
		column = memchr(line + 1, ':', file_len - (size_t)(line + 1 - file));
	str_puts(out, " (");
	str_add(out, file, column ? (size_t)(column - file) : file_len);
	str_addc(out, ')');
}

/* "*handle /srv/app.js:7:16", after "JS:" */
static bool function_text_add_v8(const char *name, size_t len, struct str *out)
{
	static const char *const events[] = { "JS:", "LazyCompile:", "Function:", "Script:", "Eval:" };
	const char *blank;
	bool found = false;

	for (size_t i = 0; i < sizeof(events) / sizeof(*events) && !found; i++)
		found = function_text_skip(&name, &len, events[i]);
	while (found && len && memchr("~^+*'", *name, 5)) {
		name++;
		len--;
	}
	blank = found ? memrchr(name, ' ', len) : NULL;
	if (!blank)
		return false;
	if (blank == name)
		str_puts(out, "anonymous");
	str_add(out, name, (size_t)(blank - name));
	function_text_add_file(blank + 1, len - (size_t)(blank + 1 - name), out);
	return true;
}

/* "save_orders:/srv/desk.py", after "py::" */
static bool function_text_add_python(const char *name, size_t len, struct str *out)
{
	const char *colon = function_text_skip(&name, &len, "py::") ? memchr(name, ':', len) : NULL;

	if (!colon)
		return false;
	str_add(out, name, (size_t)(colon - name));
	function_text_add_file(colon + 1, len - (size_t)(colon + 1 - name), out);
	return true;
}

void function_text_add(const struct names *n, uint32_t text, struct str *out)
{
	const struct module *module = names_module(n, text);
	const char *name = intern_text(&n->texts, text);
	size_t len = frame_bare_len(name, intern_len(&n->texts, text));

	if (module && module->kind == MODULE_ELF && !strncmp(module_name(module), "libc.so", 7))
		function_text_add_system(name, len, out);
	else if (!function_text_add_v8(name, len, out) && !function_text_add_python(name, len, out))
		str_add(out, name, len);
}
