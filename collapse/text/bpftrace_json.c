/* bpftrace_json: the maps with stacks in their keys that "bpftrace -f json" prints.
 *
 *     {"type": "attached_probes", "data": {"probes": 3}}               such lines, and those of printf(), are skipped
 *     {"type": "map", "data": {"@": {"\n    vfs_read+190\n    entry_SYSCALL_64_after_hwframe+118\n": 13, "": 73}}}
 *     {"type": "map", "data": {"@bytes": {"my worker,14560,\n    main+27\n,\n    vfs_read+190\n": 4096}}}
 *     {"type": "stats", "data": {"@s": {"\n    main+27\n": {"count": 2, "average": 6, "total": 12}}}}
 *
 * becomes what the same maps become as text (bpftrace.c). */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/text/bpftrace_map.h"

static const char *const kinds[] = { "map", "stats", "hist" };

enum kind { KIND_MAP, KIND_STATS, KIND_HIST, KIND_OTHER };

static enum kind bpftrace_json_kind_of(struct json type)
{
	enum kind kind = KIND_MAP;

	while (kind < KIND_OTHER && !json_is(type, kinds[kind]))
		kind++;
	return kind;
}

/* Take the lines of a stack off the front of key: "\n    vfs_read+190\n    main+27\n". */
static void bpftrace_json_take_stack(struct map_record *r, struct text_span *key)
{
	map_record_begin_stack(r);
	span_skip(key, "\n");
	while (key->len) {
		size_t n = span_find(*key, "\n");
		struct text_span line = { key->text, n };

		if (!span_indent(line) && !map_record_is_address(line))
			break;
		map_record_take_frame(r, line);
		*key = span_after(*key, n < key->len ? n + 1 : n);
	}
}

/* Read "my worker,14560,\n    main+27\n,\n    vfs_read+190\n"; an empty key stands for an empty stack. */
static void bpftrace_json_take_key(struct map_record *r, struct text_span key)
{
	r->groups = 0;
	for (;;) {
		size_t n = span_find(key, ",");

		if (!n || span_begins(key, "\n")) {
			bpftrace_json_take_stack(r, &key);
		} else {
			map_record_take_key(r, (struct text_span){ key.text, n });
			key = span_after(key, n);
		}
		if (!span_skip(&key, ","))
			break;
	}
}

/* Read the entries of a map.  Entries without a stack are one error, because all of them are alike. */
static void take_entries(struct map_record *r, struct stack_builder *all, uint32_t event, struct json entries)
{
	struct text_stacks *s = r->frames.out;
	struct str key = { 0 };
	struct json value, rest = entries;
	struct text_value number;
	bool has_stacks = true;

	while (json_next_member(&rest, &key, &value)) {
		struct json total = json_member(value, "total");

		r->labels = TEXT_NO_LABELS;
		r->labels.event = event;
		bpftrace_json_take_key(r, (struct text_span){ str_text(&key), key.len });
		if (!r->groups)
			has_stacks = false;
		else if (json_value(s, total.at ? total : value, 0, &number))
			map_record_sample(r, all, &number);
		else
			text_wrong(s, value.at, "no value");
		r->frames.count = r->extra.count = 0;
	}
	if (!has_stacks || !entries.at || entries.at == entries.end || *entries.at != '{')
		text_wrong(s, entries.at, "a map without a stack in its key");
	else
		json_check_end(s, rest, '}');
	str_free(&key);
}

/* {"type": "map", "data": {"@bytes": {...}}} */
static void bpftrace_json_take_line(struct map_record *r, struct stack_builder *all, struct text_span line)
{
	struct json_index index = { 0 };
	struct json object = json_input_indexed(all->out, json_make(line.text, line.len), &index), entries;
	struct json data = json_member(object, "data");
	enum kind kind = bpftrace_json_kind_of(json_member(object, "type"));
	struct str name = { 0 };

	while (kind != KIND_OTHER && json_next_member(&data, &name, &entries)) {
		if (kind == KIND_HIST)
			text_wrong(all->out, entries.at, "a histogram, not a value");
		else
			take_entries(r, all, text_name(all->out, str_text(&name), name.len), entries);
	}
	str_free(&name);
	json_index_free(&index);
}

static void bpftrace_json_parse(const struct text_part *part)
{
	struct map_record r = { .frames = { .out = part->out }, .extra = { .out = part->out } };
	struct stack_builder all = { .out = part->out };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line))
		bpftrace_json_take_line(&r, &all, line);
	stack_builder_free(&r.frames);
	stack_builder_free(&r.extra);
	stack_builder_free(&all);
}

/* Does the first line have {"type": "attached_probes", "data": ...}, or any line {"type": "map", "data": {"@...? */
static enum sniffed bpftrace_json_sniff(const char *text, size_t len)
{
	static const char *const first[] = { "attached_probes", "map", "stats", "hist", "printf", "time", "value" };
	struct text_span rest = { text, len }, line;

	if (!span_skip(&rest, "{\"type\": \""))
		return SNIFF_NO;
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		line = rest;
		if (span_skip(&line, first[i]) && span_begins(line, "\", \"data\": "))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format bpftrace_json_format = {
	.name = "bpftrace-json",
	.holds = "stacks, names, pids and events (maps)",
	.wanted = "'{\"type\": \"map\", \"data\": {\"@\": {stack: value}}}'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS,
	.sniff = bpftrace_json_sniff,
	.split = text_split_lines,
	.parse = bpftrace_json_parse,
};
