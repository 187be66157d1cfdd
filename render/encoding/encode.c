#include "render/encoding/encode.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/encoding/digits.h"
#include "core/textsort.h"

enum { LINE_BYTES = 4000, SHARED_MAX = 63, FRAME_BYTES = 6 };

/* A name in use, and the data that determine its number. */
struct name_use {
	const char *text;
	size_t len;
	uint64_t count;
	uint32_t name;   /* in the profile */
	uint32_t rank;   /* place in the order of texts */
	uint32_t digits; /* length of its number */
};

static int encode_by_count(const void *a, const void *b)
{
	const struct name_use *x = a, *y = b;

	return ORDER(y->count, x->count) ?: ORDER(x->rank, y->rank);
}

static int by_digits_and_text(const void *a, const void *b)
{
	const struct name_use *x = a, *y = b;

	return ORDER(x->digits, y->digits) ?: ORDER(x->rank, y->rank);
}

static void encode_add_number(struct str *out, uint64_t n)
{
	str_reserve(out, NUMBER_BYTES);
	out->len = (size_t)(digits_put(out->buf + out->len, n) - out->buf);
	out->buf[out->len] = '\0';
}

static uint32_t digits_of(size_t number)
{
	uint32_t digits = 1;

	for (; number >= 32; number >>= 5)
		digits++;
	return digits;
}

/* Set uses[name] to how often names occur at root and below.  Returns how many names are used. */
static size_t count_uses(const struct tree *t, uint32_t root, uint64_t *uses)
{
	size_t used = 0;

	for (uint32_t i = root; i < t->frames[root].end; i++) {
		if (t->frames[i].name != PROFILE_FOLDED_NAME)
			used += !uses[t->frames[i].name]++;
	}
	return used;
}

/* The used names in the order of their texts. */
static struct name_use *sort_names(const struct profile *p, const uint64_t *uses, size_t used)
{
	struct sort_text *texts = xcalloc(used, sizeof(*texts));
	struct name_use *names = xcalloc(used, sizeof(*names));
	size_t count = 0;

	for (uint32_t n = 0; n < p->names.count; n++) {
		if (uses[n])
			texts[count++] = (struct sort_text){ .text = intern_text(&p->names, n),
							     .len = intern_len(&p->names, n),
							     .id = n };
	}
	textsort(texts, count);
	for (uint32_t i = 0; i < count; i++)
		names[i] = (struct name_use){ texts[i].text, texts[i].len, uses[texts[i].id], texts[i].id, i, 0 };
	free(texts);
	return names;
}

/* The names below root, in the order of their new numbers. */
static struct name_use *order_names(const struct profile *p, const struct tree *t, uint32_t root, size_t *count)
{
	uint64_t *uses = xcalloc(p->names.count, sizeof(*uses));
	struct name_use *names;

	*count = count_uses(t, root, uses);
	names = sort_names(p, uses, *count);
	free(uses);
	qsort(names, *count, sizeof(*names), encode_by_count);
	for (size_t i = 0; i < *count; i++)
		names[i].digits = digits_of(i);
	qsort(names, *count, sizeof(*names), by_digits_and_text);
	return names;
}

/* The number of characters in the common beginning of two names.  Only printable ASCII counts, in which a character is
 * one byte here and one unit in a script's strings. */
static size_t shared_prefix(const struct name_use *x, const struct name_use *y)
{
	size_t n = 0;

	while (n < SHARED_MAX && n < x->len && n < y->len && x->text[n] == y->text[n] && x->text[n] >= ' ' &&
	       x->text[n] <= '~')
		n++;
	return n;
}

static void encode_add_colour(struct str *out, uint32_t rgb)
{
	for (int shift = 18; shift >= 0; shift -= 6)
		str_addc(out, (char)(FIRST_DIGIT + (rgb >> shift & 63)));
}

static void encode_add_names(struct encoded *e, const struct name_use *names, size_t count,
			     const struct palette *palette)
{
	for (size_t i = 0; i < count; i++) {
		size_t shared = i ? shared_prefix(&names[i - 1], &names[i]) : 0;

		str_addc(&e->names, (char)(FIRST_DIGIT + shared));
		xml_add(&e->names, names[i].text + shared, names[i].len - shared);
		str_addc(&e->names, '\n');
		encode_add_colour(&e->colours, palette_colour(palette, names[i].text, names[i].len));
		encode_add_colour(&e->colours, palette_crumb(palette, names[i].text, names[i].len));
	}
}

/* Append the values that follow the flag, which are frame i's own; self is their share of the width. */
static void encode_add_values(struct str *out, const struct profile *p, const struct tree *t, uint32_t i, uint64_t self)
{
	uint32_t next = 0;

	if (p->combine == COMBINE_MAX)
		encode_add_number(out, self);
	encode_add_number(out, t->values_at[i + 1] - t->values_at[i]);
	for (size_t v = t->values_at[i]; v < t->values_at[i + 1]; v++) {
		encode_add_number(out, t->values[v].layer - next);
		encode_add_number(out, t->values[v].value);
		next = t->values[v].layer + 1;
	}
}

static void encode_add_frame(struct str *out, const struct profile *p, const struct tree *t, uint32_t i, uint64_t self,
			     uint32_t up, uint32_t name)
{
	bool layered = p->layer_count > 0;
	bool layers = layered && t->values_at[i + 1] > t->values_at[i];
	char *at;

	str_reserve(out, 5 * NUMBER_BYTES);
	at = out->buf + out->len;
	at = digits_put(at, (uint64_t)up << 1 | (self || layers));
	at = digits_put(at, name);
	if (t->frames[i].name == PROFILE_FOLDED_NAME)
		at = digits_put(at, tree_folded(t, i));
	if (t->arrival)
		at = digits_put(at, t->arrival[i]);
	if (self && !layered)
		at = digits_put(at, self);
	*at = '\0';
	out->len = (size_t)(at - out->buf);
	if (layered && (self || layers))
		encode_add_values(out, p, t, i, self);
}

static void encode_add_gap(struct str *out, uint64_t gap, uint32_t up, size_t name_count)
{
	encode_add_number(out, (uint64_t)up << 1 | 1);
	encode_add_number(out, name_count + 1);
	encode_add_number(out, gap);
}

/* tree_self() of frame i, without gaps. */
static uint64_t encode_self_of(const struct tree *t, uint32_t i)
{
	const struct frame *f = &t->frames[i];
	uint64_t self = f->total;

	for (uint32_t c = i + 1; c < f->end; c = t->frames[c].end)
		self -= t->frames[c].total + tree_gap(t, c);
	return self;
}

static void encode_add_frames(struct str *out, const struct profile *p, const struct tree *t, uint32_t root,
			      const uint32_t *number)
{
	uint32_t depth = t->frames[root].depth - 1; /* of the previous frame */
	size_t line_end = LINE_BYTES;

	str_reserve(out, (size_t)FRAME_BYTES * (t->frames[root].end - root));
	for (uint32_t i = root; i < t->frames[root].end; i++) {
		const struct frame *f = &t->frames[i];
		uint64_t gap = i > root ? tree_gap(t, i) : 0;

		if (gap) {
			encode_add_gap(out, gap, depth + 1 - f->depth, number[PROFILE_FOLDED_NAME]);
			depth = f->depth - 1;
		}
		encode_add_frame(out, p, t, i, encode_self_of(t, i), depth + 1 - f->depth, number[f->name]);
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
	encode_add_names(e, names, count, palette);
	number[PROFILE_FOLDED_NAME] = (uint32_t)count;
	encode_add_frames(&e->tree, p, t, root, number);
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
	*e = (struct encoded){ 0 };
}
