#include "collapse/script/script_name.h"

#include <string.h>

#include "collapse/fold/tier.h"
#include "core/decimal.h"
#include "core/symbols/names/name_simplify.h"

/* --- parameters ------------------------------------------------------------------------ */

static const char operator_word[] = "operator", anonymous[] = "(anonymous namespace)";

static bool is_word_char(char c)
{
	return c == '_' || c == '$' || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
}

/* How long "operator->", "operator()", "operator<<" is at name[at]; 0: it is something else. */
static size_t operator_len(const char *name, size_t len, size_t at)
{
	size_t end = at + strlen(operator_word);

	if (!text_begins(name + at, len - at, operator_word) || (at && is_word_char(name[at - 1])) || end == len ||
	    is_word_char(name[end]) || name[end] == ' ')
		return 0;
	if (len - end >= 2 && (!memcmp(name + end, "()", 2) || !memcmp(name + end, "[]", 2)))
		return end + 2 - at;
	while (end < len && strchr("<>-=+*/%&|^!~,", name[end]) && name[end])
		end++;
	/* "operator<<int>": a list of arguments begins with the last "<" */
	if (name[end - 1] == '<' && end - at > strlen(operator_word) + 1 && end < len && name[end] != '(' &&
	    name[end] != ' ')
		end--;
	return end - at;
}

/* Parameters begin with "(" outside of other brackets; but "main.(*T).f" is Go, and "(anonymous namespace)::f" and
 * "operator()" are C++. */
size_t script_name_without_parameters(const char *name, size_t len)
{
	size_t depth = 0, n;

	for (size_t i = 0; i < len; i++) {
		switch (name[i]) {
		case 'o':
			n = operator_len(name, len, i);
			i += n ? n - 1 : 0;
			break;
		case '<':
		case '{':
		case '[': depth++; break;
		case '>':
			if (i && name[i - 1] == '-') /* Rust: fn() -> T */
				break;
			/* fall through */
		case '}':
		case ']':
		case ')': depth -= depth > 0; break;
		case '(':
			if (!depth && i && name[i - 1] != '.' && name[i - 1] != ' ' &&
			    !text_begins(name + i, len - i, anonymous))
				return i;
			depth++;
			break;
		default: break;
		}
	}
	return len;
}

/* --- names -------------------------------------------------------------------------------- */

static void add_elf_name(struct str *out, struct str *scratch, const char *name, size_t len,
			 const struct name_style *style)
{
	size_t before = out->len;

	str_clear(scratch);
	str_add(scratch, name, len);
	demangle_symbol(out, scratch->buf, style->demangle);
	if (style->demangle == DEMANGLE_SIMPLE)
		out->len = before + script_name_without_parameters(out->buf + before, out->len - before);
	out->buf[out->len] = '\0';
}

static const struct module jit = { .kind = MODULE_JIT, .path = "/tmp/perf-1.map" };

static enum text_kind add_jit_name(struct str *out, struct str *scratch, const char *name, size_t len,
				   const struct name_style *style)
{
	struct str plain = { 0 };
	enum text_kind kind = TEXT_JIT;
	struct tier tier;

	str_clear(scratch);
	str_add(scratch, name, len);
	tier = tier_of(&jit, scratch->buf, style->jit, style->marks);
	str_add(&plain, scratch->buf, tier.head);
	str_add(&plain, scratch->buf + tier.tail, tier.len - tier.tail);
	names_add_jit_symbol(str_text(&plain), out);
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

size_t script_name_inlined_at(const char *name, size_t len)
{
	for (const char *at = name + 1, *end = name + len; at + 2 < end; at++) {
		at = memmem(at, (size_t)(end - at), "->", 2);
		if (!at || at + 2 == end)
			break;
		if (at[-1] != ' ' && at[2] != ' ')
			return (size_t)(at - name);
	}
	return len;
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
