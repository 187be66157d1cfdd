/* schema: the tables of a store in ClickHouse: docs/store.md. */
#ifndef SHIP_SCHEMA_H
#define SHIP_SCHEMA_H

#include <stddef.h>

#include "core/str.h"

struct schema_choice {
	const char *cluster;  /* name of a cluster, for Replicated and Distributed tables; NULL: one server */
	const char *database; /* the tables', for Distributed ones */
	int64_t keep_days;    /* a TTL, which versions before 19.6 do not have; 0: none */
};

/* Call run for each statement, in order; it returns 0 to go on.  Returns what it returned last. */
int schema_each(const struct schema_choice *choice, int (*run)(void *argument, const char *statement), void *argument);

/* Append all statements, each ended by ";\n". */
void schema_print(const struct schema_choice *choice, struct str *out);

/* The columns that ship and its queries need: name, type. */
struct schema_column {
	const char *table, *name, *type;
};
extern const struct schema_column schema_columns[]; /* ends in a row without a name */

#endif
