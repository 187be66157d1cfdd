#include "render/colours/rules.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/memory.h"
#include "render/colours/palette.h"
#include "render/profile/frame.h"

static const char MODULE[] = "module:";

/* Cut text at the first tab; returns the text after it, or NULL. */
static char *cut_field(char *text)
{
	char *tab = strchr(text, '\t');

	if (!tab)
		return NULL;
	*tab++ = '\0';
	return tab + strspn(tab, "\t"); /* several tabs may align the columns */
}

/* where: "rules.txt:12", for messages. */
static void colours_rules_add_rule(struct colour_rules *r, char *line, const char *where)
{
	char *colour = cut_field(line), *label = colour ? cut_field(colour) : NULL;
	struct rule rule = { 0 };

	if (!colour || !*line)
		die_usage("%s: expected a regular expression or module:NAME, a tab and a colour", where);
	rule.hue = hue_find(colour);
	if (!rule.hue && !parse_colour(colour, &rule.rgb))
		die_usage("%s: '%s' is not a colour: #rrggbb, red, green, blue, yellow, purple, aqua, "
			  "orange, vermilion, bluish-green, sky, lemon, amber, mauve, silver",
			  where, colour);
	if (strncmp(line, MODULE, strlen(MODULE)))
		rule.pattern = regexp_compile(line, where);
	else
		rule.module = xstrdup(line + strlen(MODULE));
	if (label && *label)
		rule.label = xstrdup(label);
	r->items = xgrow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
	r->items[r->count++] = rule;
}

static void colours_rules_take_line(void *rules, char *line, const char *where)
{
	if (*line != '#')
		colours_rules_add_rule(rules, line, where);
}

int rules_read(struct colour_rules *r, const char *path)
{
	return lines_each(path, colours_rules_take_line, r);
}

const struct rule *rules_find(const struct colour_rules *r, const char *name, size_t len)
{
	const char *module;
	size_t module_len = module_of(name, len, &module);

	for (size_t i = 0; i < r->count; i++) {
		const struct rule *rule = &r->items[i];

		if (rule->pattern ? regexp_match(rule->pattern, name, len)
				  : strlen(rule->module) == module_len && !memcmp(rule->module, module, module_len))
			return rule;
	}
	return NULL;
}

bool rules_colour(const struct colour_rules *r, const char *name, size_t len, double v, uint32_t *rgb)
{
	const struct rule *rule = rules_find(r, name, len);

	if (!rule)
		return false;
	*rgb = rule->hue ? rule->hue(v) : rule->rgb;
	return true;
}

uint32_t rule_swatch(const struct rule *rule)
{
	return rule->hue ? rule->hue(0.5) : rule->rgb;
}

void rules_free(struct colour_rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++) {
		regexp_free(r->items[i].pattern);
		free(r->items[i].module);
		free(r->items[i].label);
	}
	free(r->items);
	*r = (struct colour_rules){ 0 };
}

/* ---- modules ---- */

/* The end of the path in a name: at "::", '(', '<', ' ' or ':'. */
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
