#include "ship/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "ship/native.h"
#include "ship/row.h"

enum { COLUMNS = 3 };

/* All columns but the last, and the name of the last one; the caller gives the hashes. */
static void begin_block(struct str *out, uint16_t day, size_t rows)
{
	native_begin(out, COLUMNS, rows);
	native_column(out, "day", "Date");
	native_repeat(out, &day, sizeof(day), rows);
	native_column(out, "hash", "FixedString(16)");
}

static void begin_texts(struct str *out)
{
	native_column(out, "frames", "String");
}

void definitions_add(struct str *out, uint16_t day, const struct definition *const *texts, size_t count)
{
	size_t bytes = 100;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		bytes += sizeof(day) + SIP_BYTES + 10 + texts[i]->len;
	str_reserve(out, bytes); /* at once: it may be 100 MB */
	begin_block(out, day, count);
	for (size_t i = 0; i < count; i++)
		str_add(out, (const char *)texts[i]->hash, SIP_BYTES);
	begin_texts(out);
	for (size_t i = 0; i < count; i++)
		native_text(out, texts[i]->text, texts[i]->len);
}

/* ---- which definitions the store lacks ---- */

static bool column_is(struct binary_row *row, const char *name, const char *type)
{
	size_t name_len, type_len;
	const char *its_name = row_text(row, &name_len), *its_type = row_text(row, &type_len);

	return its_type && name_len == strlen(name) && !memcmp(its_name, name, name_len) && type_len == strlen(type) &&
	       !memcmp(its_type, type, type_len);
}

bool definitions_parse(struct definitions *d, const struct str *block)
{
	struct binary_row row = { block->buf, block->buf };
	uint64_t columns, count;
	const char *days;
	size_t len;

	*d = (struct definitions){ 0 };
	if (!block->len)
		return false;
	row.end += block->len;
	if (!row_varint(&row, &columns) || columns != COLUMNS || !row_varint(&row, &count) || !count ||
	    count > block->len / SIP_BYTES || !column_is(&row, "day", "Date"))
		return false;
	d->count = count;
	days = row_bytes(&row, count * sizeof(d->day));
	if (!days || !column_is(&row, "hash", "FixedString(16)"))
		return false;
	memcpy(&d->day, days, sizeof(d->day));
	d->hashes = (const unsigned char *)row_bytes(&row, count * SIP_BYTES);
	if (!d->hashes || !column_is(&row, "frames", "String"))
		return false;
	d->texts = row.at;
	d->end = row.end;
	for (size_t i = 0; i < count; i++) {
		if (!row_text(&row, &len))
			return false;
	}
	return row.at == row.end;
}

static int definitions_by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, SIP_BYTES);
}

/* Append a row's text, which follows the one before it if that was appended, too. */
static void definitions_add_text(struct definitions_left *left, const char *from, const char *to)
{
	struct http_piece *last = left->count > 1 ? &left->pieces[left->count - 1] : NULL;

	if (last && (const char *)last->bytes + last->len == from) {
		last->len += (size_t)(to - from);
		return;
	}
	left->pieces = xgrow(left->pieces, &left->cap, left->count + 1, sizeof(*left->pieces));
	left->pieces[left->count++] = (struct http_piece){ from, (size_t)(to - from) };
}

void definitions_without(const struct definitions *d, unsigned char *known, size_t known_count,
			 struct definitions_left *left)
{
	struct binary_row row = { d->texts, d->end };
	struct str hashes = { 0 };
	size_t rows = 0, len;

	*left = (struct definitions_left){ 0 };
	left->pieces = xgrow(NULL, &left->cap, 1, sizeof(*left->pieces));
	left->count = 1;
	if (known_count)
		qsort(known, known_count, SIP_BYTES, definitions_by_bytes);
	for (size_t i = 0; i < d->count; i++) {
		const unsigned char *hash = d->hashes + i * SIP_BYTES;
		const char *from = row.at;

		row_text(&row, &len);
		if (known_count && bsearch(hash, known, known_count, SIP_BYTES, definitions_by_bytes))
			continue;
		str_add(&hashes, (const char *)hash, SIP_BYTES);
		definitions_add_text(left, from, row.at);
		rows++;
	}
	if (rows) {
		begin_block(&left->begin, d->day, rows);
		str_add(&left->begin, hashes.buf, hashes.len);
		begin_texts(&left->begin);
		left->pieces[0] = (struct http_piece){ left->begin.buf, left->begin.len };
	} else {
		left->count = 0;
	}
	str_free(&hashes);
}

void definitions_left_free(struct definitions_left *left)
{
	str_free(&left->begin);
	free(left->pieces);
	*left = (struct definitions_left){ 0 };
}
