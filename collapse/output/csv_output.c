/* csv: comma-separated values (RFC 4180), for tables, DuckDB and ClickHouse.
 *
 *     time,comm,thread,stack,time_ns,count,recording     first line: names; only timed output has time
 *     1475682078.014325678,java,java-8513/dw-20,main;read,147000000,3,"host=db1 event=offcpu lost=0/30 ..."
 *
 * There is a column for each root; column stack has the other frames.  The format has no comments, so facts about the
 * recording, such as losses, are in the last column of the first line of data; on other lines, that column is empty. */
#include <string.h>

#include "collapse/roots/root.h"
#include "collapse/output/facts.h"
#include "collapse/output/line_view.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/value_types.h"
#include "core/wallclock.h"

enum { FLUSH_BYTES = 256 * 1024 };

struct csv {
	FILE *out;
	const struct product *p;
	struct header_facts facts;
	struct str text, stack;
	bool first; /* no line of data was written */
};

static void csv_output_flush(struct csv *w, size_t limit)
{
	if (w->text.len <= limit)
		return;
	fwrite(w->text.buf, 1, w->text.len, w->out);
	str_clear(&w->text);
}

/* Quoted only if it must be. */
static void csv_output_add_field(struct csv *w, const char *field, size_t len)
{
	bool plain = true;

	for (size_t i = 0; i < len; i++)
		plain &= field[i] != ',' && field[i] != '"' && field[i] != '\r' && field[i] != '\n';
	/* Spreadsheets read a name that looks like a number as a number, and one that begins like a formula as a
	 * formula. */
	if (plain && (!len || !strchr("=+@ ", field[0]))) {
		str_add(&w->text, field, len);
		return;
	}
	str_addc(&w->text, '"');
	for (size_t i = 0; i < len; i++) {
		if (field[i] == '"')
			str_addc(&w->text, '"');
		str_addc(&w->text, field[i]);
	}
	str_addc(&w->text, '"');
}

static void csv_output_add_name(struct csv *w, const char *name)
{
	csv_output_add_field(w, name, strlen(name));
	str_addc(&w->text, ',');
}

static size_t root_count(const struct product *p)
{
	return p->is_folded || !p->roots ? 0 : p->roots->count - p->roots->leaves;
}

static void csv_output_add_names(struct csv *w)
{
	const struct columns *c = w->p->fold->columns;

	if (w->p->times)
		csv_output_add_name(w, "time");
	for (size_t i = 0; i < root_count(w->p); i++)
		csv_output_add_name(w, w->p->roots->chosen[i]->name);
	csv_output_add_name(w, "stack");
	for (size_t i = 0; i < c->count - c->fractions; i++) {
		struct str name = { 0 };
		char word[VALUE_WORD_MAX];

		value_column_word(w->p, &w->facts, i, word);
		str_puts(&name, word);
		if (!i && strcmp(word, w->p->unit) != 0)
			str_addf(&name, "_%s", w->p->unit);
		csv_output_add_name(w, name.buf);
		str_free(&name);
	}
	str_puts(&w->text, "recording\r\n");
}

/* Move past the first frames of text; each frame ends in ';'.  Returns the length of the frames. */
static size_t csv_output_take_frames(const char **at, const char *end, unsigned frames)
{
	const char *start = *at, *stop = start;

	while (frames-- && stop < end) {
		stop = memchr(stop, ';', (size_t)(end - stop));
		stop = stop ? stop + 1 : end;
	}
	*at = stop;
	return stop == start ? 0 : (size_t)(stop - start) - 1;
}

static void csv_output_add_stack(struct csv *w, const struct fold_line *line)
{
	const struct intern *texts = w->p->texts;
	const char *at = intern_text(texts, line->texts[0]), *end = at + intern_len(texts, line->texts[0]);

	for (size_t i = 0; i < root_count(w->p); i++) {
		const char *field = at;
		size_t len = csv_output_take_frames(&at, end, w->p->fold->shapes[line->shape][i]);

		csv_output_add_field(w, field, len);
		str_addc(&w->text, ',');
	}
	str_clear(&w->stack);
	str_add(&w->stack, at, (size_t)(end - at));
	for (uint32_t i = 1; i < line->count; i++) {
		str_add(&w->stack, intern_text(texts, line->texts[i]), intern_len(texts, line->texts[i]));
		str_addc(&w->stack, ';');
	}
	csv_output_add_field(w, str_text(&w->stack), w->stack.len - (w->stack.len > 0));
	str_addc(&w->text, ',');
}

static void csv_output_add_facts(struct csv *w)
{
	struct str facts = { 0 };

	for (size_t i = 0; i < w->facts.count; i++)
		str_addf(&facts, "%s%s=%s", facts.len ? "\n" : "", w->facts.items[i].key, w->facts.items[i].value);
	for (size_t i = 0; i < w->facts.note_count; i++)
		str_addf(&facts, "%s%s", facts.len ? "\n" : "", w->facts.notes[i]);
	csv_output_add_field(w, str_text(&facts), facts.len);
	str_free(&facts);
}

static void csv_output_add_line(struct csv *w, const struct fold_line *line, uint64_t first, const uint64_t *more)
{
	const struct columns *c = w->p->fold->columns;

	csv_output_add_stack(w, line);
	for (size_t i = 0; i < c->count - c->fractions; i++) {
		value_decimal(w->p, i, first, more, &w->text);
		str_addc(&w->text, ',');
	}
	if (w->first)
		csv_output_add_facts(w);
	w->first = false;
	str_puts(&w->text, "\r\n");
	csv_output_flush(w, FLUSH_BYTES);
}

static void csv_output_add_lines(struct csv *w)
{
	const struct fold *fold = w->p->fold;
	const struct timed_samples *times = w->p->times;

	for (size_t i = 0; !times && i < fold->count; i++) {
		if (fold->lines[i].kept)
			csv_output_add_line(w, &fold->lines[i], fold->lines[i].value, fold_more(fold, &fold->lines[i]));
	}
	for (size_t i = 0; times && i < times->count; i++) {
		const struct timed_sample *s = &times->items[i];

		if (!fold->lines[s->stack].kept)
			continue;
		if (s->wall_ns != TIMES_NONE)
			wallclock_add_seconds(&w->text, s->wall_ns);
		str_addc(&w->text, ',');
		csv_output_add_line(w, &fold->lines[s->stack], s->value, times_more(times, s));
	}
}

static void write_csv(FILE *out, const struct product *p)
{
	struct csv w = { .out = out, .p = p, .first = true };

	facts_read(&w.facts, str_text(&p->header));
	csv_output_add_names(&w);
	csv_output_add_lines(&w);
	csv_output_flush(&w, 0);
	facts_free(&w.facts);
	str_free(&w.text);
	str_free(&w.stack);
}

const struct output_format csv_output = {
	.name = "csv",
	.endings = ENDINGS(".csv"),
	.spans = true,
	.write = write_csv,
};
