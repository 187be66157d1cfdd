#include "web/run_owners.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/intern.h"
#include "core/markup.h"

static const struct {
	enum fact fact;
	const char *key;
} owner_facets[] = {
	{ FACT_PODS, "pod" },
	{ FACT_CONTAINERS, "container" },
	{ FACT_UNITS, "unit" },
};

enum { OWNERS_MAX = 100 }; /* names of a kind on the page, since forged pictures may have many */

/* "7 more" */
static bool run_owners_is_more(const char *name, size_t len)
{
	size_t digits = strspn(name, "0123456789"), n = strlen(FOLDED_OWNERS_MORE);

	return digits && len == digits + n && !memcmp(name + digits, FOLDED_OWNERS_MORE, n);
}

/* "prod/shop-7f9c, prod/db-0, 7 more"; returns whether there are more. */
static bool run_owners_take(struct intern *names, const char *list)
{
	size_t gap = strlen(FOLDED_OWNERS_BETWEEN);
	bool more = false;

	for (const char *end; list && *list; list = end ? end + gap : NULL) {
		size_t len;

		end = strstr(list, FOLDED_OWNERS_BETWEEN);
		len = end ? (size_t)(end - list) : strlen(list);
		if (run_owners_is_more(list, len) || names->count == OWNERS_MAX)
			more = true;
		else if (len)
			intern_add(names, list, len);
	}
	return more;
}

static void run_owners_add_facet(struct str *out, const struct web_capture *c, enum fact fact, const char *key)
{
	struct intern names = { 0 };
	bool more = false;

	for (size_t i = 0; i < c->count; i++)
		more |= run_owners_take(&names, c->members[i].picture->about.facts[fact]);
	if (more)
		intern_add(&names, "[others]", strlen("[others]"));
	for (uint32_t i = 0; i < names.count; i++) {
		if (!i)
			str_addf(out, ",\"%s\":[", key);
		else
			str_addc(out, ',');
		json_add(out, intern_text(&names, i), intern_len(&names, i));
	}
	str_puts(out, names.count ? "]" : "");
	intern_free(&names);
}

void run_owners_add(struct str *out, const struct web_capture *c)
{
	for (size_t i = 0; i < sizeof(owner_facets) / sizeof(*owner_facets); i++)
		run_owners_add_facet(out, c, owner_facets[i].fact, owner_facets[i].key);
}
