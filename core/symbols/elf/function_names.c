#include "core/symbols/elf/function_names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"

enum { MAX_HOPS = 16, MAX_SCOPES = 64, MAX_CHILDREN = 1 << 20 };

/* --- scopes ------------------------------------------------------------------------- */

/* libdw has no links to parents.  Entries are in the file in depth-first order: an entry is inside the last sibling
 * that starts before it.  Each level is read once. */
struct name_scope {
	struct name_scope *next; /* the next unit */
	Dwarf_Die die;
	const char *start, *end;  /* where its entry is in memory, and where the next sibling is */
	struct name_scope *inner; /* [count] direct child scopes, in order */
	size_t count;
	bool is_open; /* inner is known */
};

static const char *die_start(Dwarf_Die *die)
{
	return die->addr;
}

static bool is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block: return true;
	}
	return false;
}

static void open_scope(struct function_names *n, struct name_scope *s)
{
	struct name_scope *found = NULL;
	size_t count = 0, cap = 0;
	Dwarf_Die die, next;
	bool more = dwarf_child(&s->die, &die) == 0;

	for (size_t i = 0; more && i < MAX_CHILDREN; i++, die = next) {
		more = dwarf_siblingof(&die, &next) == 0 && die_start(&next) > die_start(&die);
		if (!is_scope(dwarf_tag(&die)) || !dwarf_haschildren(&die))
			continue;
		found = xgrow(found, &cap, count + 1, sizeof(*found));
		found[count++] = (struct name_scope){ .die = die,
						      .start = die_start(&die),
						      .end = more ? die_start(&next) : s->end };
	}
	s->inner = arena_alloc(&n->own, count * sizeof(*found));
	if (count)
		memcpy(s->inner, found, count * sizeof(*found));
	s->count = count;
	s->is_open = true;
	free(found);
}

/* The direct child scope of s that contains the entry, or NULL. */
static struct name_scope *inner_scope(struct function_names *n, struct name_scope *s, const char *entry)
{
	size_t low;

	if (!s->is_open)
		open_scope(n, s);
	low = FIRST_NOT(i, s->count, s->inner[i].start < entry);
	return low && entry < s->inner[low - 1].end ? &s->inner[low - 1] : NULL;
}

static struct name_scope *function_names_unit_of(struct function_names *n, Dwarf_Die *die)
{
	struct name_scope *s;
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return NULL;
	for (s = n->units; s && s->start != die_start(&unit); s = s->next)
		;
	if (!s) {
		s = arena_alloc(&n->own, sizeof(*s));
		*s = (struct name_scope){
			.next = n->units, .die = unit, .start = die_start(&unit), .end = (const char *)UINTPTR_MAX
		}; // NOLINT
		n->units = s;
	}
	return s;
}

/* --- names -------------------------------------------------------------------------- */

/* The entry that has the name: go from the inlined instance to the abstract one, from the definition to the
 * declaration. */
static Dwarf_Die declaration_of(const Dwarf_Die *function)
{
	static const unsigned int links[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Die die = *function, linked;
	Dwarf_Attribute attribute;

	for (size_t hops = 0, i = 0; hops < MAX_HOPS && i < 2;) {
		if (dwarf_attr(&die, links[i], &attribute) && dwarf_formref_die(&attribute, &linked)) {
			die = linked;
			hops++;
			i = 0;
		} else {
			i++;
		}
	}
	return die;
}

static void function_names_add_scopes(struct function_names *n, Dwarf_Die *declaration, struct str *out, size_t hops);

/* Add the name of a scope.  A function that is a scope can be an instance, away from its declaration. */
static void add_scope_name(struct function_names *n, Dwarf_Die *die, const char *inside, struct str *out, size_t hops)
{
	Dwarf_Die declaration = declaration_of(die);
	const char *name = dwarf_diename(&declaration);
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_lexical_block || (!name && tag == DW_TAG_subprogram))
		return;
	if (declaration.addr != die->addr && hops < MAX_HOPS) {
		str_clear(out);
		function_names_add_scopes(n, &declaration, out, hops + 1);
	}
	if (!name && tag == DW_TAG_namespace)
		name = "(anonymous namespace)";
	else if (!name)
		name = inside && !strcmp(inside, "operator()") ? "{lambda}" : "{unnamed}";
	str_addf(out, "%s::", name);
}

static void function_names_add_scopes(struct function_names *n, Dwarf_Die *declaration, struct str *out, size_t hops)
{
	struct name_scope *s = function_names_unit_of(n, declaration);

	for (size_t depth = 0; s && depth < MAX_SCOPES; depth++) {
		s = inner_scope(n, s, die_start(declaration));
		if (s)
			add_scope_name(n, &s->die, dwarf_diename(declaration), out, hops);
	}
}

static bool is_c(int language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 || language == DW_LANG_C11 ||
	       language == DW_LANG_Mips_Assembler;
}

static const char *linkage_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name && *name ? name : NULL;
}

static const char *make_name(struct function_names *n, Dwarf_Die *function, Dwarf_Die *declaration, int language)
{
	const char *name = linkage_name(function);
	struct str text = { 0 };

	if (!name) {
		if (!is_c(language))
			function_names_add_scopes(n, declaration, &text, 0);
		name = dwarf_diename(function);
		str_puts(&text, name && *name ? name : "[no name]");
		name = str_text(&text);
	}
	name = arena_strdup(n->texts, name, strlen(name));
	str_free(&text);
	return name;
}

/* The index of the name of the thing at key in memory, a declaration or a text.  NULL there: the name is not known
 * yet. */
static const char **function_names_key_name(struct function_names *n, const void *key)
{
	uint32_t *number = map_at(&n->by_key, (uintptr_t)key, 0);

	if (!*number) {
		n->names = xgrow(n->names, &n->cap, n->count + 1, sizeof(*n->names));
		n->names[n->count++] = NULL;
		*number = (uint32_t)n->count;
	}
	return &n->names[*number - 1];
}

const char *function_names_of(struct function_names *n, Dwarf_Die *function, int language)
{
	Dwarf_Die declaration = declaration_of(function);
	const char **name = function_names_key_name(n, declaration.addr);

	if (!*name)
		*name = make_name(n, function, &declaration, language);
	return *name;
}

const char *function_names_file(struct function_names *n, const char *directory, const char *name)
{
	const char **path = name ? function_names_key_name(n, name) : NULL;
	struct str text = { 0 };

	if (path && !*path) {
		if (*name != '/' && directory)
			str_addf(&text, "%s/", directory);
		str_puts(&text, name);
		*path = arena_strdup(n->texts, str_text(&text), text.len);
	}
	str_free(&text);
	return path ? *path : NULL;
}

void function_names_free(struct function_names *n)
{
	if (!n)
		return;
	map_free(&n->by_key);
	free(n->names);
	arena_free(&n->own);
	*n = (struct function_names){ 0 };
}
