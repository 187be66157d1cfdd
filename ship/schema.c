#include "ship/schema.h"

#include <string.h>

const struct schema_column schema_columns[] = {
	{ "samples", "day", "Date" },
	{ "samples", "event", "String" },
	{ "samples", "service", "String" },
	{ "samples", "host", "String" },
	{ "samples", "second", "DateTime('UTC')" },
	{ "samples", "ns", "UInt32" },
	{ "samples", "cpu", "Int16" },
	{ "samples", "thread", "String" },
	{ "samples", "labels", "FixedString(16)" },
	{ "samples", "stack", "FixedString(16)" },
	{ "samples", "weight", "UInt64" },
	{ "samples", "count", "UInt64" },
	{ "samples", "longest", "UInt64" },
	{ "samples", "batch", "UInt32" },
	{ "stacks", "day", "Date" },
	{ "stacks", "hash", "FixedString(16)" },
	{ "stacks", "frames", "String" },
	{ "labels", "day", "Date" },
	{ "labels", "hash", "FixedString(16)" },
	{ "labels", "frames", "String" },
	{ "batches", "day", "Date" },
	{ "batches", "id", "FixedString(16)" },
	{ "batches", "recording", "FixedString(16)" },
	{ "batches", "event", "String" },
	{ "batches", "service", "String" },
	{ "batches", "host", "String" },
	{ "batches", "number", "UInt16" },
	{ "batches", "first", "UInt64" },
	{ "batches", "last", "UInt64" },
	{ "batches", "samples", "UInt64" },
	{ "batches", "lost", "UInt64" },
	{ "batches", "seen", "UInt64" },
	{ "batches", "columns", "String" },
	{ "batches", "unit", "String" },
	{ "batches", "header", "String" },
	{ 0 },
};

/* The order of rows serves the queries, which want an event of some services or hosts, in some hours; then by stack,
 * since equal stacks side by side take no room.  Stacks are read by hash, and each is a kB: with the usual 8192 rows in
 * a granule, reading some would take four times as long. */
#define SMALL_GRANULES "index_granularity = 256"
static const struct {
	const char *name, *engine, *order;
	const char *shard; /* the column by which a cluster distributes rows, so that a batch stays whole */
	const char *settings;
} tables[] = {
	{ "samples", "MergeTree", "(event, service, host, intDiv(toUInt32(second), 3600), stack, labels, second, ns)",
	  "sipHash64(host)", NULL },
	{ "stacks", "ReplacingMergeTree", "hash", "sipHash64(hash)", SMALL_GRANULES },
	{ "labels", "ReplacingMergeTree", "hash", "sipHash64(hash)", SMALL_GRANULES },
	{ "batches", "ReplacingMergeTree", "(event, service, host, id)", "sipHash64(host)", NULL },
};

enum { TABLES = sizeof(tables) / sizeof(*tables) };

static void schema_add_columns(struct str *out, const char *table)
{
	const char *between = "";

	for (const struct schema_column *c = schema_columns; c->name; c++) {
		if (strcmp(c->table, table) != 0)
			continue;
		str_addf(out, "%s    %s %s", between, c->name, c->type);
		between = ",\n";
	}
	if (!strcmp(table, "samples"))
		str_puts(out, ",\n    time UInt64 ALIAS toUInt64(toUInt32(second)) * 1000000000 + ns");
}

static void add_local(struct str *out, const struct schema_choice *choice, size_t i)
{
	const char *name = tables[i].name;

	str_addf(out, "CREATE TABLE IF NOT EXISTS %s%s", name, choice->cluster ? "_local" : "");
	if (choice->cluster)
		str_addf(out, " ON CLUSTER %s", choice->cluster);
	str_puts(out, "\n(\n");
	schema_add_columns(out, name);
	str_addf(out, "\n)\nENGINE = %s%s", choice->cluster ? "Replicated" : "", tables[i].engine);
	if (choice->cluster)
		str_addf(out, "('/clickhouse/tables/{shard}/%s/%s', '{replica}')", choice->database, name);
	else
		str_puts(out, "()");
	str_addf(out, "\nPARTITION BY day\nORDER BY %s", tables[i].order);
	if (choice->keep_days)
		str_addf(out, "\nTTL day + INTERVAL %lld DAY", (long long)choice->keep_days);
	if (tables[i].settings)
		str_addf(out, "\nSETTINGS %s", tables[i].settings);
}

static void add_distributed(struct str *out, const struct schema_choice *choice, size_t i)
{
	const char *name = tables[i].name;

	str_addf(out, "CREATE TABLE IF NOT EXISTS %s ON CLUSTER %s\n(\n", name, choice->cluster);
	schema_add_columns(out, name);
	str_addf(out, "\n)\nENGINE = Distributed(%s, %s, %s_local, %s)", choice->cluster, choice->database, name,
		 tables[i].shard);
}

int schema_each(const struct schema_choice *choice, int (*run)(void *argument, const char *statement), void *argument)
{
	struct str text = { 0 };
	int status = 0;

	for (size_t i = 0; i < TABLES * (choice->cluster ? 2 : 1) && !status; i++) {
		str_clear(&text);
		if (i < TABLES)
			add_local(&text, choice, i);
		else
			add_distributed(&text, choice, i - TABLES);
		status = run(argument, text.buf);
	}
	str_free(&text);
	return status;
}

static int print(void *argument, const char *statement)
{
	str_addf(argument, "%s;\n\n", statement);
	return 0;
}

void schema_print(const struct schema_choice *choice, struct str *out)
{
	schema_each(choice, print, out);
	out->len--;
	out->buf[out->len] = '\0';
}
