#include "collapse/fold/text_signed.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* --- whole lines -------------------------------------------------------------------- */

static void unfold_line(struct text_stacks *s, const struct whole_lines *w, const char *text, uint64_t sign,
			struct str *frames)
{
	const struct whole_line *line = whole_line_of(text, w->value_count);
	struct text_value value = { line->values[0].whole, line->values[0].fraction | sign };
	struct text_sample sample = { .values = &value, .labels = text_label(s, &TEXT_NO_LABELS) };
	const char *end = text + line->len, *stop;
	uint32_t frame;

	str_clear(frames);
	for (; text <= end; text = stop + 1) {
		stop = memchr(text, WHOLE_SEMICOLON, (size_t)(end - text));
		if (!stop)
			stop = end;
		frame = text_frame(s, TEXT_PLAIN, text, (size_t)(stop - text));
		str_add(frames, (const char *)&frame, sizeof(frame));
	}
	sample.stack = text_stack(s, (const uint32_t *)(const void *)frames->buf, frames->len / sizeof(frame));
	fold_add_text(s, &sample);
}

static void text_signed_unfold_lines(struct text_stacks *s, const struct whole_lines *w, uint64_t sign)
{
	struct str frames = { 0 };

	for (size_t i = 0; i < w->count; i++)
		unfold_line(s, w, w->refs[i].item, sign, &frames);
	str_free(&frames);
}

void text_signed_unfold(struct text_parsed *p, struct text_setup *setup)
{
	const struct text_part none = { 0 };
	size_t minus = 0;

	for (size_t i = 0; i < p->count; i++)
		minus += p->shards[i].whole_minus.count;
	if (!minus)
		return;
	setup->whole = false;
	for (size_t i = 0; i < p->count; i++) {
		struct text_stacks *s = &p->shards[i];
		uint64_t samples = s->samples;

		s->part = &none;
		text_signed_unfold_lines(s, &s->whole, 0);
		text_signed_unfold_lines(s, &s->whole_minus, TEXT_MINUS);
		s->part = NULL;
		s->samples = samples;
	}
}

/* --- the difference ------------------------------------------------------------------ */

/* Split a line's value into the amount to take off and the amount to add. */
struct signed_sums {
	struct text_value off, on;
};

static struct signed_sums sums_of(const struct fold *f, const struct fold_line *line)
{
	const uint64_t *more = fold_more(f, line);
	bool fractions = f->columns->fractions;

	return (struct signed_sums){ { line->value, fractions ? more[1] : 0 }, { more[0], fractions ? more[2] : 0 } };
}

static bool is_negative(const struct signed_sums *b)
{
	return b->off.whole > b->on.whole || (b->off.whole == b->on.whole && b->off.fraction > b->on.fraction);
}

static struct text_value difference_of(const struct signed_sums *b)
{
	bool borrow = b->off.fraction > b->on.fraction;

	if (is_negative(b)) /* of a line that is not kept */
		return (struct text_value){ 0, 0 };
	return (struct text_value){ b->on.whole - b->off.whole - borrow,
				    b->on.fraction - b->off.fraction + (borrow ? COLUMN_ONE : 0) };
}

bool text_signed_net(struct fold *f, struct columns *columns)
{
	bool fractions = columns->fractions;
	uint64_t *more = NULL;

	for (size_t i = 0; i < f->count; i++) {
		struct signed_sums sums = sums_of(f, &f->lines[i]);

		if (f->lines[i].kept && is_negative(&sums))
			return false;
	}
	if (fractions)
		more = xcalloc(f->count + 1, sizeof(*more));
	for (size_t i = 0; i < f->count; i++) {
		struct signed_sums sums = sums_of(f, &f->lines[i]);
		struct text_value net = difference_of(&sums);

		f->lines[i].value = net.whole;
		if (fractions)
			more[f->lines[i].row] = net.fraction;
	}
	free(f->more);
	f->more = more;
	f->more_cap = fractions ? f->count + 1 : 0;
	*columns = (struct columns){ { COLUMN_SAMPLES, COLUMN_FRACTION }, 1 + fractions, fractions };
	return true;
}
