/* rbspy: what "rbspy record" keeps in its raw file (--raw-file, ~/.cache/rbspy/records/), compressed or not.  With
 * --format collapsed, it writes folded text instead.
 *
 *     rbspy02
 *     {"sample_rate":100,"rbspy_version":"0.8.1","start_time":{"secs_since_epoch":1732875302,"nanos_since_epoch":7}}
 *     {"trace":[{"name":"sleep [c function]","relative_path":"(unknown)","absolute_path":null,"lineno":0},
 *               {"name":"call","relative_path":"lib/a.rb","absolute_path":"/srv/lib/a.rb","lineno":12}],
 *      "pid":8513,"thread_id":140234,"time":{"secs_since_epoch":1732875302,"nanos_since_epoch":17}}    in one line
 *
 * becomes
 *
 *     call;sleep [c function] 1
 *
 * Version 1 has no line with the rate, version 0 only the array of frames for each sample. */
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_builder.h"

#define MAGIC "rbspy"

/* Read {"name":"call","relative_path":"lib/a.rb","lineno":12}.  For functions written in C, the file is "unknown" or
 * "(unknown)". */
static void rbspy_take_frame(struct stack_builder *b, struct json frame)
{
	struct json path = json_member(frame, "relative_path");
	struct str room = { 0 };
	struct text_span name;

	if (json_is(path, "unknown") || json_is(path, "(unknown)"))
		path = (struct json){ 0 };
	json_span(json_member(frame, "name"), &room, &name.text, &name.len);
	if (!name.len)
		text_wrong(b->out, frame.at, "a frame without a name");
	else
		stack_builder_add_number(b, json_frame_at(b->out, TEXT_PLAIN, json_member(frame, "name"), "", path,
							  json_line(json_member(frame, "lineno"))));
	str_free(&room);
}

/* {"secs_since_epoch":1732875302,"nanos_since_epoch":17} */
static uint64_t rbspy_time_of(struct json time)
{
	uint64_t seconds, ns;

	if (!json_u64(json_member(time, "secs_since_epoch"), &seconds) ||
	    !json_u64(json_member(time, "nanos_since_epoch"), &ns) || ns >= 1000000000 ||
	    seconds > INT64_MAX / 1000000000 - 1)
		return TIMES_NONE;
	return seconds * 1000000000 + ns;
}

static void rbspy_take_sample(struct stack_builder *b, struct text_span line)
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
		sample.time_ns = rbspy_time_of(json_member(all, "time"));
	}
	while (json_next_item(&trace, &frame))
		rbspy_take_frame(b, frame);
	json_check_end(b->out, trace, ']');
	if (!trace.at || trace.at == trace.end || *trace.at != ']') /* the rest of the stack is missing */
		b->count = 0;
	if (!b->count)
		return;
	sample.stack = stack_builder_end(b, LEAF_FIRST);
	sample.labels = text_label(b->out, &labels);
	fold_add_text(b->out, &sample);
}

static void rbspy_parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		if (line.len && (line.text[0] == '{' || line.text[0] == '['))
			rbspy_take_sample(&frames, line);
		else if (line.len && !span_begins(line, MAGIC))
			text_wrong(part->out, line.text, "no JSON");
	}
	stack_builder_free(&frames);
}

static void rbspy_begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->timed = memmem(text, len, "\"secs_since_epoch\"", 18) != NULL;
	setup->sums_untimed = setup->timed;
}

/* "rbspy02" */
static enum sniffed rbspy_sniff(const char *text, size_t len)
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
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_TIMES | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = rbspy_sniff,
	.begin = rbspy_begin,
	.split = text_split_lines,
	.parse = rbspy_parse,
};
