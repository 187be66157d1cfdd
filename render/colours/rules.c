#include "render/colours/rules.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/memory.h"
#include "render/colours/module.h"
#include "render/colours/palette.h"

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
