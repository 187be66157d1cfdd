/* store: a database of a ClickHouse server, over HTTP. */
#ifndef SHIP_STORE_H
#define SHIP_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"
#include "ship/http.h"
#include "ship/schema.h"

struct store {
	struct http http;
	struct str url; /* "http://host:8123/?database=db": settings may follow */
	struct str database;
	struct str host, service, from, to, event; /* of the address's query; empty: not there */
	int version;                               /* 1816; 0: not asked yet */
	bool is_distributed;                       /* samples is a Distributed table */
	bool deduplicates;                         /* tokens are known */
	bool takes_no_table;                       /* this user may not send a table with a query */
	uint64_t doubled;                          /* batches that the store has several times, which has been
						    * reported */
	struct http_answer answer;
};

/* What became of a request. */
enum store_outcome {
	STORE_DONE,
	STORE_AWAY,     /* there is no server, or it cannot take the data now, but may later.  No message was printed */
	STORE_REFUSED,  /* the server refuses, and will refuse the next time, too.  A message was printed */
	STORE_NO_TABLE, /* only from store_query_hashes(): this kind of query is not allowed.  No message was printed */
};

/* Parse "http[s]://host[:port]/database" or the same with clickhouse[s]://, with "?host=PATTERN&service=PATTERN&event=E&
 * from=TIME&to=TIME" after it.  Exits 2 if the text is not such an address. */
void store_parse(struct store *s, const char *address);

/* Returns 0, or -1 after a message. */
int store_open(struct store *s, const struct http_access *access);

/* Run a query without settings, such as SELECT; take, if not NULL, gets its result, else s->answer.text has it.  doing:
 * for messages. */
enum store_outcome store_query(struct store *s, const char *query, const char *doing, http_take *take, void *argument);

/* Run a query as above, with a table `wanted` of one column, `hash`, for that query alone: hashes, [count][SIP_BYTES],
 * and one of zeros.  doing: for messages; NULL: an error is returned as STORE_NO_TABLE, silently.  early: the result
 * comes while the server makes it, so that an error after its beginning ends it with STORE_DONE or STORE_AWAY and with
 * text, or nothing, in place of rows; the caller must check what is missing. */
enum store_outcome store_query_hashes(struct store *s, const char *query, const void *hashes, size_t count, bool early,
				      const char *doing, http_take *take, void *argument);

/* Insert a block (native.h), in pieces, [count], into columns of a table.  id: of the query, so that it runs once only;
 * NULL: none. */
enum store_outcome store_insert(struct store *s, const char *table, const struct http_piece *pieces, size_t count,
				const char *id);

/* Does the store have our tables?  Also sets version and the like. */
enum store_outcome store_check(struct store *s);

/* Make the tables that are not there. */
enum store_outcome store_create(struct store *s, const struct schema_choice *choice);

/* After a failed request: does the store answer other requests?  The stored reason is kept. */
bool store_answers(struct store *s);

/* The reason of the last STORE_AWAY. */
const char *store_why(const struct store *s);

void store_free(struct store *s);

#endif
