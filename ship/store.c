#include "ship/store.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/shipping.h"
#include "core/secret.h"
#include "ship/sip.h"
#include "ship/sql.h"

/* ---- addresses ---- */

static void store_unescape(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char hex[3] = { 0 }, *end = hex;
		long c = 0;

		if (text[i] == '%' && i + 2 < len) {
			memcpy(hex, text + i + 1, 2);
			c = strtol(hex, &end, 16);
		}
		if (end == hex + 2 && c)
			i += 2;
		str_addc(out, end == hex + 2 && c ? (char)c : text[i]);
	}
}

static void parse_pair(struct store *s, const char *pair, size_t len, const char *address)
{
	const struct {
		const char *name;
		struct str *value;
	} known[] = { { "host", &s->host },
		      { "service", &s->service },
		      { "event", &s->event },
		      { "from", &s->from },
		      { "to", &s->to } };
	struct str shown = { 0 };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t n = strlen(known[i].name);

		if (len > n && pair[n] == '=' && !memcmp(pair, known[i].name, n)) {
			store_unescape(known[i].value, pair + n + 1, len - n - 1);
			return;
		}
	}
	secret_show(address, &shown);
	die_usage("%s: after '?' come host=, service=, event=, from= and to=", shown.buf);
}

void store_parse(struct store *s, const char *address)
{
	const struct shipping_scheme *scheme = shipping_scheme_of(address);
	const char *host, *slash, *query;
	struct str shown = { 0 };
	bool tls;

	secret_show(address, &shown);
	if (!scheme || scheme->kind != SHIPPING_CLICKHOUSE)
		die_usage("%s: is not the address of a store; try " SHIPPING_EXAMPLES, str_text(&shown));
	tls = !strncmp(scheme->url, "https", 5);
	host = address + strlen(scheme->begins);
	slash = strchr(host, '/');
	query = strchr(host, '?');
	if (memchr(host, '@', strcspn(host, "/?")))
		die_usage("everybody can read a password in an address: give --user and --password-file, "
			  "or " PASSWORD_VARIABLE);
	if (!slash || slash == host || (query && query < slash) || slash + 1 == (query ? query : host + strlen(host)))
		die_usage("%s: has no database; try http://host:8123/database", shown.buf);
	str_free(&shown);
	store_unescape(&s->database, slash + 1, query ? (size_t)(query - slash - 1) : strlen(slash + 1));
	str_addf(&s->url, "%s%.*s%s/?database=", scheme->url, (int)(slash - host), host,
		 memchr(host, ':', (size_t)(slash - host)) ? ""
		 : tls                                     ? ":8443"
							   : ":8123");
	http_escape(&s->url, s->database.buf);
	for (const char *at = query; at && *at; at += strcspn(at, "&"))
		at++, parse_pair(s, at, strcspn(at, "&"), address);
}

int store_open(struct store *s, const struct http_access *access)
{
	return http_open(&s->http, access);
}

/* ---- requests ---- */

/* Temporary errors of the server: no memory, no room on the disk, too much at once, a table that is read-only for now,
 * replicas or peers that are not there.  Every other error will come again. */
static bool store_may_pass(int code)
{
	static const int codes[] = { 75,  159, 160, 173, 201, 202, 203, 209, 210, 216, 225, 236,
				     241, 242, 243, 252, 254, 279, 285, 286, 319, 999, 1000 };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (codes[i] == code)
			return true;
	}
	return false;
}

static int code_of(const struct http_answer *a)
{
	return text_begins(str_text(&a->text), a->text.len, "Code: ") ? atoi(a->text.buf + 6) : 0;
}

/* Rights of a user.  Versions from 20.5 on may require the right to temporary tables for a table that is sent along. */
static bool is_about_rights(int code)
{
	return code == 164 || code == 291 || code == 497;
}

static const char *advice(int code)
{
	switch (code) {
	case 60: return ": make the tables with --create, or by hand: pyrograph ship --schema";
	case 81: return ": make the database first";
	case 16:
	case 47:
	case 53: return ": its tables are not those of pyrograph ship --schema";
	case 164: return ": the store is read-only for this user";
	case 192:
	case 193:
	case 194:
	case 516: return ": see --user and --password-file";
	default: return "";
	}
}

enum { SAID_MAX = 1000 };

/* The server's words, without our own query and its version. */
static void shorten(struct str *text)
{
	static const char *const ends[] = { ", e.what() =", " (version ", "\n" };

	for (size_t i = 0; text->buf && i < sizeof(ends) / sizeof(*ends); i++) {
		char *end = strstr(text->buf, ends[i]);

		if (end) {
			*end = '\0';
			text->len = (size_t)(end - text->buf);
		}
	}
	if (text->len > SAID_MAX) {
		text->len = SAID_MAX;
		text->buf[SAID_MAX] = '\0';
	}
}

static enum store_outcome store_judge(struct store *s, const char *doing)
{
	int code = code_of(&s->answer);

	if (s->answer.status == 200)
		return STORE_DONE;
	shorten(&s->answer.text);
	if (!s->answer.status || store_may_pass(code) || (!code && s->answer.status >= 500))
		return STORE_AWAY;
	if (!s->answer.text.len)
		str_addf(&s->answer.text, "HTTP status %ld, without a reason", s->answer.status);
	error("%.*s: %s: %s%s", (int)strcspn(s->url.buf, "?"), s->url.buf, doing, s->answer.text.buf, advice(code));
	return STORE_REFUSED;
}

/* An error in the middle of a result would have status 200, unless the result is held back until it is complete. */
#define WHOLE_RESULT "&wait_end_of_query=1&buffer_size=16777216"

enum store_outcome store_query(struct store *s, const char *query, const char *doing, http_take *take, void *argument)
{
	const struct http_piece piece = { query, strlen(query) };
	struct str url = { 0 };

	str_addf(&url, "%s%s", s->url.buf, take ? WHOLE_RESULT : "");
	http_post(&s->http,
		  &(struct http_request){
			  .url = url.buf, .pieces = &piece, .count = 1, .take = take, .argument = argument },
		  &s->answer);
	str_free(&url);
	return store_judge(s, doing);
}

static enum store_outcome store_define(struct store *s, const char *statement)
{
	const struct http_piece piece = { statement, strlen(statement) };

	http_post(&s->http, &(struct http_request){ .url = s->url.buf, .pieces = &piece, .count = 1, .writes = true },
		  &s->answer);
	return store_judge(s, "cannot make its tables");
}

/* A line that does not occur in the bytes. */
static void add_boundary(const void *bytes, size_t len, struct str *out)
{
	for (unsigned n = 0; !out->len || (len && memmem(bytes, len, out->buf, out->len)); n++) {
		str_clear(out);
		str_addf(out, "pyrograph-%u", n);
	}
}

enum store_outcome store_query_hashes(struct store *s, const char *query, const void *hashes, size_t count, bool early,
				      const char *doing, http_take *take, void *argument)
{
	static const char no_hash[SIP_BYTES];
	struct str url = { 0 }, type = { 0 }, begin = { 0 }, end = { 0 }, boundary = { 0 };
	bool refused;

	if (s->takes_no_table)
		return STORE_NO_TABLE;
	add_boundary(hashes, count * SIP_BYTES, &boundary);
	str_addf(&type, "Content-Type: multipart/form-data; boundary=%s", boundary.buf);
	str_addf(&begin, "--%s\r\nContent-Disposition: form-data; name=\"wanted\"; filename=\"wanted\"\r\n",
		 boundary.buf);
	str_puts(&begin, "Content-Type: application/octet-stream\r\n\r\n");
	/* 18.16 misreads data that end with "\n--" before a boundary, as a hash might.  It also leaves a newline after
	 * the last boundary unread, and takes it for the next request. */
	str_add(&end, no_hash, sizeof(no_hash));
	str_addf(&end, "\r\n--%s--", boundary.buf);
	str_addf(&url, "%s%s&wanted_format=RowBinary&wanted_structure=", s->url.buf, early ? "" : WHOLE_RESULT);
	http_escape(&url, "hash FixedString(16)");
	str_puts(&url, "&query=");
	http_escape(&url, query);
	http_post(&s->http,
		  &(struct http_request){ .url = url.buf,
					  .pieces = (const struct http_piece[]){ { begin.buf, begin.len },
										 { hashes, count * SIP_BYTES },
										 { end.buf, end.len } },
					  .count = 3,
					  .headers = (const char *const[]){ type.buf },
					  .header_count = 1,
					  .take = take,
					  .argument = argument },
		  &s->answer);
	str_free(&url);
	str_free(&type);
	str_free(&begin);
	str_free(&end);
	str_free(&boundary);
	refused = s->answer.status && s->answer.status != 200;
	s->takes_no_table = refused && is_about_rights(code_of(&s->answer));
	return s->takes_no_table || (refused && !doing) ? STORE_NO_TABLE : store_judge(s, doing);
}

static void store_add_settings(const struct store *s, const char *id, struct str *url)
{
	if (id)
		str_addf(url, "&query_id=%s", id);
	if (id && s->deduplicates)
		str_addf(url, "&insert_deduplication_token=%s", id);
	if (s->is_distributed)
		str_puts(url, "&insert_distributed_sync=1");
}

static void store_add_columns(const char *table, struct str *query)
{
	const char *between = "";

	for (const struct schema_column *c = schema_columns; c->name; c++) {
		if (strcmp(c->table, table) != 0)
			continue;
		str_addf(query, "%s%s", between, c->name);
		between = ", ";
	}
}

enum store_outcome store_insert(struct store *s, const char *table, const struct http_piece *pieces, size_t count,
				const char *id)
{
	struct str url = { 0 }, query = { 0 }, doing = { 0 };
	enum store_outcome outcome;

	str_addf(&query, "INSERT INTO %s (", table);
	store_add_columns(table, &query);
	str_puts(&query, ") FORMAT Native");
	str_addf(&url, "%s&query=", s->url.buf);
	http_escape(&url, query.buf);
	store_add_settings(s, id, &url);
	str_addf(&doing, "cannot add to %s", table);
	http_post(&s->http, &(struct http_request){ .url = url.buf, .pieces = pieces, .count = count, .writes = true },
		  &s->answer);
	outcome = store_judge(s, doing.buf);
	str_free(&url);
	str_free(&query);
	str_free(&doing);
	return outcome;
}

/* ---- tables ---- */

/* "18.16.1" -> 1816 */
static int parse_version(const char *text)
{
	char *end;
	long major = strtol(text, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;

	return (int)(major * 100 + (minor > 99 ? 99 : minor));
}

static enum store_outcome store_refuse(const struct store *s, const char *why, const char *more)
{
	error("%.*s: database %s %s: %s", (int)strcspn(s->url.buf, "?"), s->url.buf, s->database.buf, why, more);
	return STORE_REFUSED;
}

/* Lines of "table<TAB>name<TAB>type". */
static enum store_outcome compare_columns(struct store *s, const char *lines)
{
	struct str missing = { 0 }, line = { 0 };
	enum store_outcome outcome = STORE_DONE;

	for (const struct schema_column *c = schema_columns; c->name; c++) {
		str_clear(&line);
		str_addf(&line, "\n%s\t%s\t", c->table, c->name);
		for (const char *p = c->type; *p; p++)
			str_addf(&line, "%s%c", *p == '\'' ? "\\" : "", *p);
		str_addc(&line, '\n');
		if (!strstr(lines, line.buf))
			str_addf(&missing, "%s%s.%s %s", missing.len ? ", " : "", c->table, c->name, c->type);
	}
	if (!strcmp(lines, "\n"))
		outcome = store_refuse(s, "has no tables of ours",
				       "make them with --create, or by hand: pyrograph ship --schema");
	else if (missing.len)
		outcome = store_refuse(s, "has other tables than pyrograph ship --schema, without these columns",
				       missing.buf);
	str_free(&line);
	str_free(&missing);
	return outcome;
}

static enum store_outcome ask_version(struct store *s)
{
	enum store_outcome outcome = store_query(s, "SELECT version()", "cannot ask it", NULL, NULL);

	if (outcome != STORE_DONE)
		return outcome;
	s->version = parse_version(str_text(&s->answer.text));
	s->deduplicates = s->version >= 2206; /* then tables without replicas can, too */
	return STORE_DONE;
}

enum store_outcome store_check(struct store *s)
{
	struct str query = { 0 }, lines = { 0 };
	enum store_outcome outcome = ask_version(s);

	str_puts(&query, "SELECT table, name, type FROM system.columns WHERE database = ");
	sql_quote(&query, s->database.buf, s->database.len);
	str_puts(&query,
		 " AND table IN ('samples', 'stacks', 'labels', 'batches') ORDER BY table, name FORMAT TabSeparated");
	if (outcome == STORE_DONE)
		outcome = store_query(s, query.buf, "cannot look at its tables", NULL, NULL);
	if (outcome == STORE_DONE) {
		str_addf(&lines, "\n%s", str_text(&s->answer.text));
		outcome = compare_columns(s, lines.buf);
	}
	str_clear(&query);
	str_puts(&query, "SELECT engine FROM system.tables WHERE name = 'samples' AND database = ");
	sql_quote(&query, s->database.buf, s->database.len);
	if (outcome == STORE_DONE)
		outcome = store_query(s, query.buf, "cannot look at its tables", NULL, NULL);
	if (outcome == STORE_DONE)
		s->is_distributed = !strncmp(str_text(&s->answer.text), "Distributed", 11);
	str_free(&query);
	str_free(&lines);
	return outcome;
}

bool store_answers(struct store *s)
{
	struct http_answer before = s->answer;
	bool answers;

	s->answer = (struct http_answer){ 0 };
	answers = store_query(s, "SELECT 1", "cannot ask it", NULL, NULL) == STORE_DONE;
	str_free(&s->answer.text);
	s->answer = before;
	return answers;
}

struct creation {
	struct store *store;
	enum store_outcome outcome;
};

static int create_one(void *argument, const char *statement)
{
	struct creation *c = argument;

	c->outcome = store_define(c->store, statement);
	return c->outcome != STORE_DONE;
}

enum store_outcome store_create(struct store *s, const struct schema_choice *choice)
{
	struct creation c = { .store = s };

	schema_each(choice, create_one, &c);
	return c.outcome;
}

const char *store_why(const struct store *s)
{
	return s->answer.text.len ? s->answer.text.buf : "it gives no answer";
}

void store_free(struct store *s)
{
	struct str *const texts[] = { &s->url,  &s->database, &s->host,  &s->service,
				      &s->from, &s->to,       &s->event, &s->answer.text };

	http_close(&s->http);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		str_free(texts[i]);
	*s = (struct store){ 0 };
}
