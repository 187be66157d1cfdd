#include "render/heat/heat_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/markup.h"
#include "core/memory.h"
#include "core/opts.h"

enum { NAMES_MAX = 3 };

#define UNSYNCHRONIZED UINT64_MAX

/* "1.28ms", "unsynchronized"; 0: neither. */
static uint64_t parse_within(const char *text, size_t len)
{
	char copy[32];
	uint64_t ns;

	snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
	if (!strcmp(copy, FOLDED_UNSYNCHRONIZED))
		return UNSYNCHRONIZED;
	return parse_duration(copy, &ns) ? ns : 0;
}

/* Looks up a host in a list such as "db1 1.28ms, db2 unsynchronized"; 0: the host is not in the list. */
static uint64_t find_in_list(const char *list, const char *host)
{
	size_t n = strlen(host);

	while (*list) {
		size_t len = strcspn(list, ",");

		if (len > n && !memcmp(list, host, n) && list[n] == ' ')
			return parse_within(list + n + 1, len - n - 1);
		list += len;
		list += strspn(list, ", ");
	}
	return 0;
}

/* The maximum error of the host's clock, in ns; 0: unknown. */
static uint64_t within(const struct heat *h, const char *host)
{
	uint64_t worst = 0;

	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];
		const char *own = source_get(&r->source, FOLDED_CLOCK_WITHIN);
		const char *list = source_get(&r->source, FOLDED_CLOCK_HOSTS);
		uint64_t ns = list                            ? find_in_list(list, host)
			      : own && !strcmp(r->host, host) ? parse_within(own, strlen(own))
							      : 0;

		worst = ns > worst ? ns : worst;
	}
	return worst;
}

/* The length of a row; if rows are not times, of a column. */
static uint64_t width_ns(const struct heat_axes *a)
{
	return a->y == HEAT_Y_OFFSET ? a->period_ns / a->rows : a->period_ns * a->per_column;
}

static const char *heat_clocks_name_of(const struct heat *h, const struct heat_dimension *hosts, size_t key)
{
	return intern_text(&h->names, hosts->keys[key].name);
}

uint8_t *heat_clock_doubts(const struct heat *h, const struct heat_axes *a, const uint8_t *chosen)
{
	const struct heat_dimension *hosts = heat_dimension_find(h, "host");
	uint8_t *doubtful, *stacks;
	bool any = false;

	if (!hosts || hosts->key_count < 2)
		return NULL;
	doubtful = xcalloc(hosts->key_count, 1);
	stacks = xcalloc(h->stack_count + 1, 1);
	for (size_t i = 0; i < hosts->key_count; i++)
		doubtful[i] = within(h, heat_clocks_name_of(h, hosts, i)) > width_ns(a);
	for (size_t i = 0; i < h->stack_count; i++) {
		stacks[i] = hosts->key_of[i] != HEAT_NONE && doubtful[hosts->key_of[i]] && (!chosen || chosen[i]);
		any |= stacks[i];
	}
	free(doubtful);
	if (any)
		return stacks;
	free(stacks);
	return NULL;
}

void heat_clock_words(const struct heat *h, const struct heat_axes *a, struct str *out)
{
	const struct heat_dimension *hosts = heat_dimension_find(h, "host");
	size_t count = 0;

	for (size_t i = 0; hosts && hosts->key_count > 1 && i < hosts->key_count; i++) {
		uint64_t ns = within(h, heat_clocks_name_of(h, hosts, i));

		if (ns <= width_ns(a) || count++ >= NAMES_MAX)
			continue;
		if (count == 1)
			str_addf(out, "clock off by more than a %s: ", a->y == HEAT_Y_OFFSET ? "row" : "column");
		str_addf(out, "%s%s", count > 1 ? ", " : "", heat_clocks_name_of(h, hosts, i));
		if (ns == UNSYNCHRONIZED) {
			str_puts(out, " unsynchronized");
		} else {
			str_puts(out, " \xc2\xb1");
			heat_span_add(out, ns);
		}
	}
	if (count > NAMES_MAX)
		str_addf(out, " and %zu more", count - NAMES_MAX);
}

void heat_clocks_json(const struct heat *h, struct str *out)
{
	const struct heat_dimension *hosts = heat_dimension_find(h, "host");
	const char *between = ",\"clocks\":[";

	for (size_t i = 0; hosts && hosts->key_count > 1 && i < hosts->key_count; i++) {
		uint64_t ns = within(h, heat_clocks_name_of(h, hosts, i));

		if (!ns)
			continue;
		str_addf(out, "%s[", between);
		json_puts(out, heat_clocks_name_of(h, hosts, i));
		if (ns == UNSYNCHRONIZED)
			str_puts(out, ",-1]");
		else
			str_addf(out, ",%llu]", (unsigned long long)ns);
		between = ",";
	}
	if (!strcmp(between, ","))
		str_addc(out, ']');
}
