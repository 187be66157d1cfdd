/* bpftrace: the maps with stacks in their keys that bpftrace prints when it ends.
 *
 *     Attaching 2 probes...                  other lines are skipped
 *     @[                                     @[kstack] = count()
 *         vfs_read+190
 *         entry_SYSCALL_64_after_hwframe+118
 *     ]: 13
 *     @[]: 73                                no stack
 *     @bytes[my worker, 14560,               @bytes[comm, pid, ustack, kstack] = sum(args->ret)
 *         main+27
 *     ,
 *     	ffffffff816b8aae vfs_read+190         kstack(perf)
 *     ]: 4096
 *     @[                                     ustack(raw), and ustack(build_id): no indentation
 *     7f2c1f0d2a5e
 *     ]: 1
 *     @[                                     with show_debug_info
 *         [inlined] g@/srv/a.c:12
 *         main+27@/srv/a.c:30
 *     ]: 1
 *     @s[, w]: count 2, average 6, total 12  stats(): the total counts
 *
 * becomes, with --event @bytes:
 *
 *     my worker;main;vfs_read 4096
 *
 * The name of the map is the event.  Among the keys that are not stacks, the first text is the comm, and the first
 * number is the pid; further keys become frames at the root.  Histograms have no value to add up. */
#include "collapse/text/bpftrace_map.h"

#include <ctype.h>
#include <string.h>

#include "collapse/frames/java_name.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/label_keys.h"
#include "collapse/parse/stack_builder.h"

/* The length of "@bytes[" at the front of a line; 0: the line is something else. */
static size_t map_length(struct text_span line)
{
	size_t n = 1;

	if (!line.len || line.text[0] != '@')
		return 0;
	while (n < line.len && (isalnum((unsigned char)line.text[n]) || line.text[n] == '_'))
		n++;
	return n < line.len && line.text[n] == '[' ? n + 1 : 0;
}

static bool bpftrace_starts(struct text_span line)
{
	return line.len && line.text[0] == '@';
}

/* --- keys ----------------------------------------------------------------------------- */

void map_record_begin_stack(struct map_record *r)
{
	if (r->groups < GROUPS_MAX) {
		r->roots[r->groups] = (struct text_span){ "", 0 };
		r->first[r->groups++] = r->frames.count;
	}
}

void map_record_take_key(struct map_record *r, struct text_span key)
{
	struct text_span rest = key;
	uint64_t number;

	if (r->labels.pid < 0 && span_number(&rest, INT32_MAX, &number) && !rest.len)
		r->labels.pid = (int32_t)number; /* the pid of the process; comm is the name of the thread */
	else if (r->labels.comm == TEXT_NO_NAME && !span_is_digits(key))
		r->labels.comm = text_name(r->frames.out, key.text, key.len);
	else
		stack_builder_add(&r->extra, TEXT_PLAIN, key);
}

/* Read the keys of one line, "my worker, 14560, ".  An empty key stands for a stack.  The last key continues in the
 * next line unless is_last. */
static void take_keys(struct map_record *r, struct text_span keys, bool is_last)
{
	for (;;) {
		size_t n = span_find(keys, ", ");
		struct text_span key = { keys.text, n };

		if (n == keys.len && keys.len && keys.text[keys.len - 1] == ',')
			key.len = n = keys.len - 1;
		if (key.len)
			map_record_take_key(r, key);
		else
			map_record_begin_stack(r);
		if (n == keys.len)
			break;
		keys = span_after(keys, n + 2 < keys.len ? n + 2 : keys.len);
	}
	r->is_open = !is_last;
}

/* "vfs_read+190", "vfs_read+0xbe": without the offset */
static struct text_span bpftrace_without_offset(struct text_span frame)
{
	size_t plus = span_last(frame, '+');
	struct text_span offset = span_after(frame, plus < frame.len ? plus + 1 : frame.len);

	if (plus && (span_is_digits(offset) || (span_begins(offset, "0x") && span_hex(offset) == offset.len)))
		frame.len = plus;
	return frame;
}

/* An unindented line: "ffffffff816b8aae", of kstack(raw), or "8b2c...41 0x1f0", a build-id and an offset. */
bool map_record_is_address(struct text_span line)
{
	enum { BUILD_ID = 40 };
	size_t hex = span_hex(line);
	struct text_span offset = span_after(line, hex);

	if (hex == line.len)
		return hex > 0;
	return hex == BUILD_ID && span_skip(&offset, " ") && span_begins(offset, "0x") &&
	       span_hex(offset) == offset.len;
}

/* The length of "f" in "f+12", "f+0x1c"; looks no further back than the digits. */
static bool ends_in_offset(struct text_span frame)
{
	size_t at = frame.len;

	while (at && (is_digit(frame.text[at - 1]) || memchr("abcdefx", frame.text[at - 1], 7)))
		at--;
	return at > 1 && at < frame.len && frame.text[at - 1] == '+' && bpftrace_without_offset(frame).len < frame.len;
}

/* The place of the '@' before the file in "f+12@/srv/a@b.c:30", or in an inlined function, "f@/srv/a@b.c:12";
 * frame.len: nowhere. */
static size_t source_at(struct text_span frame, bool inlined)
{
	size_t at = inlined ? span_find(frame, "@/") : frame.len;

	if (at < frame.len)
		return at;
	for (at = frame.len; at-- > 0;) {
		if (frame.text[at] == '@' && (inlined || ends_in_offset((struct text_span){ frame.text, at })))
			return at;
	}
	return frame.len;
}

/* Remove the source from the end of *frame, where show_debug_info puts it. */
static struct text_source bpftrace_take_source(struct text_span *frame, bool inlined)
{
	size_t at = source_at(*frame, inlined);
	struct text_source source = source_line_of(span_after(*frame, at + (at < frame->len)));

	if (!at || !source.line)
		return (struct text_source){ 0 };
	frame->len = at;
	return source;
}

/* "    vfs_read+190", "\tffffffff816b8aae vfs_read+190", "\t4011a0 main+12 (/usr/bin/w)", "\t4011a0 f (inlined)" */
static struct text_span bpftrace_name_of(struct text_span line, enum text_kind *kind, struct text_source *source)
{
	static const char *const modules[] = { " (/", " ([" };
	struct text_span frame = span_trim(line);
	size_t hex = span_hex(frame);

	*source = (struct text_source){ 0 };
	*kind = TEXT_PLAIN;
	if (map_record_is_address(frame))
		return frame;
	if (hex >= 4 && hex < frame.len && frame.text[hex] == ' ')
		frame = span_after(frame, hex + 1);
	if (span_skip(&frame, "[inlined] "))
		*kind = TEXT_INLINED;
	if (span_ends(frame, " (inlined)")) {
		*kind = TEXT_INLINED;
		frame.len -= strlen(" (inlined)");
	}
	for (size_t i = 0; i < 2 && (span_ends(frame, ")") || span_ends(frame, "])")); i++)
		frame.len = span_find_last(frame, modules[i]);
	*source = bpftrace_take_source(&frame, *kind == TEXT_INLINED);
	return bpftrace_without_offset(frame);
}

void map_record_take_frame(struct map_record *r, struct text_span line)
{
	size_t before = r->frames.count;
	struct text_source source;
	enum text_kind kind;
	uint32_t known;

	if (!r->groups)
		map_record_begin_stack(r);
	r->roots[r->groups - 1] = line;
	if (stack_builder_add_known(&r->frames, line, &known))
		return;
	line = bpftrace_name_of(line, &kind, &source);
	if (source.len && !java_name_is_chain(line))
		source_line_add(&r->frames, kind, function_name_clean(line, &r->frames.name), source);
	else
		stack_builder_add_function(&r->frames, kind, line);
	stack_builder_learn(&r->frames, known, before);
}

/* --- values --------------------------------------------------------------------------- */

/* Is it a kernel stack, whose root is an entry into the kernel, or has a kernel address? */
static bool is_kernel_group(const struct map_record *r, size_t group)
{
	struct text_span frame = span_trim(r->roots[group]);
	struct text_source source;
	enum text_kind kind;

	if (span_hex(frame) >= 16 && (span_begins(frame, "ffff") || span_begins(frame, "0xffff")))
		return true;
	return is_kernel_entry(bpftrace_name_of(r->roots[group], &kind, &source));
}

static bool is_empty_group(const struct map_record *r, size_t group)
{
	return r->first[group] == r->first[group + 1];
}

/* Which of two stacks is the kernel's?  The first one, unless only the second one looks like it. */
static size_t kernel_group(const struct map_record *r)
{
	for (size_t i = 0; i < r->groups; i++) {
		if (is_kernel_group(r, i))
			return i;
	}
	return r->groups == 2 && !is_empty_group(r, 0) && !is_empty_group(r, 1) ? 0 : GROUPS_MAX;
}

/* Put the frames in order: further keys, user space, kernel; each part begins at its root. */
static void bpftrace_order_frames(struct map_record *r, struct stack_builder *all)
{
	size_t kernel, count = r->groups;

	r->first[count] = r->frames.count;
	kernel = kernel_group(r);
	for (size_t i = 0; i < r->extra.count; i++)
		stack_builder_add_number(all, r->extra.frames[i]);
	for (size_t n = 0; n < count; n++) {
		size_t group = count == 2 && kernel == 1 ? n : count - 1 - n;

		for (size_t i = r->first[group + 1]; i-- > r->first[group];) {
			uint32_t frame = r->frames.frames[i];

			if (group == kernel && frame % TEXT_KINDS == TEXT_PLAIN)
				frame += TEXT_KERNEL;
			stack_builder_add_number(all, frame);
		}
	}
}

/* "13", "count 2, average 6, total 12" */
static bool bpftrace_take_value(struct text_stacks *s, struct text_span text, struct text_value *value)
{
	size_t total = span_find(text, ", total ");

	if (!text.len) {
		text_wrong(s, text.text, "a histogram, not a value");
		return false;
	}
	if (span_begins(text, "count ") && total < text.len)
		text = span_after(text, total + strlen(", total "));
	return stack_value(s, text, value);
}

void map_record_sample(struct map_record *r, struct stack_builder *all, const struct text_value *value)
{
	bpftrace_order_frames(r, all);
	labels_complete(&r->labels);
	stack_builder_sample(all, ROOT_FIRST, value, &r->labels);
	r->frames.count = r->extra.count = 0;
}

static void end_map_text(struct map_record *r, struct stack_builder *all, struct text_span text)
{
	struct text_value value;

	r->is_open = false;
	if (!r->groups)
		text_wrong(r->frames.out, r->start, "a map without a stack in its key");
	else if (bpftrace_take_value(r->frames.out, text, &value))
		map_record_sample(r, all, &value);
	r->frames.count = r->extra.count = 0;
}

/* --- lines ---------------------------------------------------------------------------- */

/* Read the keys in the rest of a line without a frame, and the value if the record ends there. */
static void bpftrace_take_rest(struct map_record *r, struct stack_builder *all, struct text_span rest)
{
	struct text_span trimmed = span_trim_end(rest);
	const char *end = trimmed.text + trimmed.len;
	size_t close = trimmed.len;

	/* the value follows the last "]:" */
	while (close >= 2 && memcmp(trimmed.text + close - 2, "]:", 2) != 0)
		close--;
	if (close < 2) {
		take_keys(r, trimmed, false);
		return;
	}
	take_keys(r, (struct text_span){ trimmed.text, close - 2 }, true);
	trimmed = (struct text_span){ trimmed.text + close, (size_t)(end - trimmed.text) - close };
	end_map_text(r, all, span_trim(trimmed));
}

static void begin_record(struct map_record *r, struct stack_builder *all, struct text_span line, size_t n)
{
	struct text_stacks *s = r->frames.out;

	r->labels = TEXT_NO_LABELS;
	r->labels.event = text_name(s, line.text, n - 1);
	r->groups = 0;
	r->start = line.text;
	bpftrace_take_rest(r, all, span_after(line, n));
}

/* Read a line below "@[": a frame, or, after a stack, ", comm]: 13" or "]: 13". */
static void bpftrace_go_on(struct map_record *r, struct stack_builder *all, struct text_span line)
{
	if (span_indent(line) || map_record_is_address(line)) {
		map_record_take_frame(r, line);
	} else if (span_begins(line, "]:")) {
		end_map_text(r, all, span_trim(span_after(line, 2)));
	} else if (span_skip(&line, ", ") || span_skip(&line, ",")) {
		bpftrace_take_rest(r, all, line);
	} else {
		text_wrong(r->frames.out, line.text, "a line that does not belong to a stack");
		r->is_open = false;
		r->frames.count = r->extra.count = 0;
	}
}

static void bpftrace_parse(const struct text_part *part)
{
	struct map_record r = { .frames = { .out = part->out }, .extra = { .out = part->out } };
	struct stack_builder all = { .out = part->out };
	const char *next = NULL;
	struct text_span line;

	while (span_line(part, &next, &line)) {
		size_t n = map_length(line);

		if (r.is_open && n) {
			text_wrong(part->out, r.start, "a stack that does not end");
			r.frames.count = r.extra.count = 0;
		}
		if (n)
			begin_record(&r, &all, line, n);
		else if (r.is_open)
			bpftrace_go_on(&r, &all, line);
		else if (bpftrace_starts(line) && span_has(line, ": "))
			text_wrong(part->out, line.text, "a map without a stack in its key");
	}
	if (r.is_open)
		text_wrong(part->out, r.start, "a stack that does not end");
	stack_builder_free(&r.frames);
	stack_builder_free(&r.extra);
	stack_builder_free(&all);
}

static enum sniffed bpftrace_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, below;

	while (span_line(&part, &next, &line)) {
		const char *after = next;
		size_t n = map_length(line);

		if (!n)
			continue;
		line = span_trim_end(span_after(line, n));
		if (span_has(line, "]:"))
			return SNIFF_SURE;
		if (!line.len || span_ends(line, ","))
			return !span_line(&part, &after, &below) || span_indent(below) || map_record_is_address(below)
				       ? SNIFF_SURE
				       : SNIFF_NO;
	}
	return SNIFF_NO;
}

const struct input_format bpftrace_format = {
	.name = "bpftrace",
	.holds = "stacks, names, pids and events (maps)",
	.wanted = "'@[stack]: value'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS,
	.sniff = bpftrace_sniff,
	.starts = bpftrace_starts,
	.parse = bpftrace_parse,
};
