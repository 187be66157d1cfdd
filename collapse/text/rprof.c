/* rprof: what R's Rprof() writes, a line for each sample, from the leaf.
 *
 *     memory profiling: line profiling: sample.interval=20000
 *     #File 1: /srv/w.R
 *     "inner" "outer"
 *     :310129:1055733:31187016:390:1#1 "inner" 1#2 "outer"       memory.profiling, line.profiling: the line in each
 *     "<GC>" "sapply" "outer"                                    gc.profiling
 *
 * becomes
 *
 *     outer;inner 2
 *     outer;sapply;<GC> 1 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

#define INTERVAL "sample.interval="

enum { FILES_MAX = 1000 };

struct rprof {
	struct stack_builder frames;
	struct text_span files[FILES_MAX + 1]; /* by number; empty: not known */
	struct str name;
};

/* "#File 1: /srv/w.R" */
static bool rprof_take_file(struct rprof *r, struct text_span line)
{
	uint64_t number;

	if (!span_skip(&line, "#File ") || !span_number(&line, FILES_MAX, &number) || !span_skip(&line, ": "))
		return false;
	r->files[number] = line;
	return true;
}

/* Take "inner" in its quotes, in which a backslash precedes further quotes; false: the closing quote is missing. */
static bool rprof_take_name(struct rprof *r, struct text_span *line)
{
	size_t i = 1;

	str_clear(&r->name);
	for (; i < line->len && line->text[i] != '"'; i++) {
		i += line->text[i] == '\\' && i + 1 < line->len;
		str_addc(&r->name, line->text[i]);
	}
	if (i == line->len)
		return false;
	*line = span_after(*line, i + 1);
	return true;
}

/* "1#12 ": a line of file 1 */
static struct text_source rprof_take_source(const struct rprof *r, struct text_span *line)
{
	struct text_span rest = *line;
	uint64_t file, number;

	if (!span_number(&rest, FILES_MAX, &file) || !span_skip(&rest, "#") || !span_number(&rest, UINT32_MAX, &number))
		return (struct text_source){ 0 };
	*line = span_after(rest, span_indent(rest));
	return (struct text_source){ r->files[file].text, r->files[file].len, (uint32_t)number };
}

/* ":310129:1055733:31187016:390:": the memory */
static void skip_memory(struct text_span *line)
{
	enum { COUNTS = 4 };
	struct text_span rest = *line;
	uint64_t number;

	for (int i = 0; i < COUNTS; i++) {
		if (!span_skip(&rest, ":") || !span_number(&rest, UINT64_MAX, &number))
			return;
	}
	if (span_skip(&rest, ":"))
		*line = rest;
}

/* Read the frames of "inner" 1#2 "outer"; false after text_wrong(). */
static bool rprof_take_frames(struct rprof *r, struct text_span line)
{
	while (line.len) {
		struct text_source at = rprof_take_source(r, &line);

		if (!span_begins(line, "\"") || !rprof_take_name(r, &line)) {
			text_wrong(r->frames.out, line.text, "no name in quotes");
			return false;
		}
		source_line_add(&r->frames, TEXT_PLAIN, (struct text_span){ str_text(&r->name), r->name.len }, at);
		line = span_after(line, span_indent(line));
	}
	return r->frames.count > 0;
}

static void rprof_take_sample(struct rprof *r, struct text_span line)
{
	skip_memory(&line);
	if (rprof_take_frames(r, line))
		stack_builder_sample_once(&r->frames, LEAF_FIRST, &TEXT_NO_LABELS);
	r->frames.count = 0;
}

static void rprof_parse(const struct text_part *part)
{
	struct rprof r = { .frames = { .out = part->out } };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (line.len && !rprof_take_file(&r, line) && !span_has(line, INTERVAL))
			rprof_take_sample(&r, line);
	}
	stack_builder_free(&r.frames);
	str_free(&r.name);
}

static enum sniffed rprof_sniff(const char *text, size_t len)
{
	struct text_span line = { text, len };

	line.len = span_find(line, "\n");
	while (span_skip(&line, "memory profiling: ") || span_skip(&line, "GC profiling: ") ||
	       span_skip(&line, "line profiling: "))
		;
	return span_begins(line, INTERVAL) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format rprof_format = {
	.name = "rprof",
	.holds = "stacks",
	.wanted = "'\"leaf\" \"caller\"'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = rprof_sniff,
	.parse = rprof_parse,
};
