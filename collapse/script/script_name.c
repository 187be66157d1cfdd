#include "collapse/script/script_name.h"

#include <string.h>

#include "collapse/fold/tier.h"
#include "collapse/parse/function_name.h"
#include "collapse/fold/java_name.h"
#include "core/decimal.h"
#include "core/symbols/names/name_simplify.h"

/* --- names -------------------------------------------------------------------------------- */

static void add_elf_name(struct str *out, struct str *scratch, const char *name, size_t len,
			 const struct name_style *style)
{
	struct text_span plain = function_name_without_version((struct text_span){ name, len });
	struct str whole = { 0 };

	str_clear(scratch);
	str_add(scratch, plain.text, plain.len);
	if (plain.len && name[0] == '_') {
		demangle_symbol(&whole, str_text(scratch), style->demangle);
		plain = (struct text_span){ str_text(&whole), whole.len };
	}
	if (style->demangle == DEMANGLE_SIMPLE)
		plain = function_name_clean(plain, scratch);
	str_add(out, plain.text, plain.len);
	str_free(&whole);
}

static const struct module jit = { .kind = MODULE_JIT, .path = "/tmp/perf-1.map" };

static enum text_kind add_jit_name(struct str *out, struct str *scratch, const char *name, size_t len,
				   const struct name_style *style)
{
	struct str plain = { 0 };
	enum text_kind kind = TEXT_JIT;
	struct text_span clean;
	struct tier tier;

	str_clear(scratch);
	str_add(scratch, name, len);
	tier = tier_of(&jit, scratch->buf, style->jit, style->marks);
	str_add(&plain, scratch->buf, tier.head);
	str_add(&plain, scratch->buf + tier.tail, tier.len - tier.tail);
	clean = (struct text_span){ str_text(&plain), plain.len };
	if (style->demangle == DEMANGLE_SIMPLE)
		clean = function_name_clean(clean, scratch);
	else if (java_name_add(out, clean))
		clean.len = 0;
	str_add(out, clean.text, clean.len);
	if (!strcmp(tier.annotation, "_[0]"))
		kind = TEXT_INTERPRETED;
	else if (!strcmp(tier.annotation, "_[1]"))
		kind = TEXT_QUICK;
	str_free(&plain);
	return kind;
}

enum text_kind script_name_add(struct str *out, struct str *scratch, const char *name, size_t len, enum text_kind kind,
			       const struct name_style *style)
{
	struct str whole = { 0 };

	if (style->demangle == DEMANGLE_NO || !len || memchr(name, '\0', len))
		str_add(&whole, name, len);
	else if (kind == TEXT_JIT)
		kind = add_jit_name(&whole, scratch, name, len, style);
	else if (kind == TEXT_KERNEL)
		str_add(&whole, name, len);
	else
		add_elf_name(&whole, scratch, name, len, style);
	if (style->strip_templates)
		name_strip_templates(str_text(&whole), whole.len, out);
	else
		str_add(out, str_text(&whole), whole.len);
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
