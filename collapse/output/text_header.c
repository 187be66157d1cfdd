#include "collapse/output/text_header.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/intern.h"
#include "core/markup.h"

enum { UNITS_NAMED_MAX = 8 }; /* in a message */

/* --- a new header ------------------------------------------------------------------- */

/* "wrong lines 2, clipped calls 3" */
static void add_losses_text(struct str *out, const struct text_origin *o)
{
	if (o->wrong)
		str_addf(out, "wrong lines %llu", (unsigned long long)o->wrong);
	str_addf(out, "%s%s", o->wrong && *o->losses ? ", " : "", o->losses);
}

static void add_wrong(struct str *line, const struct text_origin *o)
{
	struct str text = { 0 };

	add_losses_text(&text, o);
	if (text.len)
		pair_add(line, FOLDED_LOSSES, text.buf);
	str_free(&text);
}

static void text_header_add_event(struct str *line, const struct text_origin *o)
{
	struct str names = { 0 };

	for (size_t i = 0; i < o->data->event_count; i++) {
		if (o->data->events[i].name[0] != '[')
			str_addf(&names, "%s%s", names.len ? "," : "", o->data->events[i].name);
	}
	pair_add(line, FOLDED_EVENT, names.len ? names.buf : o->format);
	str_free(&names);
}

static void text_header_add_times(struct str *line, const struct text_origin *o)
{
	if (!o->timed)
		return;
	if (!o->is_wall_clock) {
		pair_add(line, FOLDED_CLOCK, "monotonic");
		return;
	}
	pair_add_time(line, FOLDED_START, o->first_ns);
	pair_add_time(line, FOLDED_END, o->last_ns);
}

static void text_header_add_roots(struct str *line, const struct text_origin *o)
{
	struct str roots = { 0 };

	roots_names(o->roots, &roots);
	pair_add(line, FOLDED_ROOT, roots.buf);
	str_free(&roots);
}

static void text_header_add_header(struct str *out, const struct text_origin *o)
{
	str_puts(out, FOLDED_HEADER);
	if (!o->is_folded) {
		text_header_add_event(out, o);
		text_header_add_times(out, o);
		if (o->timed && o->spans)
			pair_add(out, FOLDED_SPANS, "start");
		text_header_add_roots(out, o);
	}
	if (*o->filter)
		pair_add(out, FOLDED_FILTER, o->filter);
	add_wrong(out, o);
	if (o->compared)
		pair_add(out, FOLDED_COLUMNS, FOLDED_COMPARED);
	if (!o->is_folded)
		pair_add(out, FOLDED_UNIT, o->unit);
	out->buf[out->len - 1] = '\n';
}

/* --- the header of the text --------------------------------------------------------- */

static bool text_header_is_header(const char *line)
{
	return !strncmp(line, FOLDED_HEADER, strlen(FOLDED_HEADER));
}

/* Append a pair, with `more` at the end of its value.  The value is already escaped, `more` is not. */
static void text_header_extend(struct str *out, const struct pair *p, const char *between, const char *more)
{
	struct str escaped = { 0 };
	bool quoted = p->value_len > 1 && p->value[0] == '"' && p->value[p->value_len - 1] == '"';

	json_puts(&escaped, more); /* "more" */
	str_add(out, p->key, p->key_len);
	str_puts(out, "=\"");
	str_add(out, p->value + quoted, p->value_len - 2 * quoted);
	str_addf(out, "%s%s ", between, escaped.buf + 1);
	str_free(&escaped);
}

static void copy_pair(struct str *out, const struct pair *p, const struct text_origin *o, bool *filter, bool *losses)
{
	struct str text = { 0 };

	if (o->cut && (pair_is(p, FOLDED_START) || pair_is(p, FOLDED_END)))
		return;
	if (pair_is(p, FOLDED_FILTER) && *o->filter) {
		text_header_extend(out, p, " ", o->filter);
		*filter = true;
	} else if (pair_is(p, FOLDED_LOSSES) && (o->wrong || *o->losses)) {
		add_losses_text(&text, o);
		text_header_extend(out, p, ", ", text.buf);
		*losses = true;
	} else {
		str_add(out, p->key, p->len);
		str_addc(out, ' ');
	}
	str_free(&text);
}

static void change_header(struct str *out, const char *line, size_t len, const struct text_origin *o)
{
	const char *at = line + strlen(FOLDED_HEADER);
	bool filter = false, losses = false;
	struct pair p, unit = { 0 };

	str_puts(out, FOLDED_HEADER);
	while (pair_next(&at, line + len, &p)) {
		if (pair_is(&p, FOLDED_UNIT))
			unit = p;
		else
			copy_pair(out, &p, o, &filter, &losses);
	}
	if (o->cut)
		text_header_add_times(out, o);
	if (*o->filter && !filter)
		pair_add(out, FOLDED_FILTER, o->filter);
	if (!losses)
		add_wrong(out, o);
	if (o->compared)
		pair_add(out, FOLDED_COLUMNS, FOLDED_COMPARED);
	if (unit.key)
		str_add(out, unit.key, unit.len);
	else
		out->len--;
	str_addc(out, '\n');
}

/* Is the same header already in headers, which has all headers so far? */
static bool text_header_is_repeated(struct intern *headers, const char *comment, size_t len)
{
	size_t before = headers->count;

	if (!text_header_is_header(comment))
		return false;
	intern_add(headers, comment, len);
	return headers->count == before;
}

/* Take the units of a header, in their written form. */
static void text_header_take_units(struct intern *units, const char *line, size_t len)
{
	const char *at = line + strlen(FOLDED_HEADER);
	struct pair p;

	while (pair_next(&at, line + len, &p)) {
		if (pair_is(&p, FOLDED_UNIT))
			intern_add(units, p.value, p.value_len);
	}
}

size_t text_header_units(const char *comments, struct str *units)
{
	struct intern seen = { 0 };
	size_t count;

	while (*comments) {
		size_t len = strcspn(comments, "\n");

		if (text_header_is_header(comments))
			text_header_take_units(&seen, comments, len);
		comments += len + (comments[len] == '\n');
	}
	count = seen.count;
	for (uint32_t i = 0; i < count && i < UNITS_NAMED_MAX; i++)
		str_addf(units, "%s%s", i ? ", " : "", intern_text(&seen, i));
	if (count > UNITS_NAMED_MAX)
		str_puts(units, ", ...");
	intern_free(&seen);
	return count;
}

void text_header(struct str *out, const char *comments, const struct text_origin *o)
{
	struct intern headers = { 0 };
	bool has_header = text_header_is_header(comments) || strstr(comments, "\n" FOLDED_HEADER);
	bool changed = o->cut || o->compared || *o->filter || o->wrong || *o->losses, done = false;

	if (!has_header && (changed || !o->is_folded))
		text_header_add_header(out, o);
	while (*comments) {
		size_t len = strcspn(comments, "\n");

		if (text_header_is_repeated(&headers, comments, len)) {
			comments += len + 1;
			continue;
		}
		if (text_header_is_header(comments) && changed && !done) {
			change_header(out, comments, len, o);
			done = true;
		} else {
			str_add(out, comments, len);
			str_addc(out, '\n');
		}
		comments += len + 1;
	}
	intern_free(&headers);
}
