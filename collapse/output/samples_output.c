/* samples: writes every single sample, and refers to its stack and its labels by number: core/format/samples.h. */
#include <stdlib.h>
#include <string.h>

#include "collapse/roots/root.h"
#include "collapse/output/output_formats.h"
#include "core/format/samples.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum { FLUSH_BYTES = 256 * 1024 };

/* The numbers + 1 that a line's labels and its stack have been given; 0: not yet. */
struct line_numbers {
	uint32_t labels, stack;
};

struct writer {
	FILE *out;
	const struct product *p;
	struct intern labels, stacks;
	struct line_numbers *numbers; /* by line */
	struct str text, part;
};

static void samples_output_flush(struct writer *w, size_t limit)
{
	if (w->text.len <= limit)
		return;
	fwrite(w->text.buf, 1, w->text.len, w->out);
	str_clear(&w->text);
}

/* The number of part, after defining it if it is new. */
static uint32_t define(struct writer *w, struct intern *known, const char *what)
{
	size_t before = known->count;
	uint32_t number = intern_add(known, str_text(&w->part), w->part.len);

	if (known->count == before)
		return number;
	str_puts(&w->text, what);
	str_add_u64(&w->text, number);
	str_addc(&w->text, ' ');
	str_add(&w->text, str_text(&w->part), w->part.len);
	str_addc(&w->text, '\n');
	return number;
}

static uint32_t samples_output_labels_of(struct writer *w, const struct fold_line *line)
{
	const struct roots *roots = w->p->roots;
	const char *at = intern_text(w->p->texts, line->texts[0]);
	const char *end = at + intern_len(w->p->texts, line->texts[0]);

	str_clear(&w->part);
	for (size_t i = 0; roots && i < roots->count - roots->leaves; i++) {
		const char *start = at;

		for (unsigned n = w->p->fold->shapes[line->shape][i]; n && at < end; n--) {
			const char *stop = memchr(at, ';', (size_t)(end - at));

			at = stop ? stop + 1 : end;
		}
		if (at == start)
			continue;
		if (w->part.len)
			str_addc(&w->part, SAMPLES_BETWEEN_LABELS);
		str_puts(&w->part, roots->chosen[i]->name);
		str_addc(&w->part, '=');
		str_add(&w->part, start, (size_t)(at - start) - (at[-1] == ';'));
	}
	return define(w, &w->labels, SAMPLES_LABELS);
}

static uint32_t samples_output_stack_of(struct writer *w, const struct fold_line *line)
{
	str_clear(&w->part);
	for (uint32_t i = 1; i < line->count; i++) {
		if (i > 1)
			str_addc(&w->part, ';');
		str_add(&w->part, intern_text(w->p->texts, line->texts[i]), intern_len(w->p->texts, line->texts[i]));
	}
	return define(w, &w->stacks, SAMPLES_STACK);
}

static void samples_output_add_sample(struct writer *w, uint32_t number, uint64_t wall_ns, uint64_t first,
				      const uint64_t *more)
{
	const struct fold_line *line = &w->p->fold->lines[number];
	struct line_numbers *n = &w->numbers[number];

	if (!n->labels) {
		n->labels = samples_output_labels_of(w, line) + 1;
		n->stack = samples_output_stack_of(w, line) + 1;
	}
	if (wall_ns != TIMES_NONE) {
		str_addc(&w->text, SAMPLES_TIME);
		wallclock_add_seconds(&w->text, wall_ns);
		str_addc(&w->text, ' ');
	} else {
		str_puts(&w->text, SAMPLES_UNTIMED);
	}
	str_add_u64(&w->text, n->labels - 1);
	str_addc(&w->text, ' ');
	str_add_u64(&w->text, n->stack - 1);
	columns_add_values(w->p->fold->columns, first, more, ' ', &w->text);
	str_addc(&w->text, '\n');
	samples_output_flush(w, FLUSH_BYTES);
}

static void samples_output_write_samples(FILE *out, const struct product *p)
{
	struct writer w = { .out = out, .p = p, .numbers = xcalloc(p->fold->count + 1, sizeof(*w.numbers)) };

	fwrite(str_text(&p->header), 1, p->header.len, out);
	for (size_t i = 0; p->times && i < p->times->count; i++) {
		const struct timed_sample *s = &p->times->items[i];

		if (p->fold->lines[s->stack].kept)
			samples_output_add_sample(&w, s->stack, s->wall_ns, s->value, times_more(p->times, s));
	}
	for (size_t i = 0; !p->times && i < p->fold->count; i++) {
		if (p->fold->lines[i].kept)
			samples_output_add_sample(&w, (uint32_t)i, TIMES_NONE, p->fold->lines[i].value,
						  fold_more(p->fold, &p->fold->lines[i]));
	}
	samples_output_flush(&w, 0);
	intern_free(&w.labels);
	intern_free(&w.stacks);
	free(w.numbers);
	str_free(&w.text);
	str_free(&w.part);
}

const struct output_format samples_output = { .name = "samples",
					      .unlisted = true,
					      .write = samples_output_write_samples };
