#include "collapse/script/script_name.h"

#include <string.h>

#include "collapse/frames/tier.h"
#include "collapse/parse/function_name.h"
#include "collapse/frames/java_name.h"
#include "core/decimal.h"
#include "core/symbols/names/name_simplify.h"

/* --- names -------------------------------------------------------------------------------- */

/* The name of a symbol as people wrote it: in place, or in whole or scratch. */
static struct text_span script_name_of_symbol(struct text_span name, struct str *whole, struct str *scratch,
					      const struct name_style *style)
{
	name = function_name_without_version(name);
	if (name.len && name.text[0] == '_') {
		str_clear(scratch);
		str_add(scratch, name.text, name.len);
		demangle_symbol(whole, str_text(scratch), style->demangle);
		str_trim(scratch);
		name = (struct text_span){ str_text(whole), whole->len };
	}
	return style->demangle == DEMANGLE_SIMPLE ? function_name_clean(name, scratch) : name;
}

static const struct module jit = { .kind = MODULE_JIT, .path = "/tmp/perf-1.map" };

/* The same of a function of a JIT compiler, without its tier; sets the kind by that. */
static struct text_span script_name_of_jit(struct text_span name, struct str *whole, struct str *scratch,
					   enum text_kind *kind, const struct name_style *style)
{
	struct tier tier = tier_of(&jit, name.text, name.len, style->jit, style->marks);

	if (tier.head < tier.tail) {
		str_add(whole, name.text, tier.head);
		str_add(whole, name.text + tier.tail, tier.len - tier.tail);
		name = (struct text_span){ str_text(whole), whole->len };
	}
	if (!strcmp(tier.annotation, "_[0]"))
		*kind = TEXT_INTERPRETED;
	else if (!strcmp(tier.annotation, "_[1]"))
		*kind = TEXT_QUICK;
	if (style->demangle == DEMANGLE_SIMPLE)
		return function_name_clean(name, scratch);
	str_clear(scratch);
	return java_name_add(scratch, name) ? (struct text_span){ str_text(scratch), scratch->len } : name;
}

enum text_kind script_name_add(struct str *out, struct str *scratch, const char *name, size_t len, enum text_kind kind,
			       const struct name_style *style)
{
	struct str whole = { 0 };
	struct text_span plain = { name, len };
	bool as_it_is = style->demangle == DEMANGLE_NO || !len || kind == TEXT_KERNEL || memchr(name, '\0', len);

	if (!as_it_is && kind == TEXT_JIT)
		plain = script_name_of_jit(plain, &whole, scratch, &kind, style);
	else if (!as_it_is)
		plain = script_name_of_symbol(plain, &whole, scratch, style);
	if (style->strip_templates)
		name_strip_templates(plain.text, plain.len, out);
	else
		str_add(out, plain.text, plain.len);
	str_free(&whole);
	return kind;
}

void script_name_add_line(struct str *out, const char *line, size_t len)
{
	const char *end = line + len, *slash, *colon, *stop;

	while (line < end && *line == ' ')
		line++;
	stop = memmem(line, (size_t)(end - line), " (discriminator", strlen(" (discriminator"));
	stop = stop ? stop : end;
	colon = stop > line ? memrchr(line, ':', (size_t)(stop - line)) : NULL;
	if (!colon || colon == line || colon + 1 == stop || !is_digit(colon[1]) || text_begins(line, len, "??"))
		return;
	slash = memrchr(line, '/', (size_t)(colon - line));
	line = slash ? slash + 1 : line;
	str_addc(out, ':');
	str_add(out, line, (size_t)((colon[1] == '0' ? colon : stop) - line));
}
