#include "ship/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/outfile.h"
#include "core/regexp.h"
#include "core/wallclock.h"
#include "ship/fetching.h"

/* ---- which event, when ---- */

static const char *asked_event(const struct fetching *g)
{
	const struct text_list *events = g->f->events;

	return g->store.event.len ? g->store.event.buf : events->count ? events->items[events->count - 1] : NULL;
}

static void use_event(struct fetching *g, char *fields[])
{
	str_puts(&g->chosen, fields[0]);
	str_puts(&g->columns, fields[3]);
	str_puts(&g->unit, fields[4]);
	g->event = g->chosen.buf;
}

static void fetch_extend(struct fetching *g, char *fields[])
{
	uint64_t first = strtoull(fields[1], NULL, 10), last = strtoull(fields[2], NULL, 10);

	g->first_ns = !g->last_ns || first < g->first_ns ? first : g->first_ns;
	g->last_ns = last > g->last_ns ? last : g->last_ns;
	g->samples += strtoull(fields[5], NULL, 10);
}

static bool has_spans(const char *columns)
{
	return text_begins(columns, strlen(columns), "time");
}

/* Go through lines "event first last columns unit samples".  The event that was recorded first comes first: take that
 * one, unless an event was asked for. */
static int fetch_read_events(struct fetching *g, char *lines)
{
	const char *asked = asked_event(g);
	bool all = asked && !strcmp(asked, "all");
	struct str others = { 0 };

	for (char *next; *lines; lines = next) {
		char *fields[6];

		next = lines + strcspn(lines, "\n");
		if (*next)
			*next++ = '\0';
		if (fetching_split(lines, fields, 6) != 6 || (g->f->sampled && !asked && has_spans(fields[3])))
			continue;
		if (all || (asked ? !strcmp(asked, fields[0]) : !g->event)) {
			fetch_extend(g, fields);
			if (!all)
				use_event(g, fields);
		} else if (!asked) {
			str_addf(&others, "%s%s", others.len ? ", " : "", fields[0]);
		}
	}
	if (others.len)
		inform("using event %s; also available: %s (--event NAME, or all)", g->chosen.buf, others.buf);
	str_free(&others);
	if (all) {
		g->event = NULL;
		str_puts(&g->columns, "samples");
		str_puts(&g->unit, "samples");
	}
	if (g->last_ns && (g->f->min_ns || g->f->max_ns) && !has_spans(str_text(&g->columns)))
		return error("%s: --min and --max are about spans of time, which event %s does not have", g->f->from,
			     all ? "all" : g->event);
	return g->last_ns      ? 0
	       : asked && !all ? error("%s: has no event '%s' of the hosts and services asked for", g->f->from, asked)
			       : error("%s: has no samples of the hosts and services asked for", g->f->from);
}

static int fetch_choose_event(struct fetching *g)
{
	struct str query = { 0 };
	enum store_outcome outcome;
	int status = -1;

	str_puts(&query,
		 "SELECT event, min(first), max(last), any(columns), any(unit), sum(samples) FROM batches WHERE ");
	fetching_names(g, &query);
	str_puts(&query, " GROUP BY event ORDER BY min(number), event FORMAT TabSeparated");
	outcome = store_query(&g->store, query.buf, "cannot look for events", NULL, NULL);
	if (outcome == STORE_DONE && !g->store.answer.text.len)
		error("%s: has no samples of the hosts and services asked for", g->f->from);
	else if (outcome == STORE_DONE)
		status = fetch_read_events(g, g->store.answer.text.buf);
	else if (outcome == STORE_AWAY)
		error("%s: is away: %s", g->f->from, store_why(&g->store));
	str_free(&query);
	return status;
}

static uint64_t fetch_time_of(const struct fetching *g, const struct str *own, const char *given, const char *option,
			      uint64_t otherwise)
{
	const char *text = own->len ? own->buf : given;
	struct instant when;

	if (!text)
		return otherwise;
	if (!instant_parse(text, &when))
		die_usage("%s: '%s' is not a time; try 2026-11-21T10:15:02Z, +2.5s or -10s", option, text);
	return instant_resolve(&when, g->first_ns, g->last_ns);
}

static void fetch_choose_times(struct fetching *g)
{
	g->from_ns = fetch_time_of(g, &g->store.from, g->f->since, "--from", g->first_ns);
	g->has_times = g->store.from.len || g->store.to.len || g->f->since || g->f->until;
	g->to_ns = fetch_time_of(g, &g->store.to, g->f->until, "--to", g->last_ns + 1);
}

/* ---- all of it ---- */

static void fetch_choose_columns(struct fetching *g)
{
	if (g->f->columns) {
		str_clear(&g->columns);
		str_puts(&g->columns, g->f->columns);
	} else { /* the first one */
		g->columns.len = strcspn(g->columns.buf, ",");
		g->columns.buf[g->columns.len] = '\0';
	}
}

/* Samples that --min and --max leave out because their length is unknown. */
static void tell_of_sums(struct fetching *g)
{
	struct str query = { 0 };

	if (!g->f->min_ns && !g->f->max_ns)
		return;
	fetching_sums_query(g, &query);
	if (store_query(&g->store, query.buf, "cannot count sums", NULL, NULL) == STORE_DONE &&
	    strtoull(str_text(&g->store.answer.text), NULL, 10))
		warn("%s: %.*s samples are sums of several spans, which --min and --max leave out (watch --outlier)",
		     g->f->from, (int)strcspn(g->store.answer.text.buf, "\n"), g->store.answer.text.buf);
	str_free(&query);
}

static int fetch(struct fetching *g)
{
	struct str query = { 0 };
	int status;

	if (fetch_choose_event(g) < 0)
		return -1;
	if (g->f->which) {
		printf("%s\n", g->event ? g->event : "all");
		return flush_stdout();
	}
	fetch_choose_times(g);
	fetch_choose_columns(g);
	if (g->from_ns >= g->to_ns)
		return error("%s: has no samples between --from and --to", g->f->from);
	if (fetching_header(g) < 0)
		return -1;
	fetching_query(g, &query);
	status = fetching_rows(g, query.buf);
	str_free(&query);
	fetching_flush(g);
	if (status < 0)
		return -1;
	tell_of_sums(g);
	if (g->missing)
		warn("%s: %llu rows lack their stack or labels", g->f->from, (unsigned long long)g->missing);
	return g->rows ? flush_stdout() : error("%s: has no such samples", g->f->from);
}

static void compile_patterns(struct fetching *g)
{
	static const char *const names[FETCH_OWNERS] = {
		[FETCH_CONTAINER] = "--container", [FETCH_POD] = "--pod",       [FETCH_NAMESPACE] = "--namespace",
		[FETCH_UNIT] = "--systemd-unit",   [FETCH_CGROUP] = "--cgroup",
	};

	g->chooses = g->f->threads;
	if (g->f->threads)
		g->threads = regexp_compile(g->f->threads, "--threads");
	for (size_t i = 0; i < FETCH_OWNERS; i++) {
		if (!g->f->owners[i])
			continue;
		g->owners[i] = regexp_compile(g->f->owners[i], names[i]);
		g->chooses = true;
	}
}

int fetch_run(const struct fetch *f, const struct http_access *access)
{
	struct fetching g = { .f = f, .style = { f->kernel, f->jit, f->no_inlined, f->no_wakers } };
	int status = -1;

	compile_patterns(&g);
	fetching_roots(&g);
	store_parse(&g.store, f->from);
	if (!store_open(&g.store, access)) {
		enum store_outcome outcome = store_check(&g.store);

		if (outcome == STORE_AWAY)
			error("%s: is away: %s", f->from, store_why(&g.store));
		else if (outcome == STORE_DONE)
			status = fetch(&g);
	}
	texts_free(&g.stacks);
	texts_free(&g.labels);
	str_free(&g.chosen);
	str_free(&g.columns);
	str_free(&g.unit);
	intern_free(&g.defined);
	intern_free(&g.leafed);
	regexp_free(g.threads);
	for (size_t i = 0; i < FETCH_OWNERS; i++)
		regexp_free(g.owners[i]);
	free(g.labels_wanted);
	str_free(&g.value);
	str_free(&g.leaf);
	str_free(&g.rest);
	str_free(&g.line);
	str_free(&g.text);
	store_free(&g.store);
	return status;
}
