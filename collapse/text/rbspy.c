/* rbspy: what "rbspy record" keeps in its raw file (--raw-file, ~/.cache/rbspy/records/), compressed or not; what it
 * writes with --format collapsed is folded text.
 *
 *     rbspy02
 *     {"sample_rate":100,"rbspy_version":"0.8.1","start_time":{"secs_since_epoch":1732875302,"nanos_since_epoch":7}}
 *     {"trace":[{"name":"sleep [c function]","relative_path":"(unknown)","absolute_path":null,"lineno":0},
 *               {"name":"call","relative_path":"lib/a.rb","absolute_path":"/srv/lib/a.rb","lineno":12}],
 *      "pid":8513,"thread_id":140234,"time":{"secs_since_epoch":1732875302,"nanos_since_epoch":17}}    in one line
 *
 * becomes
 *
 *     call (lib/a.rb);sleep [c function] 1
 *
 * Version 1 has no line with the rate, version 0 only the array of frames for each sample. */
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/source_line.h"

#define MAGIC "rbspy"

struct rbspy {
	struct stack_builder frames;
	struct str name, path; /* of a frame */
};

/* {"name":"call","relative_path":"lib/a.rb","lineno":12} */
static void take_frame(struct rbspy *r, struct json frame)
{
	struct json line = json_member(frame, "lineno");
	struct text_span digits = { line.at, line.at ? (size_t)(line.end - line.at) : 0 };
	struct stack_builder *b = &r->frames;

	str_clear(&r->path);
	if (!json_text(json_member(frame, "name"), &r->name) || !r->name.len) {
		text_wrong(b->out, frame.at, "a frame without a name");
		return;
	}
	json_text(json_member(frame, "relative_path"), &r->path);
	while (digits.len && !is_digit(digits.text[digits.len - 1]))
		digits.len--;
	if (strcmp(str_text(&r->path), "unknown") != 0 && r->path.len && r->path.buf[0] != '(' && !b->out->setup->lines)
		str_addf(&r->name, " (%s)", r->path.buf);
	source_line_add(b, TEXT_PLAIN, (struct text_span){ r->name.buf, r->name.len },
			(struct text_span){ str_text(&r->path), r->path.len }, digits);
}

/* {"secs_since_epoch":1732875302,"nanos_since_epoch":17} */
static uint64_t time_of(struct json time)
{
	uint64_t seconds, ns;

	if (!json_u64(json_member(time, "secs_since_epoch"), &seconds) ||
	    !json_u64(json_member(time, "nanos_since_epoch"), &ns) || ns >= 1000000000 ||
	    seconds > INT64_MAX / 1000000000 - 1)
		return TIMES_NONE;
	return seconds * 1000000000 + ns;
}

static void take_sample(struct rbspy *r, struct text_span line)
{
	struct json all = json_make(line.text, line.len), trace = all, frame;
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value one = { .whole = 1 };
	struct text_sample sample = { .values = &one, .time_ns = TIMES_NONE };

	if (*line.text == '{') {
		if (json_member(all, "sample_rate").at) /* the heading */
			return;
		trace = json_member(all, "trace");
		labels.tid = json_thread_number(json_member(all, "thread_id"));
		labels.pid = json_thread_number(json_member(all, "pid"));
		labels.tid = labels.tid < 0 && labels.pid >= 0 ? labels.pid : labels.tid;
		sample.time_ns = time_of(json_member(all, "time"));
	}
	while (json_next_item(&trace, &frame))
		take_frame(r, frame);
	json_check_end(r->frames.out, trace, ']');
	if (!trace.at || trace.at == trace.end || *trace.at != ']') /* the rest of the stack is missing */
		r->frames.count = 0;
	if (!r->frames.count)
		return;
	sample.stack = stack_builder_end(&r->frames, LEAF_FIRST);
	sample.labels = text_label(r->frames.out, &labels);
	fold_add_text(r->frames.out, &sample);
}

static void parse(const struct text_part *part)
{
	struct rbspy r = { .frames = { .out = part->out } };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (line.len && (line.text[0] == '{' || line.text[0] == '['))
			take_sample(&r, line);
		else if (line.len && !span_begins(line, MAGIC))
			text_wrong(part->out, line.text, "no JSON");
	}
	stack_builder_free(&r.frames);
	str_free(&r.name);
	str_free(&r.path);
}

static void begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->timed = memmem(text, len, "\"secs_since_epoch\"", 18) != NULL;
	setup->sums_untimed = setup->timed;
}

/* "rbspy02" */
static enum sniffed sniff(const char *text, size_t len)
{
	struct text_span line = { text, len };
	uint64_t version;

	if (!span_skip(&line, MAGIC) || !span_number(&line, 99, &version))
		return SNIFF_NO;
	span_skip(&line, "\r");
	return span_begins(line, "\n") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format rbspy_format = {
	.name = "rbspy",
	.holds = "stacks, tids and times",
	.wanted = "a line of JSON with a trace",
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_TIMES,
	.sniff = sniff,
	.begin = begin,
	.split = text_split_lines,
	.parse = parse,
};
