/* sql: text from outside, as literals of ClickHouse's SQL.
 *
 * Versions before 19 have no parameters of queries, so that names go into the text of a query, by these functions and in
 * no other way. */
#ifndef SHIP_SQL_H
#define SHIP_SQL_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Append text as a quoted literal, 'text': for any bytes, only its last quote ends the literal. */
void sql_quote(struct str *out, const char *text, size_t len);

/* Append "column LIKE '...'" for a pattern of names, in which * stands for any text and ? for any character; after '!',
 * "NOT (...)".  for "" and "*", which match everything, append "1". */
void sql_like(struct str *out, const char *column, const char *pattern);

#endif
