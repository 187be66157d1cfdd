/* bcc: the stacks that bcc's profile, offcputime, wakeuptime and offwaketime print without -f.  With -f, they print
 * folded text.
 *
 *     Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *
 *         filemap_map_pages                  from the leaf
 *         entry_SYSCALL_64_after_hwframe
 *         --                                 with -d, between kernel and user space
 *         main
 *         -                my worker (9036)
 *             13
 *
 * becomes
 *
 *     my worker;main;entry_SYSCALL_64_after_hwframe;filemap_map_pages 13
 *
 * Lines of libbpf-tools' offcputime -v are read in the same way: "    #1  0x7f2c1f0d2a5e read+0x4e
 * (/usr/lib/libc.so.6+0xf2a5e)".
 *
 * Values are samples, or us below "Tracing off-CPU time (us) of ...".
 *
 *     Tracing blocked time (us) by user + kernel off-CPU and waker stack... Hit Ctrl-C to end.
 *
 *         waker:           my worker 9036
 *         entry_SYSCALL_64_after_hwframe     from the root
 *         pipe_write
 *         --               --
 *         pipe_read                          from the leaf
 *         __read
 *         target:          reader 9037
 *             207835
 *
 * becomes what offwaketime -f prints, with the waker's stack upside down:
 *
 *     reader;__read;pipe_read;--;pipe_write;entry_SYSCALL_64_after_hwframe;my worker 207835
 *
 * and wakeuptime's, here as the tool writes it to a file, in its odd order:
 *
 *         target:          reader
 *     Tracing blocked time (us) by kernel stack... Hit Ctrl-C to end.
 *
 *         ffffffff83800126 entry_SYSCALL_64_after_hwframe     from the root
 *         ffffffff82f1d8e6 pipe_write
 *         waker:           my worker
 *         target:          sshd              of the next one; on a terminal it is behind the value
 *             207835
 *
 *     my worker;pipe_write;entry_SYSCALL_64_after_hwframe;reader 207835 */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"

#define NO_FRAME UINT32_MAX

/* setup.own: which tool it was */
enum { PROFILE, OFF_CPU, WAKEUP, OFF_WAKE };

struct parsing {
	unsigned tool;
	struct stack_builder frames;
	size_t start;   /* OFF_WAKE: index in frames at which the target's stack begins */
	bool in_kernel; /* OFF_WAKE: from this index on, the waker's frames are the kernel's */
	struct text_labels labels;
	uint32_t next_target; /* WAKEUP: a frame that was printed too early; NO_FRAME: none */
	bool is_ended;        /* the line with the name has been read, so the value is next */
};

/* The columns before the name in "    -                my worker (9036)"; 0: the line is something else. */
static size_t name_start(struct text_span line)
{
	size_t indent = span_indent(line);
	struct text_span name = span_after(line, indent);

	if (indent != 4 || !span_skip(&name, "-               "))
		return 0;
	return span_ends(span_trim_end(name), ")") ? (size_t)(name.text - line.text) + 1 : 0;
}

/* Read "    waker:           my worker 9036": the word before the colon says who it is. */
static bool take_who(struct text_span line, const char *who, struct text_span *name)
{
	enum { NAME_COLUMN = 21 };

	if (span_indent(line) != 4 || !span_begins(span_after(line, 4), who) || line.len < NAME_COLUMN)
		return false;
	*name = span_after(line, NAME_COLUMN);
	return true;
}

static void bcc_mark_kernel(struct parsing *t)
{
	for (size_t i = t->start; i < t->frames.count; i++) {
		uint32_t frame = t->frames.frames[i], number = frame / TEXT_KINDS;
		const struct intern *texts = &t->frames.out->texts;
		struct text_span text = { intern_text(texts, number), intern_len(texts, number) };

		if (frame % TEXT_KINDS == TEXT_PLAIN && !span_ends(text, "_[k]")) /* profile -a */
			t->frames.frames[i] += TEXT_KERNEL;
	}
}

static void drop_stack(struct parsing *t, const char *at, const char *what)
{
	text_wrong(t->frames.out, at, what);
	t->frames.count = t->start = 0;
	t->in_kernel = t->is_ended = false;
	t->next_target = NO_FRAME;
}

static void bcc_set_name(struct parsing *t, struct text_span name, uint64_t pid)
{
	t->labels.comm = text_name(t->frames.out, name.text, name.len);
	t->labels.pid = (int32_t)pid;
	t->labels.tid =
		t->tool == PROFILE ? -1 : (int32_t)pid; /* profile prints the name of the thread with the number of the
							 * process */
	t->is_ended = true;
}

/* "my worker (9036)" */
static void bcc_take_name(struct parsing *t, struct text_span name)
{
	size_t open = span_last(name, '(');
	struct text_span pid = span_after(name, open + (open < name.len));
	uint64_t number;

	if (open == name.len || !span_number(&pid, INT32_MAX, &number) || !span_is(span_trim_end(pid), ")")) {
		drop_stack(t, name.text, "no 'name (pid)'");
		return;
	}
	bcc_set_name(t, span_trim_end((struct text_span){ name.text, open }), number);
}

/* Read "#2  0x00007f2c1f0d2a5e read+0x4e (/usr/lib/libc.so.6+0xf2a5e)" of libbpf-tools' offcputime -v: *frame becomes
 * the text that it is without -v, "read", or "[unknown]".  Returns false if the line is something else. */
static bool take_verbose(struct text_span *frame, bool *kernel)
{
	static const char *const files[] = { " (/", " ([", " (" };
	struct text_span rest = *frame, offset;
	uint64_t number;
	size_t at;

	if (!span_skip(&rest, "#") || !span_number(&rest, UINT32_MAX, &number) || !span_indent(rest))
		return false;
	rest = span_trim(rest);
	at = span_begins(rest, "0x") ? span_hex(rest) : 0;
	if (at <= 2)
		return false;
	*kernel = at == 18 && rest.text[2] >= '8'; /* all digits of "0xffffffff9f0ca6a5" */
	rest = span_after(rest, at);
	for (size_t i = 0; i < 3 && span_ends(rest, ")"); i++)
		rest.len = span_find_last(rest, files[i]);
	rest = span_trim(rest);
	at = span_last(rest, '+');
	offset = span_after(rest, at + (at < rest.len));
	if (span_begins(offset, "0x") && span_hex(offset) == offset.len)
		rest.len = at;
	*frame = rest.len ? rest : (struct text_span){ "[unknown]", strlen("[unknown]") };
	return true;
}

/* Old versions of the tools print "b'main'". */
static void bcc_take_frame(struct parsing *t, struct text_span frame)
{
	bool kernel = t->tool == WAKEUP;
	bool from_root = t->tool == OFF_WAKE && !t->start;
	size_t hex;

	if (span_is(frame, t->tool == OFF_WAKE ? "-" : "--")) {
		if (from_root)
			t->in_kernel = true;
		else
			bcc_mark_kernel(t);
		return;
	}
	hex = t->tool == WAKEUP ? span_hex(frame) : 0;
	if (hex && hex < frame.len && is_blank(frame.text[hex]))
		frame = span_trim(span_after(frame, hex));
	if (span_begins(frame, "b'") && span_ends(frame, "'") && frame.len > 3)
		frame = (struct text_span){ frame.text + 2, frame.len - 3 };
	take_verbose(&frame, &kernel);
	t->in_kernel |= from_root && is_kernel_entry(frame);
	stack_builder_add_function(&t->frames, kernel || t->in_kernel ? TEXT_KERNEL : TEXT_PLAIN, frame);
	if (t->tool != WAKEUP && !from_root && is_kernel_entry(frame))
		bcc_mark_kernel(t);
}

/* Returns true if the line is one of those with which the stacks of wakers begin or end. */
static bool take_wakeup(struct parsing *t, struct text_span line)
{
	struct text_stacks *s = t->frames.out;
	struct text_span name;
	uint32_t frame;

	if (take_who(line, "target: ", &name)) {
		frame = text_frame(s, TEXT_PLAIN, name.text, name.len);
		if (t->is_ended)
			t->next_target = frame;
		else if (t->frames.count)
			drop_stack(t, line.text, "a stack without a name and a value");
		if (!t->is_ended)
			stack_builder_add_number(&t->frames, frame);
		return true;
	}
	if (!take_who(line, "waker: ", &name))
		return false;
	bcc_set_name(t, name, 0);
	t->labels.pid = t->labels.tid = -1;
	return true;
}

static bool take_offwake(struct parsing *t, struct text_span line)
{
	struct text_span name, pid;
	uint64_t number;
	size_t blank;

	if (take_who(line, "-- ", &name)) {
		stack_builder_add(&t->frames, TEXT_PLAIN, (struct text_span){ "--", 2 });
		t->in_kernel = false;
		t->start = t->frames.count;
		return true;
	}
	if (!take_who(line, "waker: ", &name) && !take_who(line, "target: ", &name))
		return false;
	blank = span_last(name, ' ');
	pid = span_after(name, blank < name.len ? blank + 1 : 0);
	if (!span_number(&pid, INT32_MAX, &number) || pid.len) {
		drop_stack(t, name.text, "no 'name pid'");
		return true;
	}
	name.len = blank < name.len ? blank : 0;
	if (take_who(line, "target: ", &pid)) {
		bcc_set_name(t, name, number);
		return true;
	}
	if (t->frames.count)
		drop_stack(t, line.text, "a stack without a name and a value");
	if (name.len) /* interrupts have none */
		stack_builder_add(&t->frames, TEXT_PLAIN, name);
	return true;
}

static void bcc_take_value(struct parsing *t, struct text_span text)
{
	struct text_value value;

	if (stack_value(t->frames.out, text, &value))
		stack_builder_sample(&t->frames, LEAF_FIRST, &value, &t->labels);
	t->frames.count = t->start = 0;
	t->in_kernel = t->is_ended = false;
	if (t->next_target != NO_FRAME)
		stack_builder_add_number(&t->frames, t->next_target);
	t->next_target = NO_FRAME;
}

static void bcc_take_line(struct parsing *t, struct text_span line)
{
	size_t name;

	span_skip(&line, "^C");
	if (t->tool == WAKEUP && take_wakeup(t, line))
		return;
	if (t->tool == OFF_WAKE && take_offwake(t, line))
		return;
	name = t->tool == WAKEUP || t->tool == OFF_WAKE ? 0 : name_start(line);
	if (name)
		bcc_take_name(t, span_after(line, name));
	else if (t->is_ended)
		bcc_take_value(t, span_trim(line));
	else if (span_indent(line) && span_trim(line).len)
		bcc_take_frame(t, span_trim(line));
}

/* Only the first part has the heading; for other parts, the setup says what it was. */
static void bcc_parse(const struct text_part *part)
{
	static const char *const events[] = { [OFF_CPU] = "off-CPU", [WAKEUP] = "wakeup", [OFF_WAKE] = "off-wake" };
	struct parsing t = { .tool = part->out->setup->own,
			     .frames = { .out = part->out },
			     .labels = TEXT_NO_LABELS,
			     .next_target = NO_FRAME };
	const char *next = NULL;
	struct text_span line;

	if (t.tool != PROFILE) {
		t.labels.event = text_name(part->out, events[t.tool], strlen(events[t.tool]));
		t.labels.unit = text_name(part->out, "us", 2);
	}
	while (span_line(part, &next, &line))
		bcc_take_line(&t, line);
	if (t.frames.count)
		text_wrong(part->out, part->text + part->len, "a stack without a name and a value");
	stack_builder_free(&t.frames);
}

static bool bcc_starts(struct text_span line)
{
	return line.len && (line.text[0] == '\n' || line.text[0] == '\r');
}

/* Does the last line but one of text name the target of the next stack?  If so, that line comes after a waker, or
 * before the heading. */
static bool ends_early(const char *text, size_t len)
{
	struct text_span lines[3] = { 0 }, name;

	for (size_t i = 0; i < 3 && len; i++) {
		const char *newline = memrchr(text, '\n', len - 1);
		size_t start = newline ? (size_t)(newline - text) + 1 : 0;

		lines[i] = (struct text_span){ text + start, len - start };
		len = start;
	}
	return take_who(lines[1], "target: ", &name) &&
	       (take_who(lines[2], "waker: ", &name) || !span_indent(lines[0]));
}

/* A blank line is behind each value. */
static size_t bcc_split(const char *text, size_t len)
{
	do
		len = split_before(text, len, bcc_starts);
	while (len && ends_early(text, len));
	return len;
}

static bool bcc_has(const char *text, size_t len, const char *what)
{
	return span_has((struct text_span){ text, len }, what);
}

static void bcc_begin(const char *text, size_t len, struct text_setup *setup)
{
	if (bcc_has(text, len, "\n    --               --"))
		setup->own = OFF_WAKE;
	else if (bcc_has(text, len, "\n    waker:           "))
		setup->own = WAKEUP;
	else if (bcc_has(text, len, "Tracing off-CPU time (us) of "))
		setup->own = OFF_CPU;
}

static enum sniffed bcc_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line, below, who;

	while (span_line(&part, &next, &line)) {
		const char *after = next;
		bool is_waker = take_who(line, "waker: ", &who) || take_who(line, "target: ", &who);

		if ((is_waker || name_start(line)) && span_line(&part, &after, &below) &&
		    span_is_digits(span_trim(below)))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format bcc_format = {
	.name = "bcc",
	.holds = "stacks, names and pids",
	.wanted = "stacks, then '- name (pid)', then a value",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_EVENTS,
	.sniff = bcc_sniff,
	.begin = bcc_begin,
	.split = bcc_split,
	.parse = bcc_parse,
};
