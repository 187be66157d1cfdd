#include "render/profile/textsort.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* The eight bytes from at on, as a number with the same order; bytes after the end count as zero. */
static uint64_t textsort_key_at(const struct sort_text *t, size_t at)
{
	uint64_t key = 0;

	if (at < t->len)
		memcpy(&key, t->text + at, t->len - at < 8 ? t->len - at : 8);
	return be64toh(key);
}

/* Set the keys from the bytes from at on.  When all texts have ended there, they differ
 * only in the number of zero bytes at their end: then their lengths are the keys, and
 * false is returned. */
static bool set_keys(struct sort_text *texts, size_t count, size_t at)
{
	bool more = false;

	for (size_t i = 0; i < count; i++) {
		texts[i].key = textsort_key_at(&texts[i], at);
		more |= texts[i].len > at;
	}
	for (size_t i = 0; i < count && !more; i++)
		texts[i].key = texts[i].len;
	return more;
}

static void textsort_swap(struct sort_text *a, struct sort_text *b)
{
	struct sort_text t = *a;

	*a = *b;
	*b = t;
}

static uint64_t middle_key(const struct sort_text *texts, size_t count)
{
	uint64_t a = texts[0].key, b = texts[count / 2].key, c = texts[count - 1].key;

	if (a > b) {
		uint64_t t = a;

		a = b;
		b = t;
	}
	return c < a ? a : c > b ? b : c;
}

/* Partition by the keys: texts[0..*low) are less than the pivot, texts[*high..count)
 * greater. */
static void textsort_part(struct sort_text *texts, size_t count, size_t *low, size_t *high)
{
	uint64_t pivot = middle_key(texts, count);
	size_t i = 0;

	*low = 0;
	*high = count;
	while (i < *high) {
		if (texts[i].key < pivot)
			textsort_swap(&texts[i++], &texts[(*low)++]);
		else if (texts[i].key > pivot)
			textsort_swap(&texts[i], &texts[--*high]);
		else
			i++;
	}
}

/* A range to be sorted; the keys are set. */
struct range {
	struct sort_text *texts;
	size_t count, at;
	bool more; /* there are bytes after at; else the keys are lengths */
};

static struct range equal_part(const struct range *r, size_t low, size_t high)
{
	struct range equal = { r->texts + low, high - low, r->at + 8, false };

	if (!r->more) /* equal lengths: equal texts */
		equal.count = 0;
	else if (equal.count > 1)
		equal.more = set_keys(equal.texts, equal.count, equal.at);
	return equal;
}

/* The next round sorts the largest part, recursion the others: it never gets deep. */
static void textsort_sort(struct range r)
{
	while (r.count > 1) {
		struct range parts[3];
		size_t low, high, largest = 0;

		textsort_part(r.texts, r.count, &low, &high);
		parts[0] = (struct range){ r.texts, low, r.at, r.more };
		parts[1] = equal_part(&r, low, high);
		parts[2] = (struct range){ r.texts + high, r.count - high, r.at, r.more };
		for (size_t i = 1; i < 3; i++) {
			if (parts[i].count > parts[largest].count)
				largest = i;
		}
		for (size_t i = 0; i < 3; i++) {
			if (i != largest)
				textsort_sort(parts[i]);
		}
		r = parts[largest];
	}
}

void textsort(struct sort_text *texts, size_t count)
{
	bool more = set_keys(texts, count, 0);

	textsort_sort((struct range){ texts, count, 0, more });
}
