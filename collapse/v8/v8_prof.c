/* v8-prof: the output of node --prof-process for a log of node --prof: the part that shows who called whom, from the
 * leaf on.
 *
 *      [Bottom up (heavy) profile]:
 *       ...
 *       ticks parent  name
 *         37   46.2%  /usr/lib/x86_64-linux-gnu/libc.so.6
 *         30   81.1%    Function: *leaf file:///app.js:3:14
 *         20   66.7%      LazyCompile: ~work file:///app.js:9:14
 *
 * The callers below a line share its ticks.  Since callers with less than 1 % are not shown, ticks may remain; these
 * are counted for the line itself. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "core/memory.h"

static const char heading[] = "[Bottom up (heavy) profile]";

enum { INDENT = 2, DEPTH_MAX = 10000 };

/* The lines on the path from a leaf to the current line. */
struct path {
	struct level {
		uint32_t frame;
		uint64_t left; /* ticks that no line below has */
	} * levels;            /* [count] */
	size_t count, cap;
};

/* "Function: *leaf file:///app.js:3:14" is compiled; with ^leaf, compiled quickly; with ~leaf, interpreted. */
static uint32_t v8_prof_frame_of(struct text_stacks *s, const char *name, size_t len)
{
	static const char *const words[] = { "JS: ",      "Function: ", "LazyCompile: ",     "Eval: ", "Script: ",
					     "Builtin: ", "Handler: ",  "BytecodeHandler: ", "Stub: ", "RegExp: " };
	enum text_kind kind = TEXT_PLAIN;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);

		if (len <= n || memcmp(name, words[i], n))
			continue;
		name += n;
		len -= n;
		kind = TEXT_JIT;
		break;
	}
	if (kind == TEXT_JIT && len > 1 && strchr("*^~+", *name)) {
		kind = *name == '~' ? TEXT_INTERPRETED : *name == '*' ? TEXT_JIT : TEXT_QUICK;
		name++;
		len--;
	}
	return text_frame(s, kind, name, len);
}

/* Close the innermost line: it gets the ticks that its callers have left. */
static void close_level(struct path *p, struct text_stacks *s, uint32_t labels)
{
	struct text_value value = { p->levels[p->count - 1].left, 0 };
	uint32_t *frames;

	if (value.whole) {
		frames = xmalloc(p->count * sizeof(*frames));
		for (size_t i = 0; i < p->count; i++)
			frames[i] = p->levels[p->count - 1 - i].frame;
		fold_add_text(s, &(struct text_sample){ .values = &value,
							.stack = text_stack(s, frames, p->count),
							.labels = labels });
		free(frames);
	}
	p->count--;
}

static size_t count_blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] == ' ')
		n++;
	return n;
}

/* Parse "  37   46.2%  name" up to the name; *blanks is the number of blanks before the name.  Returns false if the
 * line is something else. */
static bool v8_prof_parse_line(struct text_stacks *s, const char **line, size_t *len, struct text_value *ticks,
			       size_t *blanks)
{
	const char *wrong, *percent;
	size_t n = count_blanks(*line, *len);

	*line += n;
	*len -= n;
	if (!text_value_read(s, line, len, ticks, &wrong))
		return false;
	percent = memchr(*line, '%', *len);
	if (!percent)
		return false;
	*len -= (size_t)(percent + 1 - *line);
	*line = percent + 1;
	*blanks = count_blanks(*line, *len);
	*line += *blanks;
	*len -= *blanks;
	return *len > 0;
}

static void v8_prof_add_line(struct path *p, struct text_stacks *s, const char *line, size_t len, uint32_t labels)
{
	const char *start = line;
	struct text_value ticks;
	size_t blanks, depth;

	if (!v8_prof_parse_line(s, &line, &len, &ticks, &blanks)) {
		text_wrong(s, start, "no ticks");
		return;
	}
	depth = blanks >= INDENT ? blanks / INDENT - 1 : 0;
	if (depth > p->count || depth >= DEPTH_MAX) {
		text_wrong(s, line, "a caller of nothing");
		return;
	}
	while (p->count > depth)
		close_level(p, s, labels);
	if (depth) {
		struct level *called = &p->levels[depth - 1];

		called->left -= ticks.whole < called->left ? ticks.whole : called->left;
	}
	p->levels = xgrow(p->levels, &p->cap, p->count + 1, sizeof(*p->levels));
	p->levels[p->count++] = (struct level){ v8_prof_frame_of(s, line, len), ticks.whole };
}

static void v8_prof_parse(const struct text_part *part)
{
	struct text_stacks *s = part->out;
	struct text_labels ticks = TEXT_NO_LABELS;
	struct path path = { 0 };
	const char *next = NULL, *line;
	bool inside = false;
	uint32_t labels;
	size_t len;

	ticks.unit = text_name(s, "ticks", strlen("ticks"));
	labels = text_label(s, &ticks);
	while (text_line(part, &next, &line, &len)) {
		size_t blanks = count_blanks(line, len);

		if (memmem(line, len, heading, strlen(heading)))
			inside = true;
		else if (inside && blanks < len && isdigit((unsigned char)line[blanks]) && memchr(line, '%', len))
			v8_prof_add_line(&path, s, line, len, labels);
	}
	while (path.count)
		close_level(&path, s, labels);
	free(path.levels);
}

static enum sniffed v8_prof_sniff(const char *text, size_t len)
{
	static const char title[] = "Statistical profiling result from ";

	return len >= strlen(title) && !memcmp(text, title, strlen(title)) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format v8_prof_format = {
	.name = "v8-prof",
	.holds = "stacks and values",
	.wanted = "'37   46.2%  function'",
	.has = TEXT_HAS_STACKS,
	.sniff = v8_prof_sniff,
	.parse = v8_prof_parse,
};
