/* Texts in bytewise order, compared with qsort() and memcmp(). */
#include <stdlib.h>

#include "core/textsort.h"
#include "tests/unit/check.h"

enum { COUNT = 20000, LEN_MAX = 24 };

static char texts[COUNT][LEN_MAX];

static int compare(const void *a, const void *b)
{
	const struct sort_text *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* Few different letters, NUL and the highest byte among them, so that many texts are alike. */
static void fill(struct sort_text *items, uint32_t seed)
{
	static const char letters[] = { 'a', 'a', 'a', 'b', '\0', '\xff' };

	for (uint32_t i = 0; i < COUNT; i++) {
		size_t len = (seed = seed * 1664525 + 1013904223) % LEN_MAX;

		for (size_t k = 0; k < len; k++)
			texts[i][k] = letters[(seed = seed * 1664525 + 1013904223) >> 16 & 3];
		for (size_t k = 0; k < len && seed & 1 << 20; k++)
			texts[i][k] = letters[((seed = seed * 1664525 + 1013904223) >> 8) % 6];
		items[i] = (struct sort_text){ .text = texts[i], .len = len, .id = i };
	}
}

static int in_order(const struct sort_text *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare(&items[i - 1], &items[i]) > 0)
			return 0;
	}
	return 1;
}

static int all_there(const struct sort_text *items)
{
	static char seen[COUNT];

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < COUNT; i++)
		seen[items[i].id]++;
	return !memchr(seen, 0, COUNT);
}

/* A million equal bytes, twice: no deep recursion. */
static void check_long(void)
{
	enum { LEN = 1000000 };
	char *text = calloc(1, LEN);
	struct sort_text items[3] = { { text, LEN, 0, 0 }, { text, LEN - 1, 0, 1 }, { text, LEN, 0, 2 } };

	textsort(items, 3);
	CHECK(items[0].id == 1);
	free(text);
}

int main(void)
{
	static struct sort_text items[COUNT];

	for (uint32_t seed = 1; seed <= 5; seed++) {
		fill(items, seed);
		textsort(items, COUNT);
		CHECK(in_order(items, COUNT));
		CHECK(all_there(items));
	}
	for (size_t count = 0; count < 4; count++) {
		fill(items, (uint32_t)count + 10);
		textsort(items, count);
		CHECK(in_order(items, count));
	}
	check_long();
	return check_done();
}
