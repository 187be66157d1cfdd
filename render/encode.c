#include "render/encode.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"

enum { FIRST_DIGIT = 63, LINE_BYTES = 4000, SHARED_MAX = 63, FRAME_BYTES = 6 };

/* A name that occurs, and how its number is found. */
struct name_use {
	const char *text;
	size_t len;
	uint64_t count;
	uint32_t name; /* in the profile */
	uint32_t digits; /* that its number takes */
};

static int compare_text(const struct name_use *x, const struct name_use *y)
{
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int by_count(const void *a, const void *b)
{
	const struct name_use *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return compare_text(x, y);
}

static int by_digits_and_text(const void *a, const void *b)
{
	const struct name_use *x = a, *y = b;

	if (x->digits != y->digits)
		return x->digits < y->digits ? -1 : 1;
	return compare_text(x, y);
}

static void add_number(struct str *out, uint64_t n)
{
	while (n >= 32) {
		str_addc(out, (char)(FIRST_DIGIT + 32 + (n & 31)));
		n >>= 5;
	}
	str_addc(out, (char)(FIRST_DIGIT + n));
}

static uint32_t digits_of(size_t number)
{
	uint32_t digits = 1;

	for (; number >= 32; number >>= 5)
		digits++;
	return digits;
}

/* The names below root, in the order of their new numbers. */
static struct name_use *order_names(const struct profile *p, const struct tree *t, uint32_t root,
				    size_t *count)
{
	uint64_t *uses = xcalloc(p->names.count, sizeof(*uses));
	struct name_use *names;
	size_t used = 0;

	for (uint32_t i = root; i < t->frames[root].end; i++) {
		if (t->frames[i].name != PROFILE_FOLDED_NAME)
			used += !uses[t->frames[i].name]++;
	}
	names = xcalloc(used, sizeof(*names));
	*count = 0;
	for (uint32_t n = 0; n < p->names.count; n++) {
		if (uses[n])
			names[(*count)++] = (struct name_use){ intern_text(&p->names, n),
							       intern_len(&p->names, n), uses[n],
							       n, 0 };
	}
	free(uses);
	qsort(names, used, sizeof(*names), by_count);
	for (size_t i = 0; i < used; i++)
		names[i].digits = digits_of(i);
	qsort(names, used, sizeof(*names), by_digits_and_text);
	return names;
}

/* Characters at the beginning of both: printable ASCII only, of which one is
 * one byte here and one unit in a script's strings. */
static size_t shared_prefix(const struct name_use *x, const struct name_use *y)
{
	size_t n = 0;

	while (n < SHARED_MAX && n < x->len && n < y->len && x->text[n] == y->text[n] &&
	       x->text[n] >= ' ' && x->text[n] <= '~')
		n++;
	return n;
}

static void add_colour(struct str *out, uint32_t rgb)
{
	for (int shift = 18; shift >= 0; shift -= 6)
		str_addc(out, (char)(FIRST_DIGIT + (rgb >> shift & 63)));
}

static void add_names(struct encoded *e, const struct name_use *names, size_t count,
		      const struct palette *palette)
{
	for (size_t i = 0; i < count; i++) {
		size_t shared = i ? shared_prefix(&names[i - 1], &names[i]) : 0;

		str_addc(&e->names, (char)(FIRST_DIGIT + shared));
		xml_add(&e->names, names[i].text + shared, names[i].len - shared);
		str_addc(&e->names, '\n');
		add_colour(&e->colours, palette_colour(palette, names[i].text, names[i].len));
		add_colour(&e->colours, palette_crumb(palette, names[i].text, names[i].len));
	}
}

/* Behind the flag for it: frame i's own values, of which the width is self. */
static void add_values(struct str *out, const struct profile *p, const struct tree *t, uint32_t i,
		       uint64_t self)
{
	uint32_t next = 0;

	if (p->combine == COMBINE_MAX)
		add_number(out, self);
	add_number(out, t->values_at[i + 1] - t->values_at[i]);
	for (size_t v = t->values_at[i]; v < t->values_at[i + 1]; v++) {
		add_number(out, t->values[v].layer - next);
		add_number(out, t->values[v].value);
		next = t->values[v].layer + 1;
	}
}

static void add_frame(struct str *out, const struct profile *p, const struct tree *t, uint32_t i,
		      uint32_t up, uint32_t name)
{
	uint64_t self = tree_self(t, i);
	bool layers = t->values_at && t->values_at[i + 1] > t->values_at[i];

	add_number(out, (uint64_t)up << 1 | (self || layers));
	add_number(out, name);
	if (t->frames[i].name == PROFILE_FOLDED_NAME)
		add_number(out, tree_folded(t, i));
	if (t->arrival)
		add_number(out, t->arrival[i]);
	if (t->values_at && (self || layers))
		add_values(out, p, t, i, self);
	else if (self)
		add_number(out, self);
}

static void add_frames(struct str *out, const struct profile *p, const struct tree *t,
		       uint32_t root, const uint32_t *number)
{
	uint32_t depth = t->frames[root].depth - 1; /* of the frame before */
	size_t line_end = LINE_BYTES;

	str_reserve(out, (size_t)FRAME_BYTES * (t->frames[root].end - root));
	for (uint32_t i = root; i < t->frames[root].end; i++) {
		const struct frame *f = &t->frames[i];

		add_frame(out, p, t, i, depth + 1 - f->depth, number[f->name]);
		depth = f->depth;
		if (out->len >= line_end) {
			str_addc(out, '\n');
			line_end = out->len + LINE_BYTES;
		}
	}
}

void encode(struct encoded *e, const struct profile *p, const struct tree *t, uint32_t root,
	    const struct palette *palette)
{
	uint32_t *number = xcalloc(p->names.count, sizeof(*number));
	size_t count;
	struct name_use *names = order_names(p, t, root, &count);

	*e = (struct encoded){ .name_count = (uint32_t)count,
			       .frame_count = t->frames[root].end - root,
			       .number = number };
	memset(number, 0xff, p->names.count * sizeof(*number));
	for (size_t i = 0; i < count; i++)
		number[names[i].name] = (uint32_t)i;
	add_names(e, names, count, palette);
	number[PROFILE_FOLDED_NAME] = (uint32_t)count;
	add_frames(&e->tree, p, t, root, number);
	free(names);
}

void encoded_free(struct encoded *e)
{
	if (!e)
		return;
	str_free(&e->names);
	str_free(&e->colours);
	str_free(&e->tree);
	free(e->number);
	*e = (struct encoded){0};
}
