/* pyspy_json: what "py-spy dump --json" prints, an array of threads; several dumps are several samples.
 *
 *     [{"pid": 8513, "thread_id": 139826, "thread_name": "Worker 7", "os_thread_id": 8520, "active": true, "owns_gil": true,
 *       "frames": [{"name": "spin", "filename": "/srv/f.py", "module": null, "short_filename": "f.py", "line": 3,
 *                   "locals": null}, ...], "process_info": null}, ...]
 *
 * becomes what the text of "py-spy dump" becomes (pyspy.c):
 *
 *     Worker 7;<module> (f.py:12);spin (f.py:3) 1 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_builder.h"

/* "spin (f.py:3)", put together in text */
static void pyspy_json_take_frame(struct stack_builder *b, struct json frame, struct str *text, struct str *file)
{
	uint64_t line;

	if (!json_text(json_member(frame, "name"), text) || !text->len)
		text_wrong(b->out, frame.at, "a frame without a name");
	if (!text->len)
		return;
	if (!json_text(json_member(frame, "short_filename"), file) || !file->len)
		json_text(json_member(frame, "filename"), file);
	str_addf(text, " (%s", str_text(file));
	if (json_u64(json_member(frame, "line"), &line) && line)
		str_addf(text, ":%llu", (unsigned long long)line);
	str_addc(text, ')');
	stack_builder_add(b, TEXT_PLAIN, (struct text_span){ text->buf, text->len });
}

static void pyspy_json_take_thread(struct stack_builder *b, struct json thread, struct str *text, struct str *file)
{
	const char *state = json_is_true(json_member(thread, "active")) ? "active" : "idle";
	struct json frames = json_member(thread, "frames"), frame;
	struct text_labels labels = TEXT_NO_LABELS;

	while (json_next_item(&frames, &frame)) {
		str_clear(text);
		str_clear(file);
		pyspy_json_take_frame(b, frame, text, file);
	}
	json_check_end(b->out, frames, ']');
	if (!frames.at || frames.at == frames.end || *frames.at != ']') /* the rest of the stack is missing */
		b->count = 0;
	labels.tid = json_thread_number(json_member(thread, "os_thread_id"));
	if (labels.tid < 0)
		labels.tid = json_thread_number(json_member(thread, "thread_id"));
	labels.pid = json_thread_number(json_member(thread, "pid"));
	if (labels.pid < 0)
		labels.pid = labels.tid;
	labels.comm = json_name(b->out, json_member(thread, "thread_name"));
	labels.state = text_name(b->out, state, strlen(state));
	if (b->count)
		stack_builder_sample_once(b, LEAF_FIRST, &labels);
}

static void pyspy_json_parse(const struct text_part *part)
{
	struct stack_builder frames = { .out = part->out };
	const char *end = part->text + part->len;
	struct json all = json_make(part->text, part->len), thread;
	struct str text = { 0 }, file = { 0 };

	while (all.at < end && *all.at == '[') {
		while (json_next_item(&all, &thread))
			pyspy_json_take_thread(&frames, thread, &text, &file);
		json_check_end(part->out, all, ']');
		if (!all.at || all.at == end)
			break;
		all = json_make(all.at + 1, (size_t)(end - all.at) - 1);
	}
	stack_builder_free(&frames);
	str_free(&text);
	str_free(&file);
}

static enum sniffed pyspy_json_sniff(const char *text, size_t len)
{
	struct json value = json_make(text, len);
	struct text_span rest = { value.at, (size_t)(value.end - value.at) };

	return span_begins(rest, "[") && span_has(rest, "\"owns_gil\"") && span_has(rest, "\"frames\"") ? SNIFF_SURE
													: SNIFF_NO;
}

const struct input_format pyspy_json_format = {
	.name = "py-spy-json",
	.holds = "stacks, names, tids and states",
	.wanted = "an array of threads with frames",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_STATES,
	.sniff = pyspy_json_sniff,
	.parse = pyspy_json_parse,
};
