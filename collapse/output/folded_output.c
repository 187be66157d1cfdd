#include "collapse/output/output_formats.h"
#include "core/wallclock.h"

enum { FLUSH_BYTES = 256 * 1024 };

/* ".25" */
static void add_fraction(struct str *text, uint64_t fraction)
{
	if (!fraction)
		return;
	str_addf(text, ".%018llu", (unsigned long long)fraction);
	while (text->buf[text->len - 1] == '0')
		text->buf[--text->len] = '\0';
}

static void flush(FILE *out, struct str *text, size_t limit)
{
	if (text->len <= limit)
		return;
	fwrite(text->buf, 1, text->len, out);
	str_clear(text);
}

/* more: the values of the columns after the first. */
static void add_values(struct str *text, const struct columns *c, uint64_t first, const uint64_t *more)
{
	for (size_t i = 0; i < c->count - c->fractions; i++) {
		str_addc(text, ' ');
		str_add_u64(text, i ? more[i - 1] : first);
		if (c->fractions)
			add_fraction(text, more[c->count - c->fractions + i - 1]);
	}
}

static void write_lines(FILE *out, const struct product *p)
{
	const struct fold *fold = p->fold;
	struct str text = { 0 };

	for (size_t i = 0; i < fold->count; i++) {
		const struct fold_line *line = &fold->lines[i];

		if (!line->kept)
			continue;
		fold_line_text(line, p->texts, &text);
		add_values(&text, fold->columns, line->value, fold_more(fold, line));
		str_addc(&text, '\n');
		flush(out, &text, FLUSH_BYTES);
	}
	flush(out, &text, 0);
	str_free(&text);
}

static void write_timed(FILE *out, const struct product *p)
{
	const struct timed_samples *times = p->times;
	struct str text = { 0 };

	for (size_t i = 0; i < times->count; i++) {
		const struct timed_sample *sample = &times->items[i];
		const struct fold_line *line = &p->fold->lines[sample->stack];

		if (!line->kept)
			continue;
		str_addc(&text, '@');
		wallclock_add_seconds(&text, sample->wall_ns);
		str_addc(&text, ' ');
		fold_line_text(line, p->texts, &text);
		add_values(&text, p->fold->columns, sample->value, times_more(times, sample));
		str_addc(&text, '\n');
		flush(out, &text, FLUSH_BYTES);
	}
	flush(out, &text, 0);
	str_free(&text);
}

static void write_folded(FILE *out, const struct product *p)
{
	fwrite(str_text(&p->header), 1, p->header.len, out);
	if (p->times)
		write_timed(out, p);
	else
		write_lines(out, p);
}

const struct output_format folded_output = { "folded", "a line for each stack: frame;frame;... value", write_folded };
