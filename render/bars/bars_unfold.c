#include "render/bars/bars.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/intern.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/str.h"
#include "render/encoding/decode.h"
#include "render/encoding/unfold.h"
#include "render/profile/sample.h"

static const char ID[] = "bars", DAMAGED[] = "its data is damaged";

/* A segment's numbers: row, kind and by, then the values of the columns. */
enum { ROW, KIND, BY, FIRST_COLUMN, COLUMNS_MAX = 4, FIELDS_MAX = FIRST_COLUMN + COLUMNS_MAX };

struct unfolder {
	struct json data;
	struct intern names, kinds; /* filled with intern_append(): a name's number is its place in the file */
	uint32_t *rows;             /* the names of rows */
	size_t row_count, rows_cap;
	uint64_t decimals;
	size_t column_count;
	bool is_count[COLUMNS_MAX]; /* the column has no decimals */
	struct str columns;         /* ",count,longest": the columns after the first */
	char **lines;
	size_t line_count, lines_cap;
};

bool bars_are_in(const char *svg, size_t len)
{
	struct str text = { 0 };
	bool found = decode_text(&text, svg, len, ID);

	str_free(&text);
	return found;
}

/* ---- header ----------------------------------------------------------------- */

/* Append "time,count,longest": the name of the first column, then the others. */
static void bars_unfold_add_columns(struct unfolder *u, struct str *out, const struct str *list)
{
	struct str columns = { 0 };

	str_add(&columns, list->buf, strcspn(str_text(list), ","));
	str_add(&columns, str_text(&u->columns), u->columns.len);
	unfold_pair(out, FOLDED_COLUMNS, &columns);
	str_free(&columns);
}

static void bars_unfold_add_header(struct unfolder *u, struct str *out)
{
	struct json source = json_member(u->data, "source"), value;
	struct str key = { 0 }, text = { 0 }, roots = { 0 };
	bool rooted = false;

	json_text(json_member(u->data, "roots"), &roots);
	str_add(out, FOLDED_HEADER, strlen(FOLDED_HEADER) - 1); /* pairs begin with a blank */
	while (json_next_member(&source, &key, &value)) {
		const char *k = str_text(&key);

		if (!unfold_is_key(k) || !json_text(value, &text) || !strcmp(k, FOLDED_UNIT) ||
		    !strcmp(k, FOLDED_SPANS))
			continue;
		rooted |= !strcmp(k, FOLDED_ROOT);
		if (!strcmp(k, FOLDED_COLUMNS))
			bars_unfold_add_columns(u, out, &text);
		else
			unfold_pair(out, k, strcmp(k, FOLDED_ROOT) ? &text : &roots);
	}
	if (!rooted)
		unfold_pair(out, FOLDED_ROOT, &roots);
	if (json_text(json_member(u->data, "unit"), &text))
		unfold_pair(out, FOLDED_UNIT, &text);
	str_addc(out, '\n');
	str_free(&key);
	str_free(&text);
	str_free(&roots);
}

/* ---- lists ------------------------------------------------------------------ */

static void bars_unfold_read_names(struct unfolder *u)
{
	struct json list = json_member(u->data, "names"), item;
	struct str text = { 0 };

	while (json_next_item(&list, &item)) {
		json_text(item, &text);
		intern_append(&u->names, str_text(&text), text.len);
	}
	str_free(&text);
}

static void read_kinds(struct unfolder *u)
{
	struct json list = json_member(u->data, "kinds"), item;
	struct str text = { 0 };

	while (json_next_item(&list, &item)) {
		json_text(json_member(item, "name"), &text);
		intern_append(&u->kinds, str_text(&text), text.len);
	}
	str_free(&text);
}

/* Returns NULL, or what is wrong. */
static const char *read_rows(struct unfolder *u)
{
	struct json list = json_member(u->data, "rows"), item;
	uint64_t name;

	while (json_next_item(&list, &item)) {
		if (!json_u64(json_member(item, "name"), &name) || name >= u->names.count)
			return DAMAGED;
		u->rows = xgrow(u->rows, &u->rows_cap, u->row_count + 1, sizeof(*u->rows));
		u->rows[u->row_count++] = (uint32_t)name;
	}
	return NULL;
}

/* Returns NULL, or what is wrong. */
static const char *bars_unfold_read_columns(struct unfolder *u)
{
	struct json list = json_member(u->data, "columns"), item;
	struct str name = { 0 };

	while (json_next_item(&list, &item) && u->column_count < COLUMNS_MAX) {
		json_text(item, &name);
		u->is_count[u->column_count] = json_is(item, "count") || json_is(item, "migrations");
		if (u->column_count++)
			str_addf(&u->columns, ",%s", str_text(&name));
	}
	str_free(&name);
	return u->column_count ? NULL : DAMAGED;
}

/* ---- lines ------------------------------------------------------------------ */

static void bars_unfold_add_name(struct str *out, const struct intern *texts, uint64_t number)
{
	unfold_frames(out, intern_text(texts, (uint32_t)number), intern_len(texts, (uint32_t)number));
}

/* A CPU's idle time is not a line: it is the part of the window that the lines leave over. */
static bool is_idle_time(const struct unfolder *u, uint64_t kind)
{
	return !strcmp(intern_text(&u->kinds, (uint32_t)kind), FOLDED_BY_IDLE) &&
	       json_is(json_member(u->data, "kind"), "tenancy");
}

/* Append the line of a segment with the fields f; has_by: it has a by. */
static const char *bars_unfold_add_line(struct unfolder *u, const uint64_t *f, bool has_by)
{
	struct str line = { 0 };

	if (f[ROW] >= u->row_count || f[KIND] >= u->kinds.count || (has_by && f[BY] >= u->names.count))
		return DAMAGED;
	if (is_idle_time(u, f[KIND]))
		return NULL;
	bars_unfold_add_name(&line, &u->names, u->rows[f[ROW]]);
	str_addc(&line, ';');
	bars_unfold_add_name(&line, &u->kinds, f[KIND]);
	if (has_by) {
		str_addc(&line, ';');
		bars_unfold_add_name(&line, &u->names, f[BY]);
	}
	for (size_t i = 0; i < u->column_count; i++)
		unfold_value(&line, f[FIRST_COLUMN + i], u->is_count[i] ? 0 : (unsigned)u->decimals);
	str_addc(&line, '\n');
	u->lines = xgrow(u->lines, &u->lines_cap, u->line_count + 1, sizeof(*u->lines));
	u->lines[u->line_count++] = line.buf;
	return NULL;
}

static const char *bars_unfold_read_segments(struct unfolder *u)
{
	struct json list = json_member(u->data, "segments"), item;
	uint64_t fields[FIELDS_MAX] = { 0 };
	const char *wrong = NULL;
	bool has_by = false;
	size_t n = 0;

	while (!wrong && json_next_item(&list, &item)) {
		bool good = json_u64(item, &fields[n]);

		if (n == BY)
			has_by = good;
		else if (!good)
			return DAMAGED;
		if (++n < FIRST_COLUMN + u->column_count)
			continue;
		wrong = bars_unfold_add_line(u, fields, has_by);
		n = 0;
	}
	return n ? DAMAGED : wrong;
}

static const char *bars_unfold_read_data(struct unfolder *u)
{
	const char *wrong;

	if (!json_u64(json_member(u->data, "decimals"), &u->decimals) || u->decimals > SAMPLE_DECIMALS_MAX)
		return DAMAGED;
	wrong = bars_unfold_read_columns(u);
	bars_unfold_read_names(u);
	read_kinds(u);
	if (!wrong)
		wrong = read_rows(u);
	return wrong ? wrong : bars_unfold_read_segments(u);
}

/* ---- all of it -------------------------------------------------------------- */

static int bars_unfold_by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void bars_unfold_unfolder_free(struct unfolder *u)
{
	for (size_t i = 0; i < u->line_count; i++)
		free(u->lines[i]);
	free(u->lines);
	free(u->rows);
	str_free(&u->columns);
	intern_free(&u->names);
	intern_free(&u->kinds);
}

int bars_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	struct unfolder u = { 0 };
	struct str text = { 0 }, header = { 0 };
	const char *wrong;

	decode_text(&text, svg, len, ID);
	u.data = json_make(str_text(&text), text.len);
	wrong = bars_unfold_read_data(&u);
	if (!wrong) {
		bars_unfold_add_header(&u, &header);
		fputs(header.buf, out);
		if (u.line_count)
			qsort(u.lines, u.line_count, sizeof(*u.lines), bars_unfold_by_text);
		for (size_t i = 0; i < u.line_count; i++)
			fputs(u.lines[i], out);
	}
	bars_unfold_unfolder_free(&u);
	str_free(&text);
	str_free(&header);
	return wrong ? error("%s: %s", path, wrong) : 0;
}
