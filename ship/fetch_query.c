#include <string.h>

#include "core/error.h"
#include "core/wallclock.h"
#include "ship/fetching.h"
#include "ship/sql.h"

void fetching_names(const struct fetching *g, struct str *query)
{
	sql_like(query, "host", g->store.host.len ? g->store.host.buf : g->f->host ? g->f->host : "");
	str_puts(query, " AND ");
	sql_like(query, "service", g->store.service.len ? g->store.service.buf : g->f->service ? g->f->service : "");
}

static enum fetch_place fetch_query_place_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		enum fetch_place place;
	} known[] = { { "host", OF_HOST }, { "service", OF_SERVICE }, { "cpu", OF_CPU }, { "event", OF_EVENT } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i].name) == len && !memcmp(name, known[i].name, len))
			return known[i].place;
	}
	return OF_LABELS;
}

static void fetch_query_add_roots(struct fetching *g, const char *at, bool at_leaf)
{
	for (size_t len; *at && g->root_count < FETCH_ROOTS_MAX; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		if (len == strlen("none") && !memcmp(at, "none", len))
			continue;
		g->roots[g->root_count].name = at;
		g->roots[g->root_count].len = len;
		g->roots[g->root_count].at_leaf = at_leaf;
		g->roots[g->root_count].place = fetch_query_place_of(at, len);
		g->needs[g->roots[g->root_count++].place] = true;
		g->has_leaves |= at_leaf;
	}
}

void fetching_roots(struct fetching *g)
{
	const struct fetch *f = g->f;

	fetch_query_add_roots(g, f->root ? f->root : "", false);
	fetch_query_add_roots(g, f->leaf ? f->leaf : "", true);
	g->needs[OF_LABELS] |= g->needs[OF_CPU] || f->waits || f->state || f->no_idle || g->chooses;
}

/* The first conditions are on columns of the primary key, so that the server skips most rows; the others are exact. */
static void fetch_query_add_conditions(const struct fetching *g, struct str *query)
{
	uint64_t from = g->from_ns / NS_PER_SEC, to = (g->to_ns - 1) / NS_PER_SEC;

	str_addf(query, "day BETWEEN toDate(%u) AND toDate(%u) AND ", (unsigned)(from / 86400), (unsigned)(to / 86400));
	if (g->event) {
		str_puts(query, "event = ");
		sql_quote(query, g->event, strlen(g->event));
		str_puts(query, " AND ");
	}
	fetching_names(g, query);
	if (!g->has_times && !g->f->timed)
		return; /* seconds and nanoseconds need not be read */
	str_addf(query, " AND intDiv(toUInt32(second), 3600) BETWEEN %llu AND %llu", (unsigned long long)from / 3600,
		 (unsigned long long)to / 3600);
	str_addf(query, " AND toUInt32(second) BETWEEN %llu AND %llu", (unsigned long long)from,
		 (unsigned long long)to);
	str_addf(query, " AND (toUInt32(second) > %llu OR ns >= %llu)", (unsigned long long)from,
		 (unsigned long long)(g->from_ns % NS_PER_SEC));
	str_addf(query, " AND (toUInt32(second) < %llu OR ns <= %llu)", (unsigned long long)to,
		 (unsigned long long)((g->to_ns - 1) % NS_PER_SEC));
}

/* The stack, or the labels, must contain one of the texts that were asked for: the reader of the lines checks the
 * rest. */
static void fetch_query_add_texts(const struct fetching *g, struct str *query)
{
	static const char *const tables[] = { "stack", "stacks", "labels", "labels" };
	unsigned from = (unsigned)(g->from_ns / NS_PER_SEC / 86400),
		 to = (unsigned)((g->to_ns - 1) / NS_PER_SEC / 86400);

	for (size_t i = 0; i < g->f->include.count; i++) {
		const char *text = g->f->include.items[i];

		str_puts(query, i ? " OR " : " AND (");
		str_puts(query, "position(host, ");
		sql_quote(query, text, strlen(text));
		str_puts(query, ") > 0 OR position(event, ");
		sql_quote(query, text, strlen(text));
		str_puts(query, ") > 0");
		for (size_t t = 0; t < 4; t += 2) {
			str_addf(query,
				 " OR %s GLOBAL IN (SELECT hash FROM %s WHERE day BETWEEN toDate(%u) AND toDate(%u) "
				 "AND position(frames, ",
				 tables[t], tables[t + 1], from, to);
			sql_quote(query, text, strlen(text));
			str_puts(query, ") > 0)");
		}
	}
	if (g->f->include.count)
		str_addc(query, ')');
}

/* A sum of one span is as long as its weight.  A part of a span counts where the span ends. */
static void add_lengths(const struct fetching *g, struct str *query)
{
	if (g->f->min_ns || g->f->max_ns)
		str_addf(query, " AND count <= 1 AND weight >= %llu", (unsigned long long)g->f->min_ns);
	if (g->f->max_ns)
		str_addf(query, " AND weight <= %llu", (unsigned long long)g->f->max_ns);
}

void fetching_conditions(const struct fetching *g, struct str *query)
{
	fetch_query_add_conditions(g, query);
	add_lengths(g, query);
	fetch_query_add_texts(g, query);
}

void fetching_sums_query(const struct fetching *g, struct str *query)
{
	str_puts(query, "SELECT count() FROM samples WHERE ");
	fetch_query_add_conditions(g, query);
	str_puts(query, " AND count > 1");
	fetch_query_add_texts(g, query);
}

static void add_keys(const struct fetching *g, struct str *query, bool named)
{
	const char *between = "";
	const struct {
		const char *text;
		bool needed;
	} keys[] = { { "event", g->needs[OF_EVENT] },     { "host", g->needs[OF_HOST] },
		     { "service", g->needs[OF_SERVICE] }, { "cpu", g->needs[OF_CPU] },
		     { "labels", g->needs[OF_LABELS] },   { "stack", !g->f->no_stack } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!keys[i].needed)
			continue;
		str_addf(query, "%s%s", between, keys[i].text);
		between = ", ";
	}
	if (!g->f->timed)
		return;
	str_addf(query, "%s", between);
	if (!named)
		str_puts(query, "moment");
	else if (g->f->resolution_ns && NS_PER_SEC % g->f->resolution_ns == 0) /* the same, in less time */
		str_addf(query, "toUInt64(toUInt32(second) * %llu + intDiv(ns, %llu)) * %llu AS moment",
			 (unsigned long long)(NS_PER_SEC / g->f->resolution_ns),
			 (unsigned long long)g->f->resolution_ns, (unsigned long long)g->f->resolution_ns);
	else if (g->f->resolution_ns)
		str_addf(query, "intDiv(toUInt64(toUInt32(second)) * 1000000000 + ns, %llu) * %llu AS moment",
			 (unsigned long long)g->f->resolution_ns, (unsigned long long)g->f->resolution_ns);
	else
		str_puts(query, "toUInt64(toUInt32(second)) * 1000000000 + ns AS moment");
}

static bool is_grouped(const struct fetching *g)
{
	return !g->f->timed || g->f->resolution_ns;
}

static const char *fetch_query_value_of(const char *name, size_t len, bool grouped)
{
	static const struct {
		const char *name, *single, *grouped;
	} known[] = {
		{ "samples", "toUInt64(1)", "count()" },  { "period", "weight", "sum(weight)" },
		{ "time", "weight", "sum(weight)" },      { "bytes", "weight", "sum(weight)" },
		{ "count", "count", "sum(count)" },       { "objects", "count", "sum(count)" },
		{ "longest", "longest", "max(longest)" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i].name) == len && !memcmp(known[i].name, name, len))
			return grouped ? known[i].grouped : known[i].single;
	}
	die_usage("a store has no column '%.*s', only samples period time count longest bytes objects", (int)len, name);
}

static void fetch_query_add_values(struct fetching *g, struct str *query)
{
	const char *at = str_text(&g->columns);

	g->values = 0;
	for (size_t len; *at && g->values < FETCH_VALUES_MAX; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		str_addf(query, "%s%s", query->len > strlen("SELECT ") ? ", " : "",
			 fetch_query_value_of(at, len, is_grouped(g)));
		g->values++;
	}
}

void fetching_query(struct fetching *g, struct str *query)
{
	size_t keys;

	str_puts(query, "SELECT ");
	add_keys(g, query, true);
	keys = query->len - strlen("SELECT ");
	fetch_query_add_values(g, query);
	str_puts(query, " FROM samples WHERE ");
	fetching_conditions(g, query);
	if (is_grouped(g) && keys) {
		str_puts(query, " GROUP BY ");
		add_keys(g, query, false);
	}
	str_puts(query, " FORMAT RowBinary");
}
