#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "ship/fetching.h"
#include "ship/header.h"
#include "ship/sql.h"

enum { CLOCKS_MAX = 1000 };

size_t fetching_split(char *line, char *fields[], size_t most)
{
	size_t count = 0;

	for (char *at = line, *to = line; at && count < most; count++) {
		fields[count] = to;
		for (; *at && *at != '\t'; at++) {
			if (*at == '\\' && at[1])
				at++;
			*to++ = *at;
		}
		at = *at ? at + 1 : NULL;
		*to++ = '\0';
	}
	return count;
}

static void fetch_header_add(const char *key, const char *value)
{
	struct str pair = { 0 };

	pair_add(&pair, key, value);
	fputs(pair.buf, stdout);
	str_free(&pair);
}

static void fetch_header_add_time(const char *key, uint64_t ns)
{
	struct str pair = { 0 };

	pair_add_time(&pair, key, ns);
	fputs(pair.buf, stdout);
	str_free(&pair);
}

/* Lines "hosts<TAB>a host<TAB>lost<TAB>seen<TAB>a header<TAB>with spans<TAB>recordings". */
static int ask_origin(struct fetching *g, struct str *answer)
{
	struct str query = { 0 };
	enum store_outcome outcome;

	str_puts(&query, "SELECT uniqExact(host), any(host), sum(l), sum(s), any(h), sum(position(h, ' spans=start') > "
			 "0), count() FROM"
			 " (SELECT recording, event, host, max(lost) AS l, max(seen) AS s, any(header) AS h FROM "
			 "batches WHERE ");
	if (g->event) {
		str_puts(&query, "event = ");
		sql_quote(&query, g->event, strlen(g->event));
		str_puts(&query, " AND ");
	}
	fetching_names(g, &query);
	str_addf(&query, " AND last >= %llu AND first < %llu GROUP BY recording, event, host) FORMAT TabSeparated",
		 (unsigned long long)g->from_ns, (unsigned long long)g->to_ns);
	outcome = store_query(&g->store, query.buf, "cannot read what was lost", NULL, NULL);
	str_puts(answer, str_text(&g->store.answer.text));
	str_free(&query);
	return outcome == STORE_DONE ? 0 : -1;
}

/* From lines "host<TAB>a header" of recordings with a state of the clock: "db1 1.28ms, db2 unsynchronized". */
static void fetch_header_add_clocks(const char *lines, struct str *out)
{
	struct str copy = { 0 }, within = { 0 };
	const char *end;

	for (; *lines; lines = *end ? end + 1 : end) {
		char *fields[2] = { 0 };

		end = lines + strcspn(lines, "\n");
		str_clear(&copy);
		str_clear(&within);
		str_add(&copy, lines, (size_t)(end - lines));
		if (!copy.len || fetching_split(copy.buf, fields, 2) != 2 ||
		    !header_value(fields[1], FOLDED_CLOCK_WITHIN, &within))
			continue;
		for (char *p = fields[0]; *p; p++)
			*p = *p == ',' ? ' ' : *p;
		str_addf(out, "%s%s %s", out->len ? ", " : "", fields[0], within.buf);
	}
	str_free(&copy);
	str_free(&within);
}

/* How exact the clocks of several hosts are, by the last recording of each. */
static int ask_clocks(struct fetching *g, struct str *out)
{
	struct str query = { 0 };
	enum store_outcome outcome;

	str_puts(&query, "SELECT host, argMax(header, last) FROM batches WHERE position(header, ' " FOLDED_CLOCK_WITHIN
			 "=') > 0 AND ");
	fetching_names(g, &query);
	str_addf(&query, " AND last >= %llu AND first < %llu GROUP BY host ORDER BY host LIMIT %d FORMAT TabSeparated",
		 (unsigned long long)g->from_ns, (unsigned long long)g->to_ns, CLOCKS_MAX);
	outcome = store_query(&g->store, query.buf, "cannot read how right clocks are", NULL, NULL);
	if (outcome == STORE_DONE)
		fetch_header_add_clocks(str_text(&g->store.answer.text), out);
	str_free(&query);
	return outcome == STORE_DONE ? 0 : -1;
}

static const char *fetch_header_unit_of(const struct fetching *g)
{
	const char *columns = g->columns.buf;

	if (text_begins(columns, g->columns.len, "samples"))
		return "samples";
	if (text_begins(columns, g->columns.len, "longest"))
		return "ns";
	if (text_begins(columns, g->columns.len, "count"))
		return "spans";
	return text_begins(columns, g->columns.len, "objects") ? "objects" : str_text(&g->unit);
}

int fetching_header(struct fetching *g)
{
	struct str answer = { 0 }, rate = { 0 }, clocks = { 0 };
	char *fields[7] = { 0 };

	if (ask_origin(g, &answer) < 0 || ask_clocks(g, &clocks) < 0)
		return -1;
	answer.buf[answer.len ? answer.len - 1 : 0] = '\0';
	if (fetching_split(answer.buf, fields, 7) == 7) {
		fputs(FOLDED_HEADER, stdout);
		if (!strcmp(fields[0], "1"))
			fetch_header_add(FOLDED_HOST, fields[1]);
		else
			printf(FOLDED_HOST "=\"%s hosts\" ", fields[0]);
		fetch_header_add(FOLDED_EVENT, g->event ? g->event : "all");
		if (header_value(fields[4], FOLDED_RATE, &rate))
			fetch_header_add(FOLDED_RATE, rate.buf);
		if (clocks.len && strcmp(fields[0], "1") != 0)
			fetch_header_add(FOLDED_CLOCK_HOSTS, clocks.buf);
		fetch_header_add_time(FOLDED_FROM, g->from_ns);
		fetch_header_add_time(FOLDED_TO, g->to_ns);
		fetch_header_add(FOLDED_ROOT, g->root_count ? g->f->root : "none");
		if (strcmp(fields[3], "0") != 0)
			printf(FOLDED_LOST "=%s/%s ", fields[2], fields[3]);
		if (g->f->timed && !g->f->resolution_ns && !strcmp(fields[5], fields[6]))
			printf(FOLDED_SPANS "=start ");
		if (strchr(g->columns.buf, ','))
			fetch_header_add(FOLDED_COLUMNS, g->columns.buf);
		printf(FOLDED_UNIT "=%s\n", fetch_header_unit_of(g));
	}
	str_free(&answer);
	str_free(&rate);
	str_free(&clocks);
	return 0;
}
