#include "collapse/output/output_formats.h"
#include "core/wallclock.h"

enum { FLUSH_BYTES = 256 * 1024 };

static void folded_output_flush(FILE *out, struct str *text, size_t limit)
{
	if (text->len <= limit)
		return;
	fwrite(text->buf, 1, text->len, out);
	str_clear(text);
}

static void folded_output_write_lines(FILE *out, const struct product *p)
{
	const struct fold *fold = p->fold;
	struct str text = { 0 };

	for (size_t i = 0; i < fold->count; i++) {
		const struct fold_line *line = &fold->lines[i];

		if (!line->kept)
			continue;
		fold_line_text(line, p->texts, &text);
		columns_add_values(fold->columns, line->value, fold_more(fold, line), ' ', &text);
		str_addc(&text, '\n');
		folded_output_flush(out, &text, FLUSH_BYTES);
	}
	folded_output_flush(out, &text, 0);
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
		if (sample->wall_ns != TIMES_NONE) {
			str_addc(&text, '@');
			wallclock_add_seconds(&text, sample->wall_ns);
			str_addc(&text, ' ');
		}
		fold_line_text(line, p->texts, &text);
		columns_add_values(p->fold->columns, sample->value, times_more(times, sample), ' ', &text);
		str_addc(&text, '\n');
		folded_output_flush(out, &text, FLUSH_BYTES);
	}
	folded_output_flush(out, &text, 0);
	str_free(&text);
}

static void write_folded(FILE *out, const struct product *p)
{
	fwrite(str_text(&p->header), 1, p->header.len, out);
	if (p->times)
		write_timed(out, p);
	else
		folded_output_write_lines(out, p);
}

const struct output_format folded_output = { .name = "folded", .write = write_folded };
