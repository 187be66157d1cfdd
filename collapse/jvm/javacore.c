/* javacore: thread dumps of IBM's and Eclipse's J9 JVMs.
 *
 *     1TIDATETIMEUTC Date: 2026/11/24 at 09:15:02:123 (UTC)               since 2021
 *     1TIDATETIME    Date: 2026/11/24 at 10:15:02:123                      local time
 *     2CIPROCESSID   Process ID: 8513 (0x2141)
 *     1XMCURTHDINFO  Current thread                                        its thread appears again below
 *     1XMTHDINFO     All Thread Details
 *     3XMTHREADINFO      "main" J9VMThread:0x1A2B000, omrthread_t:0x7F0, java/lang/Thread:0xE0, state:CW, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x2142, native priority:0x5, native policy:UNKNOWN, vmstate:CW, ...)
 *     3XMTHREADINFO3           Java callstack:
 *     4XESTACKTRACE                at java/lang/Object.wait(Native Method)
 *     4XESTACKTRACE                at com/example/App.run(App.java:12(Compiled Code))
 *     5XESTACKTRACE                   (entered lock: java/lang/Object@0xE0, entry count: 1)
 *     3XMTHREADINFO3           Native callstack:
 *     4XENATIVESTACK               syscall+0x19 (0x7F0 [libc.so.6+0x11aef9])
 *     NULL
 *     3XMTHREADINFO      Anonymous native thread
 *
 * Each thread is a sample.  See https://eclipse.dev/openj9/docs/dump_javadump/.  Class names get dots, as in dumps of
 * other JVMs. */
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/jvm/java_text.h"
#include "collapse/parse/format.h"
#include "collapse/parse/stack_builder.h"
#include "core/wallclock.h"

#define THREAD "3XMTHREADINFO  "
#define NUMBER "3XMTHREADINFO1 "
#define FRAME "4XESTACKTRACE "
#define NO_FRAME "[no Java frames]"

enum { STATE_MAX = 16 };

struct core {
	struct text_stacks *s;
	struct text_labels labels;
	int32_t pid; /* -1: not known */
	uint64_t time_ns;
	bool is_utc; /* time_ns is known, so the local time on the next line is not needed */
	bool has_thread, is_current;
	const char *current; /* the heading of the current thread, which appears again later; NULL: none */
	size_t current_len;
	char state[STATE_MAX];
	struct java_stack stack;
	uint32_t block; /* the number in text_known() of the bytes of the whole stack; NO_BLOCK: they are not one
			 * block */
	uint32_t known; /* the stack of these bytes; UNKNOWN: it still has to be parsed, or has an error in it */
};

#define NO_BLOCK UINT32_MAX
#define UNKNOWN UINT32_MAX

/* --- threads ------------------------------------------------------------------------ */

static const char *javacore_state_of(const struct core *c)
{
	static const char *const words[][2] = {
		{ "R", "RUNNABLE" }, { "CW", "WAITING" },  { "P", "PARKED" }, { "B", "BLOCKED" },
		{ "MW", "BLOCKED" }, { "S", "SUSPENDED" }, { "Z", "ZOMBIE" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i][0], c->state))
			return words[i][1];
	}
	return *c->state ? c->state : NULL;
}

/* The innermost frame; NULL: there is none. */
static const char *javacore_leaf_of(const struct core *c)
{
	const struct text_stacks *s = c->s;
	uint32_t frame;

	if (c->known != UNKNOWN) /* root first */
		memcpy(&frame, intern_text(&s->stacks, c->known) + intern_len(&s->stacks, c->known) - sizeof(frame),
		       sizeof(frame));
	else if (c->stack.count)
		frame = c->stack.frames[0];
	else
		return NULL;
	return intern_text(&s->texts, frame / TEXT_KINDS);
}

static void javacore_end_thread(struct core *c)
{
	struct text_stacks *s = c->s;
	struct text_value one = { 1, 0 };
	struct text_sample sample = { .time_ns = c->time_ns, .values = &one };
	const char *leaf, *state;

	if (!c->has_thread)
		return;
	leaf = javacore_leaf_of(c);
	state = java_state(javacore_state_of(c), leaf);
	if (!leaf)
		java_stack_add(&c->stack, text_frame(s, TEXT_PLAIN, NO_FRAME, strlen(NO_FRAME)));
	c->labels.state = text_name(s, state, strlen(state));
	c->labels.pid = c->pid < 0 ? c->labels.tid : c->pid;
	sample.stack = c->known != UNKNOWN ? c->known : java_stack_number(s, &c->stack);
	if (c->block != NO_BLOCK)
		text_is(s, c->block, sample.stack);
	sample.labels = text_label(s, &c->labels);
	fold_add_text(s, &sample);
	c->has_thread = false;
}

/* Copy the text between " state:" and the next comma. */
static void javacore_read_state(struct core *c, const char *line, size_t len)
{
	static const char key[] = " state:";
	const char *at = memmem(line, len, key, strlen(key)), *end = line + len;
	size_t n = 0;

	for (at = at ? at + strlen(key) : end; at + n < end && at[n] != ',' && n < STATE_MAX - 1; n++)
		c->state[n] = at[n];
	c->state[n] = '\0';
}

/* line: what follows 3XMTHREADINFO */
static void javacore_begin_thread(struct core *c, const char *line, size_t len)
{
	static const char vm_thread[] = "\" J9VMThread:";
	const char *quote;

	javacore_end_thread(c);
	java_skip_blanks(&line, &len);
	if (c->current && !c->is_current && len == c->current_len && !memcmp(line, c->current, len)) {
		c->current = NULL;
		return;
	}
	if (c->is_current) {
		c->current = line;
		c->current_len = len;
	}
	c->has_thread = true;
	c->stack.count = 0;
	c->known = UNKNOWN;
	c->block = NO_BLOCK;
	c->labels.tid = -1;
	quote = memmem(line, len, vm_thread, strlen(vm_thread));
	if (len && *line == '"' && !quote)
		quote = memrchr(line, '"', len);
	if (len && *line == '"' && quote > line)
		c->labels.comm = text_name(c->s, line + 1, (size_t)(quote - line - 1));
	else
		c->labels.comm = text_name(c->s, line, len);
	javacore_read_state(c, quote ? quote : line, quote ? (size_t)(line + len - quote) : len);
}

static void javacore_read_number(struct core *c, const char *line, size_t len)
{
	static const char key[] = "native thread ID:";
	const char *at = memmem(line, len, key, strlen(key)), *end = line + len;
	uint64_t tid;

	at = at ? at + strlen(key) : end;
	len = (size_t)(end - at);
	if (java_take_number(&at, &len, JAVA_TID_LIMIT, &tid))
		c->labels.tid = (int32_t)tid;
}

/* "App.java:12(Compiled Code))" */
static void javacore_add_source(struct str *text, const char *source, size_t len)
{
	size_t n = 0;

	java_skip_module(&source, &len);
	while (n < len && source[n] != '(' && source[n] != ')')
		n++;
	if (!n || memchr(source, ' ', n))
		return;
	str_addc(text, ':');
	str_add(text, source, n);
}

static void javacore_read_frame(struct core *c, const char *line, size_t len)
{
	static const char compiled[] = "(Compiled Code)";
	size_t name_len = span_opening(span_trim_end((struct text_span){ line, len }));
	const char *paren = line + name_len;
	enum text_kind kind = TEXT_PLAIN;
	struct str text = { 0 };
	uint32_t frame, known;

	if (!name_len || name_len == len || *paren != '(') {
		text_wrong(c->s, line, "not a method and its file in parentheses");
		return;
	}
	if (!text_known(c->s, line, len, &frame, &known)) {
		if (memmem(paren, (size_t)(line + len - paren), compiled, strlen(compiled)))
			kind = TEXT_JIT;
		str_add(&text, line, name_len);
		for (char *p = text.buf; *p; p++) {
			if (*p == '/' && !(p[1] >= '0' && p[1] <= '9'))
				*p = '.';
		}
		if (c->s->setup->lines)
			javacore_add_source(&text, paren + 1, (size_t)(line + len - paren - 1));
		frame = text_frame(c->s, kind, text.buf, text.len);
		text_is(c->s, known, frame);
		str_free(&text);
	}
	java_stack_add(&c->stack, frame);
}

/* Set c->stack to the frames of the stack that was found by its bytes, because more frames follow. */
static void unfold_known(struct core *c)
{
	size_t count = c->known == UNKNOWN ? 0 : intern_len(&c->s->stacks, c->known) / sizeof(uint32_t);
	uint32_t frame;

	while (count--) {
		memcpy(&frame, intern_text(&c->s->stacks, c->known) + count * sizeof(frame), sizeof(frame));
		java_stack_add(&c->stack, frame);
	}
	c->known = UNKNOWN;
}

/* --- lines -------------------------------------------------------------------------- */

/* "Date: 2026/11/24 at 10:15:02:123"; newer JVMs also have a zone, "(UTC)", which is not read. */
static void read_date(struct core *c, const char *line, size_t len, bool is_utc)
{
	char date[] = "2026-11-24 10:15:02.123Z";
	size_t seconds = strlen("2026/11/24 at 10:15:02"), n = strlen("2026-11-24 10:15:02");
	uint64_t ns;

	java_skip_blanks(&line, &len);
	if (!java_take(&line, &len, "Date: "))
		return;
	java_skip_blanks(&line, &len);
	if (len < seconds || memcmp(line + 10, " at ", 4) != 0)
		return;
	memcpy(date, line, 10);
	memcpy(date + 11, line + 14, 8);
	date[4] = date[7] = '-';
	javacore_end_thread(c);
	if (len >= seconds + 4 && line[seconds] == ':' && is_digit(line[seconds + 1]) && is_digit(line[seconds + 2]) &&
	    is_digit(line[seconds + 3])) {
		memcpy(date + n + 1, line + seconds + 1, 3);
		n += 4;
	}
	if (is_utc)
		date[n++] = 'Z';
	if ((is_utc || !c->is_utc) && java_date(date, n, &ns))
		c->time_ns = ns;
	c->is_utc = is_utc;
}

static void javacore_read_process(struct core *c, const char *line, size_t len)
{
	struct text_labels process = TEXT_NO_LABELS;
	uint64_t pid;

	java_skip_blanks(&line, &len);
	if (!java_take(&line, &len, "Process ID: ") || !java_take_number(&line, &len, JAVA_TID_LIMIT, &pid))
		return;
	c->pid = process.pid = process.tid = (int32_t)pid;
	process.comm = text_name(c->s, "java", 4);
	text_label(c->s, &process);
}

static void javacore_read_line(struct core *c, const char *line, size_t len)
{
	if (java_take(&line, &len, THREAD)) {
		javacore_begin_thread(c, line, len);
	} else if (java_take(&line, &len, NUMBER)) {
		javacore_read_number(c, line, len);
	} else if (java_take(&line, &len, FRAME)) {
		java_skip_blanks(&line, &len);
		if (c->has_thread && java_take(&line, &len, "at "))
			javacore_read_frame(c, line, len);
	} else if (java_take(&line, &len, "1XMCURTHDINFO ")) {
		c->is_current = true;
	} else if (java_take(&line, &len, "1XMTHDINFO ") || java_take(&line, &len, "0SECTION ")) {
		javacore_end_thread(c);
		c->is_current = false;
	} else if (java_take(&line, &len, "1TIDATETIMEUTC ")) {
		read_date(c, line, len, true);
	} else if (java_take(&line, &len, "1TIDATETIME ")) {
		read_date(c, line, len, false);
	} else if (java_take(&line, &len, "2CIPROCESSID ")) {
		javacore_read_process(c, line, len);
	}
}

/* Read a stack whose first line is `line`, and move *next past it.  Many threads have the same stack, so it is first
 * looked up by its bytes.  A stack that other lines interrupt is not one block of bytes, and is always parsed. */
static void javacore_read_stack(struct core *c, const struct text_part *part, const char **next, const char *line,
				size_t len)
{
	const char *start = line, *end = part->text + part->len;
	uint64_t wrongs = c->s->wrong_count;
	struct text_part block = { .text = start };
	uint32_t known;

	while (text_begins(*next, (size_t)(end - *next), FRAME)) {
		const char *newline = memchr(*next, '\n', (size_t)(end - *next));

		*next = newline ? newline + 1 : end;
	}
	block.len = (size_t)(*next - start);
	if (!text_known(c->s, start, block.len, &c->known, &known))
		c->known = UNKNOWN;
	if (c->known != UNKNOWN)
		return;
	for (*next = NULL; text_line(&block, next, &line, &len);)
		javacore_read_line(c, line, len);
	text_is(c->s, known, UNKNOWN);
	if (c->s->wrong_count == wrongs && c->stack.count)
		c->block = known;
}

static void javacore_parse(const struct text_part *part)
{
	struct core c = { .s = part->out,
			  .labels = TEXT_NO_LABELS,
			  .pid = -1,
			  .time_ns = TIMES_NONE,
			  .block = NO_BLOCK,
			  .known = UNKNOWN };
	const char *next = NULL, *line;
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		bool is_frame = c.has_thread && text_begins(line, len, FRAME);

		if (is_frame && !c.stack.count && c.known == UNKNOWN) {
			javacore_read_stack(&c, part, &next, line, len);
			continue;
		}
		if (is_frame) { /* more of it, after something else */
			if (c.block != NO_BLOCK)
				text_is(c.s, c.block, java_stack_number(c.s, &c.stack));
			c.block = NO_BLOCK;
			unfold_known(&c);
		}
		javacore_read_line(&c, line, len);
	}
	javacore_end_thread(&c);
	java_stack_free(&c.stack);
}

/* A part is one or more whole javacores; each javacore begins with the same section, below a line of dashes. */
static bool javacore_starts(struct text_span line)
{
	return span_begins(line, "0SECTION       TITLE");
}

static void javacore_begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->timed = setup->sums_untimed = memmem(text, len, "1TIDATETIME ", 12) != NULL;
}

static enum sniffed javacore_sniff(const char *text, size_t len)
{
	static const char *const marks[] = { ("\n" THREAD), "\n1TIDATETIME ", "\n0SECTION " };

	if (text_begins(text, len, "0SECTION "))
		return SNIFF_SURE;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (memmem(text, len, marks[i], strlen(marks[i])))
			return SNIFF_SURE;
	}
	return text_begins(text, len, THREAD) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format javacore_format = {
	.name = "javacore",
	.holds = "threads with their stacks and states",
	.wanted = "'3XMTHREADINFO \"thread\" ... state:R', or '4XESTACKTRACE at method(File.java:1)'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS |
	       TEXT_HAS_STATES,
	.states = "runnable",
	.sniff = javacore_sniff,
	.begin = javacore_begin,
	.starts = javacore_starts,
	.parse = javacore_parse,
};
