#include "core/symbols/names/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "core/memory.h"
#include "core/str.h"
#include "core/symbols/names/demangle_limit.h"

/* Longer names are generated, unreadable, and cost too much. */
enum { MAX_NAME = 64 * 1024 };

/* libiberty recurses as deep as a name is nested.  For D there is no limit: 300 bytes of stack for each letter.
 * For C++, it refuses names of more than 1024 letters, but has an option to go on.  For Rust it has no limit
 * either, and "_RB_" is nested in itself. */
enum { MAX_D_NAME = 2048, MAX_DEEP_NAME = 4096 };

/* _ZN3Foo3barEi, _RNvC6_123foo3bar; some systems have one more '_' before them */
static bool is_cxx_or_rust(const char *name)
{
	if (name[0] != '_')
		return false;
	name += 1 + (name[1] == '_');
	return *name == 'Z' || *name == 'R';
}

/* _D3foo3barFiZv, _Dmain */
static bool is_d(const char *name)
{
	return name[0] == '_' && name[1] == 'D' && (isdigit((unsigned char)name[2]) || !strcmp(name, "_Dmain"));
}

/* "foo.bar(int) const" -> "foo.bar", but "foo.each!(int)" and "foo.bar(int).nested" stay. */
static void drop_parameters(char *name)
{
	size_t start, depth = 0, end = strlen(name);

	while (end && (islower((unsigned char)name[end - 1]) || name[end - 1] == ' '))
		end--;
	start = end;
	do {
		if (!start)
			return;
		start--;
		depth += (size_t)(name[start] == ')') - (size_t)(name[start] == '(');
	} while (depth);
	if (start && name[start] == '(' && name[start - 1] != '!')
		name[start] = '\0';
}

/* For D, libiberty leaves gcc's suffixes ("foo.part.0") to the caller. */
static char *demangle_d(char *name, enum demangle_style style)
{
	char *text, *clone = strchr(name, '.');

	if (clone)
		*clone = '\0';
	if (demangle_d_explodes(name))
		return NULL;
	text = cplus_demangle(name, DMGL_DLANG | DMGL_PARAMS);
	if (text && strlen(text) > MAX_NAME) {
		free(text);
		text = NULL;
	}
	if (text && style == DEMANGLE_SIMPLE)
		drop_parameters(text);
	return text;
}

struct demangling {
	struct str text;
	jmp_buf too_long;
};

static void demangle_take_text(const char *text, size_t len, void *demangling)
{
	struct demangling *d = demangling;

	if (d->text.len + len > MAX_NAME)
		longjmp(d->too_long, 1);
	str_add(&d->text, text, len);
}

/* Like cplus_demangle(), but with a limit: 200 letters of back references can stand for more text than there is
 * memory.  The callbacks have nothing on the heap when longjmp() leaves them. */
static char *demangle_limited(const char *name, size_t len, int options)
{
	int deep = len <= MAX_DEEP_NAME ? DMGL_NO_RECURSE_LIMIT : 0;
	struct demangling d = { 0 };

	if (setjmp(d.too_long))
		goto fail;
	if (rust_demangle_callback(name, options, demangle_take_text, &d) && d.text.len)
		return d.text.buf;
	str_clear(&d.text); /* the text may be incomplete */
	if (!demangle_cxx_explodes(name) && cplus_demangle_v3_callback(name, options | deep, demangle_take_text, &d) &&
	    d.text.len)
		return d.text.buf;
fail:
	str_free(&d.text);
	return NULL;
}

char *demangle(const char *name, enum demangle_style style)
{
	bool d = is_d(name);
	size_t len = strcspn(name, "@");
	char *plain, *text;

	if (style == DEMANGLE_NO || len > (d ? MAX_D_NAME : MAX_NAME) || (!d && !is_cxx_or_rust(name)))
		return NULL;
	plain = xmalloc(len + 1);
	memcpy(plain, name, len);
	plain[len] = '\0';
	if (d)
		text = demangle_d(plain, style);
	else
		text = demangle_limited(plain, len, style == DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI : 0);
	free(plain);
	return text;
}

static bool is_plt(const char *name)
{
	size_t len = strlen(name);

	return *name != '@' && len > 4 && !strcmp(name + len - 4, "@plt");
}

/* "[binds NAME of FILE]" (core/symbols/elf/plt.h) */
static bool demangle_bound(struct str *out, const char *name, enum demangle_style style)
{
	static const char head[] = "[binds ";
	const char *of = strncmp(name, head, sizeof(head) - 1) ? NULL : strstr(name, " of ");
	char *function;

	if (!of)
		return false;
	function = xstrndup(name + sizeof(head) - 1, (size_t)(of - name) - (sizeof(head) - 1));
	str_puts(out, head);
	demangle_symbol(out, function, style);
	str_puts(out, of);
	free(function);
	return true;
}

void demangle_symbol(struct str *out, const char *name, enum demangle_style style)
{
	char *plain;

	if (demangle_bound(out, name, style))
		return;
	plain = demangle(name, style);
	if (plain)
		str_puts(out, plain);
	else
		str_add(out, name, *name == '@' ? strlen(name) : strcspn(name, "@"));
	if (is_plt(name))
		str_puts(out, "@plt");
	free(plain);
}
