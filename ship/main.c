/* pyrograph-ship: sends recordings to a store. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/shipping.h"
#include "core/lines.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/secret.h"
#include "ship/fetch.h"
#include "ship/post.h"
#include "ship/shipment.h"

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
