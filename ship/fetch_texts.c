#include "core/error.h"
#include "core/wallclock.h"
#include "ship/fetching.h"

/* This many bytes of rows wait for their stacks and labels: then only the texts that occur in them are requested.  If
 * there are more, all texts that the samples refer to are requested, which means a second pass over all samples. */
enum { WAITING_MAX = 32 << 20, ROW_BYTES = 40 };

static void change_stack(const void *style, const char *text, size_t len, struct str *out)
{
	frames_add(style, text, len, out);
}

static void add_days(const struct fetching *g, struct str *query)
{
	str_addf(query, "day BETWEEN toDate(%u) AND toDate(%u)", (unsigned)(g->from_ns / NS_PER_SEC / 86400),
		 (unsigned)((g->to_ns - 1) / NS_PER_SEC / 86400));
}

static int fetch_texts_tell(const struct fetching *g, enum store_outcome outcome)
{
	if (outcome == STORE_AWAY)
		error("%s: is away: %s", g->f->from, store_why(&g->store));
	return outcome == STORE_DONE ? 0 : -1;
}

/* ---- the texts of all samples ---- */

static int fetch_texts_load(struct fetching *g, const char *table, const char *column, struct hashed_texts *texts)
{
	struct str query = { 0 };
	enum store_outcome outcome;

	str_addf(&query, "SELECT hash, frames FROM %s WHERE ", table);
	add_days(g, &query);
	str_addf(&query, " AND hash GLOBAL IN (SELECT DISTINCT %s FROM samples WHERE ", column);
	fetching_conditions(g, &query);
	str_puts(&query, ") FORMAT RowBinary");
	outcome = store_query(&g->store, query.buf, "cannot read stacks", texts_take, texts);
	str_free(&query);
	return fetch_texts_tell(g, outcome);
}

static int load_all(struct fetching *g)
{
	g->has_texts = true;
	if (g->needs[OF_LABELS] && fetch_texts_load(g, "labels", "labels", &g->labels) < 0)
		return -1;
	return g->f->no_stack ? 0 : fetch_texts_load(g, "stacks", "stack", &g->stacks);
}

static bool take_rows(void *argument, const char *bytes, size_t len)
{
	struct fetching *g = argument;

	if (g->has_texts)
		return fetching_take(g, bytes, len);
	str_add(&g->rest, bytes, len);
	g->too_many = g->rest.len > WAITING_MAX;
	return !g->too_many;
}

/* Are there certainly too many rows to wait, one for each sample? */
static bool are_many(const struct fetching *g)
{
	double share = (double)(g->to_ns - g->from_ns) / (double)(g->last_ns - g->first_ns + 1);

	return g->f->timed && !g->f->resolution_ns &&
	       (double)g->samples * (share < 1 ? share : 1) > WAITING_MAX / ROW_BYTES;
}

/* ---- the texts of some rows ---- */

static enum store_outcome fetch_texts_ask(struct fetching *g, const char *table, bool early, struct hashed_texts *texts)
{
	struct str query = { 0 }, hashes = { 0 };
	enum store_outcome outcome = STORE_DONE;
	size_t count = texts_left(texts, &hashes);

	str_addf(&query, "SELECT hash, frames FROM %s WHERE ", table);
	add_days(g, &query);
	str_puts(&query, " AND hash GLOBAL IN wanted FORMAT RowBinary");
	str_clear(&texts->rest);
	texts->in_doubt = early;
	if (count)
		outcome = store_query_hashes(&g->store, query.buf, hashes.buf, count, early, "cannot read stacks",
					     texts_take, texts);
	str_free(&query);
	str_free(&hashes);
	return outcome;
}

/* Request texts: early, so that everything runs in parallel; and later those that did not come, because they are
 * missing or an error occurred.  column is that of the samples, for a user who may not send a table. */
static int ask_for(struct fetching *g, const char *table, const char *column, struct hashed_texts *texts)
{
	enum store_outcome outcome = fetch_texts_ask(g, table, true, texts);

	if (outcome != STORE_REFUSED && outcome != STORE_NO_TABLE)
		outcome = fetch_texts_ask(g, table, false, texts);
	if (outcome != STORE_NO_TABLE)
		return fetch_texts_tell(g, outcome);
	str_clear(&texts->rest);
	texts->in_doubt = false;
	return fetch_texts_load(g, table, column, texts);
}

static int ask_texts(struct fetching *g)
{
	g->labels.wanted_only = g->stacks.wanted_only = true;
	if (g->needs[OF_LABELS]) {
		fetching_want_labels(g);
		if (ask_for(g, "labels", "labels", &g->labels) < 0)
			return -1;
	}
	if (g->f->no_stack)
		return 0;
	fetching_want_stacks(g);
	return ask_for(g, "stacks", "stack", &g->stacks);
}

/* ---- all of it ---- */

/* Stacks need not be kept if each is one definition, and if those may come first: they may not if lines have times,
 * since the reader looks for the first one. */
static void fetch_texts_choose_way(struct fetching *g)
{
	if (g->f->timed || g->has_leaves) {
		g->stacks.change = change_stack;
		g->stacks.argument = &g->style;
	} else {
		g->stacks.came = fetching_stack_came;
		g->stacks.owner = g;
	}
}

/* Print the rows, with texts that are known, or requested after them.  Returns -1 after a message. */
static int fetch_texts_take_all(struct fetching *g, const char *query)
{
	enum store_outcome outcome = store_query(&g->store, query, "cannot read samples", take_rows, g);

	if (g->too_many) { /* that answer was not read to its end: a server does not wait long for its reader */
		str_clear(&g->rest);
		if (load_all(g) < 0)
			return -1;
		outcome = store_query(&g->store, query, "cannot read samples", take_rows, g);
	}
	if (fetch_texts_tell(g, outcome) < 0)
		return -1;
	if (!g->has_texts && ask_texts(g) < 0)
		return -1;
	fetching_take(g, "", 0);
	return g->rest.len ? error("%s: its answer ends in the midst of a row", g->f->from) : 0;
}

int fetching_rows(struct fetching *g, const char *query)
{
	fetch_texts_choose_way(g);
	g->has_texts = g->f->no_stack && !g->needs[OF_LABELS];
	if (!g->has_texts && are_many(g) && load_all(g) < 0)
		return -1;
	return fetch_texts_take_all(g, query);
}
