#include "ship/deliver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/wallclock.h"
#include "ship/definitions.h"
#include "ship/sql.h"

enum { RUNNING_S = 30 }; /* how long an insert that another program began earlier may still take */

static void deliver_add_id(struct str *out, const unsigned char id[SIP_BYTES])
{
	str_puts(out, "pyrograph-");
	for (int i = 0; i < SIP_BYTES; i++)
		str_addf(out, "%02x", id[i]);
}

static enum store_outcome ask_count(struct store *s, const char *query, uint64_t numbers[2])
{
	enum store_outcome outcome = store_query(s, query, "cannot look for a batch", NULL, NULL);
	unsigned long long a = 0, b = 0;

	if (outcome == STORE_DONE && sscanf(str_text(&s->answer.text), "%llu\t%llu", &a, &b) < 1)
		outcome = STORE_AWAY;
	numbers[0] = a;
	numbers[1] = b;
	return outcome;
}

/* An insert of a program that was killed may go on in the server: until it has ended, it is not known whether the batch
 * is there. */
static enum store_outcome wait_until_it_ended(struct store *s, const char *id)
{
	enum store_outcome outcome;
	struct str query = { 0 };
	uint64_t running[2] = { 0 };

	str_addf(&query, "SELECT count() FROM system.processes WHERE query_id = '%s'", id);
	for (int i = 0; i <= RUNNING_S; i++) {
		if (i)
			sleep(1);
		outcome = ask_count(s, query.buf, running);
		if (outcome != STORE_DONE || !running[0])
			break;
	}
	str_free(&query);
	return outcome == STORE_DONE && running[0] ? STORE_AWAY : outcome;
}

static void deliver_add_conditions(const struct parcel *p, struct str *query)
{
	uint32_t batch, first = (uint32_t)(p->first_ns / NS_PER_SEC), last = (uint32_t)(p->last_ns / NS_PER_SEC);

	memcpy(&batch, p->id, sizeof(batch));
	str_addf(query, "day = toDate(%u) AND event = ", first / 86400);
	sql_quote(query, str_text(&p->event), p->event.len);
	str_puts(query, " AND service = ");
	sql_quote(query, str_text(&p->service), p->service.len);
	str_puts(query, " AND host = ");
	sql_quote(query, str_text(&p->host), p->host.len);
	str_addf(query, " AND intDiv(toUInt32(second), 3600) BETWEEN %u AND %u AND batch = %u", first / 3600,
		 last / 3600, batch);
}

/* The batch is there several times: an older pyrograph, or a proxy in between, has sent it again.  Tell the user how to
 * count it once. */
static void tell_of_doubles(struct store *s, const struct parcel *p, uint64_t rows)
{
	struct str conditions = { 0 };

	deliver_add_conditions(p, &conditions);
	error("%s: a batch of %llu samples is there %llu times; to have it once: ALTER TABLE samples%s DELETE WHERE "
	      "%s, "
	      "and ship its recording again",
	      s->database.buf, (unsigned long long)p->rows, (unsigned long long)(rows / p->rows),
	      s->is_distributed ? "_local ON CLUSTER ..." : "", conditions.buf);
	s->doubled++;
	str_free(&conditions);
}

static enum store_outcome deliver_is_there(struct store *s, const struct parcel *p, bool *there)
{
	enum store_outcome outcome;
	struct str query = { 0 };
	uint64_t found[2], times;

	str_puts(&query, "SELECT count(), sum(ns) FROM samples WHERE ");
	deliver_add_conditions(p, &query);
	outcome = ask_count(s, query.buf, found);
	str_free(&query);
	times = p->rows ? found[0] / p->rows : 0;
	*there = outcome == STORE_DONE && times && found[0] == times * p->rows && found[1] == times * p->ns_sum;
	if (*there && times > 1)
		tell_of_doubles(s, p, found[0]);
	if (outcome != STORE_DONE || !found[0] || *there)
		return outcome;
	error("%s: %llu samples of a batch of %llu are in the store: somebody has changed its tables", s->database.buf,
	      (unsigned long long)found[0], (unsigned long long)p->rows);
	return STORE_REFUSED;
}

static enum store_outcome deliver_insert(struct store *s, const char *table, const struct str *block, const char *id)
{
	return block->len ? store_insert(s, table, &(struct http_piece){ block->buf, block->len }, 1, id) : STORE_DONE;
}

/* The definitions that the store lacks: usually, another host or an earlier minute sent them.  If the store does not
 * say which, because of some limit, it gets all. */
static enum store_outcome insert_missing(struct store *s, const char *table, const struct str *block)
{
	struct str query = { 0 }, *known = &s->answer.text;
	struct definitions_left left;
	enum store_outcome outcome;
	struct definitions d;

	if (!definitions_parse(&d, block))
		return deliver_insert(s, table, block, NULL);
	str_addf(&query,
		 "SELECT DISTINCT hash FROM %s WHERE day = toDate(%u) AND hash GLOBAL IN wanted FORMAT RowBinary",
		 table, d.day);
	outcome = store_query_hashes(s, query.buf, d.hashes, d.count, false, NULL, NULL, NULL);
	str_free(&query);
	if (outcome == STORE_NO_TABLE)
		return deliver_insert(s, table, block, NULL);
	if (outcome != STORE_DONE)
		return outcome;
	definitions_without(&d, (unsigned char *)known->buf, known->len / SIP_BYTES, &left);
	if (left.count)
		outcome = store_insert(s, table, left.pieces, left.count, NULL);
	definitions_left_free(&left);
	return outcome;
}

/* The server may have stored the samples although its answer was lost. */
static enum store_outcome insert_samples(struct store *s, const struct parcel *p, const char *id)
{
	enum store_outcome outcome = deliver_insert(s, "samples", &p->samples, id), found;
	struct str why = { 0 };
	bool there = false;

	if (outcome != STORE_AWAY)
		return outcome;
	str_puts(&why, store_why(s));
	found = wait_until_it_ended(s, id);
	if (found == STORE_DONE)
		found = deliver_is_there(s, p, &there);
	if (there || found == STORE_REFUSED) {
		outcome = there ? STORE_DONE : STORE_REFUSED;
	} else {
		str_clear(&s->answer.text);
		str_puts(&s->answer.text, why.buf);
	}
	str_free(&why);
	return outcome;
}

enum store_outcome deliver(struct store *s, const struct parcel *p, bool *was_there)
{
	enum store_outcome outcome;
	struct str id = { 0 };

	deliver_add_id(&id, p->id);
	*was_there = false;
	outcome = wait_until_it_ended(s, id.buf);
	if (outcome == STORE_DONE)
		outcome = deliver_is_there(s, p, was_there);
	if (outcome == STORE_DONE)
		outcome = insert_missing(s, "stacks", &p->stacks);
	if (outcome == STORE_DONE)
		outcome = insert_missing(s, "labels", &p->labels);
	if (outcome == STORE_DONE)
		outcome = deliver_insert(s, "batches", &p->announcement, NULL);
	if (outcome == STORE_DONE && !*was_there)
		outcome = insert_samples(s, p, id.buf);
	str_free(&id);
	return outcome;
}
