/* phpspy: what phpspy prints, a stack for each sample.
 *
 *     0 usleep <internal>:-1                   from the leaf
 *     1 App\Pool::run /srv/my app/pool.php:12
 *     2 {closure:/srv/my app/pool.php:31} /srv/my app/pool.php:33
 *     3 <main> /srv/index.php:5
 *     # uri = /index.php?a=1                   -r, -m, -g: of the request, the memory, variables; skipped
 *                                              a blank line; older versions print "# - - -"
 *
 * becomes
 *
 *     <main>;{closure:/srv/my app/pool.php:31};App\Pool::run;usleep 1
 *
 * With -1, all frames of a sample are in one line, and a tab follows each. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

struct php_frame {
	uint64_t depth;
	struct text_span name, source; /* "/srv/my app/pool.php:12", "<internal>:-1" */
};

/* The length of a name; it ends at a blank, unless the blank belongs to a path in braces. */
static size_t name_length(struct text_span text)
{
	size_t blank = span_find(text, " "), brace = span_find(text, "{closure:"), end;

	if (brace >= blank)
		return blank;
	end = brace + span_find(span_after(text, brace), "} ");
	return end < text.len ? end + 1 : blank;
}

/* "1 App\Pool::run /srv/my app/pool.php:12" */
static bool phpspy_take_frame(struct text_span text, struct php_frame *f)
{
	if (!span_number(&text, UINT32_MAX, &f->depth) || !span_skip(&text, " ") || !text.len || is_blank(text.text[0]))
		return false;
	f->name = (struct text_span){ text.text, name_length(text) };
	f->source = span_after(text, f->name.len);
	return span_skip(&f->source, " ") && (source_line_of(f->source).line || span_ends(f->source, ":-1"));
}

static void phpspy_add_frame(struct stack_builder *b, const struct php_frame *f)
{
	struct text_source at = source_line_of(f->source);

	source_line_add(b, TEXT_PLAIN, f->name, at.line ? at : (struct text_source){ 0 });
}

static void phpspy_end_stack(struct stack_builder *b)
{
	if (b->count)
		stack_builder_sample_once(b, LEAF_FIRST, &TEXT_NO_LABELS);
}

/* Read a frame; or, with -1, all frames of a sample; or another line, which ends the stack unless it is a comment. */
static void phpspy_take_text(struct stack_builder *b, struct text_span text)
{
	struct php_frame f;

	if (phpspy_take_frame(text, &f)) {
		if (!f.depth)
			phpspy_end_stack(b);
		phpspy_add_frame(b, &f);
	} else if (!text.len) {
		phpspy_end_stack(b);
	} else if (is_digit(text.text[0])) {
		text_wrong(b->out, text.text, "no 'depth function file:line'");
	}
}

static void phpspy_parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		do {
			size_t tab = span_find(line, "\t");

			phpspy_take_text(&frames, (struct text_span){ line.text, tab });
			line = span_after(line, tab < line.len ? tab + 1 : tab);
		} while (line.len);
	}
	phpspy_end_stack(&frames);
	stack_builder_free(&frames);
}

static bool phpspy_starts(struct text_span text)
{
	return span_begins(text, "0 ");
}

/* Does a sample begin with this line? */
static bool is_sample(struct text_span line, struct text_span below)
{
	size_t tab = span_find(line, "\t");
	struct php_frame f;

	if (!phpspy_take_frame((struct text_span){ line.text, tab }, &f) || f.depth)
		return false;
	if (span_is(f.name, "<main>"))
		return true;
	if (tab < line.len)
		below = span_after(line, tab + 1);
	below.len = span_find(below, "\t");
	return phpspy_take_frame(below, &f) && f.depth == 1;
}

static enum sniffed phpspy_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, below;

	while (span_line(&part, &next, &line)) {
		const char *after = next;

		if (phpspy_starts(line) &&
		    is_sample(line, span_line(&part, &after, &below) ? below : (struct text_span){ "", 0 }))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format phpspy_format = {
	.name = "phpspy",
	.holds = "stacks",
	.wanted = "'0 function file:line', then its callers",
	.has = TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = phpspy_sniff,
	.starts = phpspy_starts,
	.parse = phpspy_parse,
};
