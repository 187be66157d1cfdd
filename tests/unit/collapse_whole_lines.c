/* Whole lines that are found by their hash, when lines are longer than a block. */
#include <stdio.h>
#include <stdlib.h>

#include "collapse/fold/whole_lines.h"
#include "core/memory.h"
#include "tests/unit/check.h"

enum { LONG = 12 << 20, SHORT = 120, LINES = 80000 };

static void add_short(struct whole_lines *w, char *text, int number)
{
	const struct text_value one = { .whole = 1 };

	memset(text, 'x', SHORT);
	snprintf(text, SHORT, "main;%08d", (int)((number * 7919LL) % LINES));
	text[strlen(text)] = 'y';
	whole_lines_add(w, text, SHORT, &one);
}

static bool all_values_are(const struct whole_lines *w, uint64_t wanted)
{
	for (size_t i = 0; i < w->count; i++) {
		if (whole_line_of(w->refs[i].item, 1)->values[0].whole != wanted)
			return false;
	}
	return true;
}

/* The second of two equal long lines is dropped, and its block is used for short lines. */
static void test_long_block(void)
{
	struct whole_lines w = { .value_count = 1 };
	const struct text_value one = { .whole = 1 };
	char *text = xmalloc(LONG);

	memset(text, 'a', LONG);
	whole_lines_add(&w, text, LONG, &one);
	whole_lines_add(&w, text, LONG, &one);
	for (int i = 0; i < 2 * LINES; i++)
		add_short(&w, text, i % LINES);
	whole_lines_end(&w);
	CHECK(w.count == LINES + 1);
	CHECK(all_values_are(&w, 2));
	whole_lines_free(&w);
	free(text);
}

int main(void)
{
	test_long_block();
	return check_done();
}
