#include "core/symbols/names/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/str.h"

/* --- recognises mangled names that are too costly --- */

/* A mangled name can refer back to parts of itself, which may contain references as well: 200 letters
 * can stand for gigabytes of text, or for minutes of work without any text.  Any program may contain
 * such a symbol, so we recognise them before libiberty sees them.  No compiler's names come near these
 * limits. */

/* ---- C++: conversions ------------------------------------------------------------ */

enum { MAX_SECOND_LOOKS = 8 };

/* In "cvT_IiE", do the arguments belong to the type or to the operator?  libiberty tries both, which doubles the
 * work for each level of nesting. */
static bool has_nested_conversions(const char *name)
{
	const char *at = strstr(name, "cv");
	int looks = 0;

	while (at && (at = strchr(at, 'T'))) {
		at++;
		at += strspn(at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		looks += at[0] == '_' && at[1] == 'I';
	}
	return looks > MAX_SECOND_LOOKS;
}

/* ---- C++: packs ------------------------------------------------------------------ */

enum { FEW_REFERENCES = 12, MAX_PARTS = 1 << 16 };

/* Below "Dp", "sZ", "sP" and the folds, libiberty searches for the pack, and follows each reference again. */
static bool has_pack(const char *name)
{
	static const char *const marks[] = { "Dp", "sZ", "sP", "fl", "fr", "fL", "fR" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (strstr(name, marks[i]))
			return true;
	}
	return false;
}

static size_t count_letter(const char *name, char letter)
{
	size_t n = 0;

	for (; *name; name++)
		n += *name == letter;
	return n;
}

/* The components that libiberty made of a name; one may be below several others. */
struct parts {
	struct demangle_component *first;
	size_t count;
	uint32_t *sizes; /* size of each component, with everything below it; 0: unknown yet */
};

/* Is the pointer a component?  Other pointers are text, a number or a word of libiberty. */
static bool demangle_limit_is_part(const struct parts *p, const struct demangle_component *part)
{
	uintptr_t at = (uintptr_t)part - (uintptr_t)p->first;

	return (uintptr_t)part >= (uintptr_t)p->first && at / sizeof(*part) < p->count && !(at % sizeof(*part));
}

static uint32_t demangle_limit_size_of(struct parts *p, const struct demangle_component *part)
{
	const struct demangle_component *below[] = { part->u.s_binary.left, part->u.s_binary.right };
	uint32_t *size = &p->sizes[part - p->first];

	if (*size)
		return *size;
	*size = 1; /* ends the recursion in cycles */
	for (int i = 0; i < 2 && *size < MAX_PARTS; i++)
		*size += demangle_limit_is_part(p, below[i]) ? demangle_limit_size_of(p, below[i]) : 0;
	return *size;
}

static bool has_too_many_parts(const char *name)
{
	void *memory = NULL;
	struct demangle_component *top = cplus_demangle_v3_components(name, DMGL_PARAMS, &memory);
	struct parts p = { .first = memory };
	bool too_many;

	if (!top)
		return false;
	p.count = malloc_usable_size(memory) / sizeof(*top);
	p.sizes = xcalloc(p.count, sizeof(*p.sizes));
	too_many = demangle_limit_is_part(&p, top) && demangle_limit_size_of(&p, top) >= MAX_PARTS;
	free(p.sizes);
	free(memory);
	return too_many;
}

/* Is the name too costly to demangle?  name is from C++ (and has at most a few thousand letters) or D. */
static bool demangle_cxx_explodes(const char *name)
{
	if (has_nested_conversions(name))
		return true;
	return count_letter(name, 'S') > FEW_REFERENCES && has_pack(name) && has_too_many_parts(name);
}

/* ---- D --------------------------------------------------------------------------- */

/* If a part refers three times to a part that refers three times to another, and so on, the text is 3^7 times as long
 * as the name. */
enum { MAX_REFERENCES = 21 };

/* The distance back that a reference has: "QbK" is 1 * 26 + 10: base 26, and the last digit is a small letter.  0
 * when invalid. */
static size_t demangle_limit_read_distance(const char *at)
{
	size_t distance = 0;

	for (; isupper((unsigned char)*at) && distance < 1 << 16; at++)
		distance = distance * 26 + (size_t)(*at - 'A');
	return islower((unsigned char)*at) ? distance * 26 + (size_t)(*at - 'a') : 0;
}

/* Is it a type without references: "i", "Aya", "HiPv", "C3std4file4File"? */
static bool is_plain_type(const char *type)
{
	for (;;) {
		type += strspn(type, "AGPOxy0123456789");
		if (*type != 'H')
			break;
		type++;
		if (!islower((unsigned char)*type++))
			return false;
	}
	if (islower((unsigned char)*type))
		return true;
	if (!*type || !strchr("CSEI", *type))
		return false;
	type++;
	while (isdigit((unsigned char)*type)) {
		char *end;
		size_t len = strtoul(type, &end, 10);

		if (!len || strnlen(end, len) < len || (end[0] == '_' && end[1] == '_'))
			return false;
		type = end + len;
	}
	return *type != '_' && *type != 'Q' && *type != 'M' && *type != 'F';
}

static bool demangle_d_explodes(const char *name)
{
	int references = 0;

	for (const char *at = name; (at = strchr(at, 'Q')); at++) {
		size_t distance = demangle_limit_read_distance(at + 1);
		const char *target = at - distance;

		if (distance && distance <= (size_t)(at - name) && !isdigit((unsigned char)*target))
			references += !is_plain_type(target);
	}
	return references > MAX_REFERENCES;
}

/* --- names --- */

/* Longer names are generated and unreadable, and demangling them costs too much. */
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

/* Like cplus_demangle(), but with a limit: 200 letters with back references can stand for more text than fits into
 * memory.  The callbacks own nothing on the heap when longjmp() leaves them. */
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
