/* pyrograph-ship: sends recordings to a store. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/shipping.h"
#include "core/lines.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/secret.h"
#include "core/wallclock.h"
#include "ship/fetch.h"
#include "ship/header.h"
#include "ship/otlp_answer.h"
#include "ship/recording.h"
#include "ship/shipment.h"

/* --- recordings for other people's stores --- */

/* Pyroscope, and what takes OTLP. */

struct shipment;

#define OTLP_PATH "/v1development/profiles"

enum { SAID_MAX = 1000 }; /* of a server's words */

struct posting {
	struct shipment *s;
	struct http http;
	bool is_otlp;
	struct str address; /* the server's URL, ... */
	struct str shown;   /* ... and what messages have of it */
	uint64_t sent;
	bool failed;
};

/* Is it "pyroscope+http[s]://..." or "otlp+http[s]://..."? */
static bool post_is_address(const char *to)
{
	const struct shipping_scheme *scheme = shipping_scheme_of(to);

	return scheme && scheme->kind != SHIPPING_CLICKHOUSE;
}

/* ---- what is sent ---- */

/* Names have no files: these would depend on other samples of the batch. */
static int post_run_pyrograph(const char *path, const char *event, const char *out, struct str *text)
{
	const char *kind = out ? "--timed" : "--no-stack", *format = out ? out : "folded";
	const char *argv[] = { NULL,    "--quiet", "--event", event, kind, "--files=never",
			       "--out", format,    "--",      path,  NULL };
	char buffer[65536];
	struct child child;
	ssize_t n;

	if (child_start(&child, argv) < 0)
		return -1;
	while ((n = read(child.out, buffer, sizeof(buffer))) > 0)
		str_add(text, buffer, (size_t)n);
	return child_end(&child) ? -1 : 0;
}

/* Of the header of folded lines, "start=2026-11-21T10:15:02.000000000Z", in ns since 1970; 0: there is none. */
static uint64_t post_header_time(const char *header, const char *key)
{
	struct str text = { 0 };
	struct instant when;
	uint64_t ns = 0;

	if (header_value(header, key, &text) && instant_parse(text.buf, &when) && when.kind == INSTANT_EPOCH)
		ns = when.ns;
	str_free(&text);
	return ns;
}

/* A name in Pyroscope's "app{label=value,...}". */
static void post_add_name(struct str *out, const char *name)
{
	for (; *name; name++)
		str_addc(out, strchr("{},=\"", *name) ? '_' : *name);
}

/* Pyroscope's query: the application, its labels, and the time in seconds. */
static void add_query(const struct posting *p, const char *event, const char *header, struct str *url)
{
	struct str name = { 0 }, host = { 0 };
	uint64_t from = post_header_time(header, FOLDED_START), until = post_header_time(header, FOLDED_END);

	post_add_name(&name, p->s->service[0] ? p->s->service : "pyrograph");
	str_puts(&name, "{host=");
	if (p->s->host)
		str_puts(&host, p->s->host);
	else if (!header_value(header, FOLDED_HOST, &host))
		str_puts(&host, "unknown");
	post_add_name(&name, host.buf);
	str_puts(&name, ",event=");
	post_add_name(&name, event);
	str_puts(&name, "}");
	str_puts(url, "/ingest?name=");
	http_escape(url, name.buf);
	if (from && until)
		str_addf(url, "&from=%" PRIu64 "&until=%" PRIu64, (uint64_t)(from / NS_PER_SEC),
			 (uint64_t)(until / NS_PER_SEC + 1));
	str_puts(url, "&format=pprof");
	str_free(&name);
	str_free(&host);
}

/* Does the address have a path of its own? */
static bool post_has_path(const char *address)
{
	const char *slash = strchr(strstr(address, "://") + 3, '/');

	return slash && slash[1];
}

static void make_url(const struct posting *p, const char *event, const char *header, struct str *url)
{
	str_puts(url, p->address.buf);
	while (url->len && url->buf[url->len - 1] == '/')
		url->buf[--url->len] = '\0';
	if (!p->is_otlp)
		add_query(p, event, header, url);
	else if (!post_has_path(p->address.buf))
		str_puts(url, OTLP_PATH);
}

/* The server has not received the request; or its answer says, in OTLP's terms, that it may be sent again: the server
 * is too busy, or its own server is away.  https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes  A
 * request that it received, but did not answer, is not sent again: neither kind of server can tell whether it has a
 * profile. */
static bool post_may_pass(const struct http_answer *a)
{
	return a->status ? a->status == 429 || (a->status >= 502 && a->status <= 504) : !a->in_doubt;
}

/* The length of the first line of text[0..len), for "%.*s". */
static int line_len(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len < SAID_MAX ? len : SAID_MAX);

	return (int)(end ? (size_t)(end - text) : len < SAID_MAX ? len : SAID_MAX);
}

/* Returns 0 if the server took the profile, or -1 after a message. */
static int post_judge(const struct posting *p, const char *path, const char *event, const struct http_answer *answer)
{
	static const char no_reason[] = "it gives no reason";
	const char *text = str_text(&answer->text);
	size_t text_len = answer->text.len;
	struct otlp_answer own = { 0 };
	int len;

	if (p->is_otlp)
		own = otlp_answer_read(answer->status, &answer->text);
	if (own.message_len) {
		text = own.message;
		text_len = own.message_len;
	} else if (own.rejected) {
		text = no_reason;
		text_len = sizeof(no_reason) - 1;
	}
	len = line_len(text, text_len);
	if (!answer->status)
		return error("%s: event %s: %s: %.*s%s", path, event, p->shown.buf, len, text,
			     answer->in_doubt ? ": it may have kept the profile: not sent again" : "");
	if (answer->status / 100 != 2)
		return error("%s: event %s: %s says %ld: %.*s", path, event, p->shown.buf, answer->status, len, text);
	if (own.rejected)
		return error("%s: event %s: %s rejected it: %.*s", path, event, p->shown.buf, len, text);
	if (own.message_len)
		warn("%s: event %s: %s says: %.*s", path, event, p->shown.buf, len, text);
	return 0;
}

/* *in_doubt: it is not known whether the server has it. */
static int post_body(struct posting *p, const char *path, const char *event, const struct str *url,
		     const struct str *body, bool *in_doubt)
{
	const char *type[] = { p->is_otlp ? "Content-Type: application/x-protobuf"
					  : "Content-Type: application/octet-stream" };
	const struct http_piece piece = { body->buf, body->len };
	struct http_answer answer = { 0 };
	int status;

	http_post(&p->http,
		  &(struct http_request){ .url = url->buf,
					  .pieces = &piece,
					  .count = 1,
					  .headers = type,
					  .header_count = 1,
					  .writes = true },
		  &answer);
	status = post_judge(p, path, event, &answer);
	p->sent += !status;
	p->s->later |= status && post_may_pass(&answer);
	*in_doubt = answer.in_doubt;
	str_free(&answer.text);
	return status;
}

/* ---- what was sent from a minute of watch whose server went away meanwhile, or that was interrupted ----
 *
 *     +cpu-clock      is being sent
 *     -cpu-clock      was not
 *     cpu-clock       was, or perhaps: it is not sent again
 *
 * The last line of an event counts. */

enum note { NOTE_NONE, NOTE_BEGUN, NOTE_SENT };

static enum note post_read_note(const struct posting *p, const char *path, const char *event)
{
	enum note note = NOTE_NONE;
	struct str mark = { 0 };
	struct lines in;
	char *line;
	size_t len, n = strlen(event);

	str_addf(&mark, "%s" SHIPPING_MARK, path);
	if (p->s->by_watch && !access(mark.buf, R_OK) && !lines_open_regular(&in, mark.buf)) {
		while (lines_next(&in, &line, &len)) {
			if (len == n && !memcmp(line, event, n))
				note = NOTE_SENT;
			else if (len == n + 1 && !memcmp(line + 1, event, n))
				note = *line == '+' ? NOTE_BEGUN : *line == '-' ? NOTE_NONE : note;
		}
		lines_close(&in);
	}
	str_free(&mark);
	return note;
}

static void post_add_note(const struct posting *p, const char *path, const char *sign, const char *event)
{
	struct str mark = { 0 }, line = { 0 };
	int fd;

	str_addf(&mark, "%s" SHIPPING_MARK, path);
	str_addf(&line, "%s%s\n", sign, event);
	fd = p->s->by_watch ? open(mark.buf, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd >= 0 && write(fd, line.buf, line.len) < 0)
		warn("%s: %s", mark.buf, strerror(errno));
	if (fd >= 0)
		close(fd);
	str_free(&mark);
	str_free(&line);
}

/* Was the event sent before, or may it have been? */
static bool was_sent(struct posting *p, const char *path, const char *event)
{
	enum note note = post_read_note(p, path, event);

	if (note != NOTE_BEGUN)
		return note == NOTE_SENT;
	error("%s: event %s: %s may have it: we were ended while it was sent: not sent again", path, event,
	      p->shown.buf);
	post_add_note(p, path, "", event);
	p->failed = true;
	return true;
}

static int send_event(struct posting *p, const char *path, const char *event, const struct str *url,
		      const struct str *body)
{
	bool in_doubt;
	int status;

	post_add_note(p, path, "+", event);
	status = post_body(p, path, event, url, body, &in_doubt);
	post_add_note(p, path, status && !in_doubt ? "-" : "", event);
	return status;
}

/* If the server refuses one event, the next one is still sent.  A return value other than 0 ends it: the server is
 * away. */
static int post_event(void *argument, const char *path, const char *event)
{
	struct posting *p = argument;
	struct str header = { 0 }, body = { 0 }, url = { 0 };
	int status;

	if (was_sent(p, path, event))
		return 0;
	status = post_run_pyrograph(path, event, NULL, &header);
	if (!status)
		status = post_run_pyrograph(path, event, p->is_otlp ? "otlp" : "pprof", &body);
	if (!status) {
		if (header.len) /* its first line */
			header.buf[strcspn(header.buf, "\n")] = '\0';
		make_url(p, event, str_text(&header), &url);
		status = send_event(p, path, event, &url, &body);
	}
	p->failed |= status;
	str_free(&header);
	str_free(&body);
	str_free(&url);
	return p->s->by_watch && p->s->later;
}

static void check_options(const struct shipment *s)
{
	const struct {
		const char *name;
		bool given;
	} others[] = { { "spool", s->spool_path },
		       { "spool-max", s->spool_max != UINT64_MAX },
		       { "create", s->create },
		       { "retry-refused", s->retry },
		       { "samples", s->is_text } };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (others[i].given)
			die_usage("--%s belongs to a database of ClickHouse", others[i].name);
	}
}

/* Post each input of s.  Returns 0, or -1 after a message. */
static int post_run(struct shipment *s)
{
	const struct recording_choice choice = { &s->events, s->by_watch };
	const struct shipping_scheme *scheme = shipping_scheme_of(s->to);
	struct posting p = { .s = s, .is_otlp = scheme->kind == SHIPPING_OTLP };
	int status = 0;

	check_options(s);
	if (s->check)
		return 0;
	if (!s->input_count)
		die_usage("no recording: name a file");
	if (http_open(&p.http, &s->access) < 0)
		return -1;
	str_addf(&p.address, "%s%s", scheme->url, s->to + strlen(scheme->begins));
	secret_show(p.address.buf, &p.shown); /* messages of watch are kept in logs */
	for (size_t i = 0; i < s->input_count; i++)
		status |= recording_events(s->inputs[i], &choice, post_event, &p);
	status |= p.failed ? -1 : 0;
	if (p.sent && !s->by_watch)
		inform("%" PRIu64 " profile%s sent", p.sent, p.sent == 1 ? "" : "s");
	http_close(&p.http);
	str_free(&p.address);
	str_free(&p.shown);
	return status;
}

/* --- the command --- */

static const struct manual manual = {
	.usage = "[options] [RECORDING ...] --to ADDRESS",
	.about = "Sends recordings of many machines to a store, in batches, each once.\n"
		 "pyrograph collapse reads them from there: collapse clickhouse://host/database",
	.examples = "  pyrograph ship --schema | clickhouse-client -n --database perf\n"
		    "  pyrograph ship rec.data --to http://store:8123/perf\n"
		    "  pyrograph ship --spool /var/spool/perf rec.data --to http://store/perf\n"
		    "  pyrograph ship rec.data --to pyroscope+http://pyroscope:4040 --service shop\n"
		    "  pyrograph ship rec.data --to otlp+http://collector:4318 --service shop\n",
};

static void check_name(const char *name, const char *option)
{
	for (const char *p = name; p && *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			die_usage("%s: has a control character", option);
	}
}

static void check_word(const char *word, const char *option)
{
	if (word && (!*word || word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")]))
		die_usage("%s: '%s' is not a name of letters, digits and _", option, word);
}

static int print_schema(const struct shipment *s)
{
	struct schema_choice choice = s->schema;
	struct str text = { 0 };

	if (!choice.database)
		choice.database = "perf";
	schema_print(&choice, &text);
	fputs(text.buf, stdout);
	str_free(&text);
	return flush_stdout();
}

static int ship_main_status_of(const struct shipment *s, int status)
{
	return !status ? 0 : s->by_watch && s->later ? SHIPPING_LATER : 1;
}

int main(int argc, char **argv)
{
	static struct shipment s;
	static struct fetch f;
	bool schema = false;
	const struct opt opts[] = {
		{ 0, "to", "ADDRESS", SHIPPING_FORMS, .text = &s.to },
		{ 0, "service", "NAME", "what runs there: a name for queries", .text = &s.service },
		{ 0, "host", "NAME", "in place of the recording's host", .text = &s.host },
		{ 'e', "event", "NAME", "only this event (repeatable) [all with stacks]", .list = &s.events },
		{ 0, "spool", "DIR", "keep here what the store cannot take now", .text = &s.spool_path },
		{ 0, "spool-max", "SIZE", "keep at most this; then drop the oldest [1G]", .bytes = &s.spool_max },
		{ 0, "retry-refused", NULL, "... and try again what was refused", .flag = &s.retry },
		{ 0, "samples", NULL, "inputs are text of collapse --out samples", .flag = &s.is_text },
		{ 0, "user", "NAME", "of the store", .text = &s.access.user },
		{ 0, "password-file", "FILE", "whose first line is the password", .text = &s.access.password_file },
		{ 0, "token-file", "FILE", "... or a token (Authorization: Bearer)", .text = &s.access.token_file },
		{ 0, "ca", "FILE", "certificates that may sign the server's", .text = &s.access.ca },
		{ 0, "create", NULL, "make the tables that are missing", .flag = &s.create },
		{ 0, "schema", NULL, "print the tables as SQL, and do nothing else", .flag = &schema },
		{ 0, "cluster", "NAME", "with these two: tables for a cluster", .text = &s.schema.cluster },
		{ 0, "keep", "DAYS", "... that forget after this many days", .num = &s.schema.keep_days, .min = 1,
		  .max = 36500 },
		{ .name = "by-watch", .flag = &s.by_watch },
		{ .name = "check", .flag = &s.check },
		{ .name = "database", .arg = "NAME", .text = &s.schema.database },
		{ .name = "read", .arg = "ADDRESS", .text = &f.from },
		FETCH_OPTIONS(f),
		{ 0 }
	};

	program_begin("pyrograph ship");
	s.service = "";
	s.spool_max = UINT64_MAX;
	argc = opts_parse(opts, &manual, argc, argv);
	check_name(s.service, "--service");
	check_name(s.host, "--host");
	check_word(s.schema.cluster, "--cluster");
	check_word(s.schema.database, "--database");
	if (s.access.token_file && s.access.user)
		die_usage("--token-file takes the place of --user");
	if (schema)
		return print_schema(&s) < 0;
	if (f.from) {
		f.host = s.host;
		f.service = s.service;
		f.events = &s.events;
		return fetch_run(&f, &s.access) < 0;
	}
	if (s.to)
		s.to = secret_address((char *)(uintptr_t)s.to);
	s.inputs = (const char **)argv;
	s.input_count = (size_t)argc;
	if (s.to && post_is_address(s.to))
		return ship_main_status_of(&s, post_run(&s));
	return ship_main_status_of(&s, shipment_run(&s));
}
