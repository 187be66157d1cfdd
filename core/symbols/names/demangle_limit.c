#include "core/symbols/names/demangle_limit.h"

#include <ctype.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "core/memory.h"

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

bool demangle_cxx_explodes(const char *name)
{
	if (has_nested_conversions(name))
		return true;
	return count_letter(name, 'S') > FEW_REFERENCES && has_pack(name) && has_too_many_parts(name);
}

/* ---- D --------------------------------------------------------------------------- */

/* If a part has three references to a part with three references, and so on, the text is 3^7 times the name. */
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

bool demangle_d_explodes(const char *name)
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
