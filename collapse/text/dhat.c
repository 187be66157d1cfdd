/* dhat: what valgrind --tool=dhat and Rust's dhat write.
 *
 *     {"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,...,"pid":28173,
 *      "pps":[{"tb":100,"tbk":1,"mb":100,"gb":100,"eb":0,"fs":[1,2,3]},...],
 *      "ftbl":["[root]","0x48417B4: malloc (in /usr/lib/vgpreload_dhat.so)","0x109189: ns::grab(int) (w.cc:5)",
 *              "0x1091B5: ??? (in /srv/w)"]}
 *
 * becomes
 *
 *     [w];ns::grab;malloc 100
 *
 * fs is from the leaf.  The events are bytes and blocks.  If the file has the lives of blocks, there are two more: the
 * bytes in use at the peak of the whole heap (peak-bytes), and at the end (end-bytes). */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_builder.h"
#include "core/memory.h"

static const struct dhat_event {
	const char *key, *name, *unit;
} events[] = {
	{ "tb", "bytes", "bytes" },
	{ "tbk", "blocks", "blocks" },
	{ "gb", "peak-bytes", "bytes" },
	{ "eb", "end-bytes", "bytes" },
};

enum { EVENTS = sizeof(events) / sizeof(*events) };

struct dhat {
	struct stack_builder table, frames; /* table: by number in fs, the frame */
	struct event_values values;
	struct text_labels labels;
	struct str scratch;
};

/* "(w.cc:5)", "(src/alloc.rs:326:11)": with the column of Rust */
static struct text_source source_in(struct text_span text)
{
	struct text_source at = source_line_of(text), before = source_line_of((struct text_span){ text.text, at.len });

	return before.line ? before : at;
}

/* "0x109189: ns::grab(int) (w.cc:5)" */
static void dhat_add_frame(struct dhat *d, struct text_span text)
{
	size_t hex = span_begins(text, "0x") ? 2 : 0, open;
	struct text_source at = { 0 };
	struct text_span where = { "", 0 };

	while (hex && hex < text.len && strchr("0123456789ABCDEFabcdef", text.text[hex]) && text.text[hex])
		hex++;
	if (hex && span_begins(span_after(text, hex), ": "))
		text = span_after(text, hex + 2);
	open = span_opening(text);
	if (open > 1 && open < text.len && text.text[open - 1] == ' ') {
		where = (struct text_span){ text.text + open + 1, text.len - open - 2 };
		text.len = open - 1;
	}
	if (span_skip(&where, "in ") && span_is(text, "???")) {
		stack_builder_add_module(&d->table, TEXT_PLAIN, where);
		return;
	}
	at = source_in(where);
	if (!at.line)
		at = (struct text_source){ 0 };
	if (!text.len || span_is(text, "???"))
		text = (struct text_span){ "[unknown]", 9 };
	source_line_add(&d->table, TEXT_PLAIN, function_name_clean(text, &d->scratch), at);
}

static void dhat_read_table(struct dhat *d, struct json table)
{
	struct str room = { 0 };
	struct text_span text;
	struct json item;

	while (json_next_item(&table, &item)) {
		json_span(item, &room, &text.text, &text.len);
		dhat_add_frame(d, text);
		str_trim(&room);
	}
	json_check_end(d->table.out, table, ']');
	str_free(&room);
}

/* {"tb":100,"tbk":1,"fs":[1,2,3]}; frame 0 is "[root]" */
static void take_point(struct dhat *d, struct json point)
{
	struct json frames = json_member(point, "fs"), item;
	struct text_stacks *s = d->table.out;
	struct text_value value;
	uint32_t stack;
	uint64_t n;

	while (json_next_item(&frames, &item)) {
		if (!json_u64(item, &n) || n >= d->table.count)
			text_wrong(s, item.at, "a frame that is not listed");
		else if (n)
			stack_builder_add_number(&d->frames, d->table.frames[n]);
	}
	json_check_end(s, frames, ']');
	if (!d->frames.count)
		stack_builder_add(&d->frames, TEXT_PLAIN, (struct text_span){ "[unknown]", 9 });
	stack = stack_builder_end(&d->frames, LEAF_FIRST);
	for (size_t i = 0; i < EVENTS; i++) {
		struct json number = json_member(point, events[i].key);

		if (number.at && !json_value(s, number, 0, &value))
			text_wrong(s, number.at, "no value");
		else if (number.at)
			event_values_add(&d->values, i, &value, stack, &d->labels);
	}
}

static void dhat_parse(const struct text_part *part)
{
	struct dhat d = { .table = { .out = part->out },
			  .frames = { .out = part->out },
			  .values = { .out = part->out },
			  .labels = TEXT_NO_LABELS };
	struct json_index index = { 0 };
	struct json all = json_input_indexed(part->out, json_make(part->text, part->len), &index);
	struct json points = json_member(all, "pps"), point;

	for (size_t i = 0; i < EVENTS; i++)
		event_values_name(&d.values, (struct text_span){ events[i].name, strlen(events[i].name) },
				  (struct text_span){ events[i].unit, strlen(events[i].unit) });
	d.labels.pid = d.labels.tid = json_thread_number(json_member(all, "pid"));
	dhat_read_table(&d, json_member(all, "ftbl"));
	while (json_next_item(&points, &point))
		take_point(&d, point);
	json_check_end(part->out, points, ']');
	event_values_end(&d.values);
	stack_builder_free(&d.table);
	stack_builder_free(&d.frames);
	str_free(&d.scratch);
	json_index_free(&index);
}

static enum sniffed dhat_sniff(const char *text, size_t len)
{
	return json_begins(text, len, "dhatFileVersion") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format dhat_format = {
	.name = "dhat",
	.holds = "stacks with bytes and blocks",
	.wanted = "program points with frames",
	.has = TEXT_HAS_STACKS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = dhat_sniff,
	.parse = dhat_parse,
};
