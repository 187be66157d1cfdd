#include "collapse/parse/folded_shape.h"

#include <string.h>

#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/hash.h"

bool shape_is_header(const char *line, size_t len)
{
	return text_begins(line, len, FOLDED_HEADER);
}

static bool folded_shape_is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

/* "time,count,longest"; a single column has no name. */
static void folded_shape_read_columns(const char *names, size_t len, struct text_setup *setup)
{
	const char *end = names + len;
	size_t count = 0;

	for (const char *at = names, *stop; at <= end && count < TEXT_VALUES_MAX; at = stop + 1, count++) {
		stop = memchr(at, ',', (size_t)(end - at));
		if (!stop)
			stop = end;
		if (folded_shape_is_word(at, (size_t)(stop - at), "longest") ||
		    folded_shape_is_word(at, (size_t)(stop - at), "peak"))
			setup->longest |= 1u << count;
	}
	setup->value_count = count;
	setup->columns = count > 1 ? hash_bytes(names, len) | 1 : 0;
}

void shape_read_header(const char *line, size_t len, struct text_setup *setup)
{
	const char *at = line + strlen(FOLDED_HEADER);
	struct pair p;

	setup->value_count = 1;
	setup->longest = setup->columns = 0;
	setup->timed = setup->sums_untimed = false;
	while (pair_next(&at, line + len, &p)) {
		if (pair_is(&p, FOLDED_COLUMNS))
			folded_shape_read_columns(p.value, p.value_len, setup);
		setup->sums_untimed |= pair_is(&p, FOLDED_SPANS);
	}
}

bool shape_has_stack(const struct str *text)
{
	const struct text_part part = { .text = str_text(text), .len = text->len };
	const char *next = NULL, *line;
	size_t len;

	while (text_line(&part, &next, &line, &len) && next[-1] == '\n') {
		if (len && !text_is_comment(line, len))
			return true;
	}
	return false;
}

const char *shape_difference(const struct text_setup *first, const struct text_setup *lines)
{
	if (lines->columns != first->columns)
		return "other columns";
	if (lines->timed && !first->timed)
		return "times";
	if (first->timed && !lines->timed && !first->sums_untimed)
		return "no times";
	if (lines->timed && lines->sums_untimed && !first->sums_untimed)
		return "spans of time";
	if (lines->timed && !lines->sums_untimed && first->sums_untimed)
		return "moments, not spans of time";
	return NULL;
}
