/* native: rows as ClickHouse's format Native has them: one block, column by column.
 *
 * A server takes a block whole or not at all: one that is cut short cannot be parsed, and a block of one day, which is
 * one partition, becomes one part.
 *
 *     varint columns, varint rows, then for each column: name, type (varint length, bytes), its values
 *     a number: little-endian; FixedString: its bytes; String: varint length, bytes */
#ifndef SHIP_NATIVE_H
#define SHIP_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

void native_begin(struct str *out, size_t columns, size_t rows);

/* A column's name and type; its values, in this form, follow. */
void native_column(struct str *out, const char *name, const char *type);

/* A String. */
void native_text(struct str *out, const char *text, size_t len);

/* The same value for each of rows. */
void native_repeat(struct str *out, const void *value, size_t len, size_t rows);
void native_repeat_text(struct str *out, const char *text, size_t rows);

#endif
