/* jstack: thread dumps of a JVM, from jstack, jcmd PID Thread.print, or SIGQUIT; JDK 5 to 25.
 *
 *     8513:                                                  from jcmd: the process
 *     2026-11-24 10:15:02                                    local time
 *     Full thread dump OpenJDK 64-Bit Server VM (17.0.21+9 mixed mode, sharing):
 *
 *     "dw-20" #31 [8530] daemon prio=5 os_prio=0 cpu=9.50ms elapsed=4.38s tid=0x00007fec6c0 nid=0x2152 runnable  [0x00007f]
 *        java.lang.Thread.State: RUNNABLE
 *     	at com.example.App.handle(App.java:12)
 *     	- locked <0x0000000687400488> (a java.lang.Object)
 *     	at java.lang.Thread.run(java.base@17.0.21/Thread.java:840)
 *
 *        Locked ownable synchronizers:                        with -l
 *     	- None
 *
 * JDK 5 has no line with Java's state of the thread; the JVM's own state in the heading, "waiting on condition", takes
 * its place.
 *
 * Each thread is a sample; a file may have several dumps.  nid= is hexadecimal until JDK 20, decimal since 21.  The
 * JVM's own threads have no state and no frames.  A carrier of a virtual thread has no nid=; "Carrying virtual thread
 * #29" takes the place of its state.  After its own frames and "Mounted virtual thread #29" come the frames of the
 * virtual thread.  A report on deadlocks at the end repeats some stacks, below names without tid= and nid=.  See
 * collapse/perfdata/thread_dump.c for names that have several lines. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/fold/times.h"
#include "collapse/jvm/java_text.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/span.h"
#include "core/error.h"
#include "core/str.h"

/* --- headings of threads in dumps that Java programs made ------------------------------- */

/* Headings that are not HotSpot's own:
 *
 *     "main" prio=5 Id=1 TIMED_WAITING on java.lang.Object@1f2 owned by "dw-20" Id=31    ThreadInfo.toString(), OpenJ9's jstack
 *     "dw-20" daemon prio=5 Id=31 RUNNABLE (in native)                                   ... until JDK 8 without daemon, prio=
 *     "main" - Thread t@1                                                                VisualVM, Spring Boot's threaddump
 *     "main" id=1 in RUNNABLE (running in native)                                        VisualVM's of other machines
 *
 * Frames follow, and in VisualVM's, the state.  Numbers are Java's own, not the kernel's. */

struct thread_info {
	const char *name; /* in the line */
	size_t name_len;
	uint64_t id;
	const char *state; /* in the line, up to a blank or the end; NULL: the heading has none */
	size_t state_len;
};

static bool thread_info_is_state(const char *text, size_t len)
{
	static const char *const states[] = {
		"NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED",
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strlen(states[i]) == len && !memcmp(states[i], text, len))
			return true;
	}
	return false;
}

/* The text after a name: " daemon prio=5 Id=31 RUNNABLE", " - Thread t@1". */
static bool thread_info_read_tail(const char *tail, size_t len, struct thread_info *info)
{
	const char *blank;
	uint64_t priority;

	info->state = NULL;
	if (java_take(&tail, &len, " - Thread t@"))
		return java_take_number(&tail, &len, UINT32_MAX, &info->id) && !len;
	java_take(&tail, &len, " daemon");
	if (java_take(&tail, &len, " prio=") && !java_take_number(&tail, &len, UINT32_MAX, &priority))
		return false;
	if (!java_take(&tail, &len, " Id=") && !java_take(&tail, &len, " id="))
		return false;
	if (!java_take_number(&tail, &len, UINT32_MAX, &info->id) || !java_take(&tail, &len, " "))
		return false;
	java_take(&tail, &len, "in ");
	blank = memchr(tail, ' ', len);
	info->state = tail;
	info->state_len = blank ? (size_t)(blank - tail) : len;
	return thread_info_is_state(tail, info->state_len);
}

/* Is line[0..len), which begins with '"', such a heading? */
/* A name may have quotes in it, and the text after it may name another thread: the name ends at the first quote that
 * such a text follows. */
static bool thread_info_read(const char *line, size_t len, struct thread_info *info)
{
	const char *end = line + len;

	for (const char *quote = line; (quote = memchr(quote + 1, '"', (size_t)(end - quote - 1)));) {
		if (!thread_info_read_tail(quote + 1, (size_t)(end - quote - 1), info))
			continue;
		info->name = line + 1;
		info->name_len = (size_t)(quote - line - 1);
		return true;
	}
	return false;
}

/* --- frames of jhsdb jstack ------------------------------------------------------------- */

/* Lines of "jhsdb jstack" and, until JDK 8, "jstack -F".  They read a process, or its core, from outside, and print it
 * differently from jstack (HotSpot's serviceability agent, sun.jvm.hotspot.tools.StackTrace and PStack):
 *
 *     Thread 8530: (state = IN_NATIVE)                                   until JDK 8: the tid and no name
 *      - com.example.App.read(byte[]) @bci=0, line=3 (Compiled frame)
 *      - com.example.App.main(java.lang.String[]) @bci=1 (Interpreted frame)
 *
 *     ----------------- 21378 -----------------                          with --mixed: the tid; a heading follows, if there is one
 *     0x00007f1925416449	* Sl.spin() bci:3 line:2 (Interpreted frame)
 *     0x00007f1925400cc9	<StubRoutines>
 *     0x00007f19366a734f	JavaThread::thread_main_inner() + 0x1af */

/* The number after the last occurrence of mark in a frame's line. */
static bool agent_frames_line_number(const char *text, size_t len, const char *mark, uint64_t *number)
{
	const char *at = memmem(text, len, mark, strlen(mark));

	if (!at)
		return false;
	at += strlen(mark);
	len -= (size_t)(at - text);
	return java_take_number(&at, &len, UINT32_MAX, number);
}

/* "com.example.App.read(byte[]) @bci=0, line=3 (Compiled frame)", and the same with " bci:" and " line:" */
static bool agent_frames_java_method(struct text_stacks *s, const char *text, size_t len, uint32_t *frame)
{
	struct text_span all = { text, len }, head = { text, span_find_last(all, " @bci=") };
	struct str name = { 0 };
	const char *paren;
	uint64_t line;

	if (head.len == len)
		head.len = span_find_last(all, " bci:");
	paren = text + span_opening(head);
	if (head.len == len || paren == text || paren == text + head.len)
		return false;
	str_add(&name, text, (size_t)(paren - text));
	if (s->setup->lines && (agent_frames_line_number(paren, len - name.len, " line=", &line) ||
				agent_frames_line_number(paren, len - name.len, " line:", &line)))
		str_addf(&name, ":%llu", (unsigned long long)line);
	*frame = text_frame(s, TEXT_PLAIN, name.buf, name.len);
	str_free(&name);
	return true;
}

/* "JavaThread::thread_main_inner() + 0x1af", "<StubRoutines>", "????????", "* Sl.spin() bci:3 ..." */
static bool mixed(struct text_stacks *s, const char *text, size_t len, uint32_t *frame)
{
	const char *offset;

	if (java_take(&text, &len, "* "))
		return agent_frames_java_method(s, text, len, frame);
	if (!len)
		return false;
	offset = memmem(text, len, " + 0x", 5);
	len = offset ? (size_t)(offset - text) : len;
	if (*text == '?')
		*frame = text_frame(s, TEXT_PLAIN, "[unknown]", strlen("[unknown]"));
	else
		*frame = text_frame(s, TEXT_PLAIN, text, *text == '<' ? len : function_name_len(text, len));
	return true;
}

/* The frame in such a line; blanks before the frame must be skipped already.  Returns false if the line is not a
 * frame. */
static bool agent_frame(struct text_stacks *s, const char *line, size_t len, uint32_t *frame)
{
	const char *tab;

	if (java_take(&line, &len, "- "))
		return agent_frames_java_method(s, line, len, frame);
	tab = len > 2 && line[0] == '0' && line[1] == 'x' ? memchr(line, '\t', len) : NULL;
	return tab && mixed(s, tab + 1, len - (size_t)(tab + 1 - line), frame);
}

/* The agent's names of states.  A thread in a transition to another state, "IN_VM_TRANS", counts as running. */
static const char *agent_frames_state_of(const char *text, size_t len)
{
	if (java_take(&text, &len, "BLOCKED)"))
		return "BLOCKED";
	return java_take(&text, &len, "NEW)") || java_take(&text, &len, "UNINITIALIZED)") ? "NEW" : "RUNNABLE";
}

/* Does the line begin a thread?  *tid is set to its number, and *state to the JVM's name of its state; "": the line
 * names none. */
static bool agent_thread(const char *line, size_t len, uint64_t *tid, const char **state)
{
	static const char dashes[] = "----------------- ", native[] = ": (state = ";

	*state = "";
	if (java_take(&line, &len, dashes))
		return java_take_number(&line, &len, JAVA_TID_LIMIT, tid) && java_take(&line, &len, " ---");
	if (!java_take(&line, &len, "Thread ") || !java_take_number(&line, &len, JAVA_TID_LIMIT, tid) ||
	    !java_take(&line, &len, native))
		return false;
	*state = agent_frames_state_of(line, len);
	return true;
}

/* --- dumps ------------------------------------------------------------------------------ */

enum { NAME_LINES_MAX = 64, STATE_MAX = 32 };

#define HEADING "Full thread dump "
#define NO_FRAME "[no Java frames]"

struct dump {
	struct text_stacks *s;
	struct text_labels labels;
	uint64_t time_ns;
	int32_t pid;               /* -1: not known */
	bool has_thread;           /* labels and stack are those of a thread */
	bool is_unnamed;           /* ... whose name may follow */
	char state[STATE_MAX];     /* "": it has none */
	const char *heading_state; /* JDK 5: the state in the heading, for threads that have no line with their state;
				    * NULL: none */
	struct java_stack stack;
	struct str open;     /* open: the start of a name that ends on a later line */
	const char *open_at; /* where that is */
	size_t open_lines;   /* of open; 0: no name is open */
};

/* --- threads ------------------------------------------------------------------------ */

static const char *heading_state(const struct dump *d, const char *leaf)
{
	if (!leaf || !d->heading_state)
		return NULL;
	return strstr(leaf, "Thread.sleep") ? "TIMED_WAITING" : d->heading_state;
}

static void jstack_end_thread(struct dump *d)
{
	struct text_stacks *s = d->s;
	struct text_value one = { 1, 0 };
	const char *leaf = d->stack.count ? intern_text(&s->texts, d->stack.frames[0] / TEXT_KINDS) : NULL;
	const char *state = java_state(*d->state ? d->state : heading_state(d, leaf), leaf);
	struct text_sample sample = { .time_ns = d->time_ns, .values = &one };

	if (!d->has_thread)
		return;
	if (!d->stack.count)
		java_stack_add(&d->stack, text_frame(s, TEXT_PLAIN, NO_FRAME, strlen(NO_FRAME)));
	d->labels.state = text_name(s, state, strlen(state));
	sample.stack = java_stack_number(s, &d->stack);
	sample.labels = text_label(s, &d->labels);
	fold_add_text(s, &sample);
	d->has_thread = d->is_unnamed = false;
	d->heading_state = NULL;
}

/* The text after the name in a thread's heading; NULL: the line is not such a heading.  Reports on deadlocks have
 * '"Thread-1":'. */
static const char *find_tail(const char *quote, const char *end)
{
	size_t len = quote ? (size_t)(end - quote) : 0;

	return quote && (memmem(quote, len, " nid=", 5) || memmem(quote, len, " tid=0x", 7)) ? quote + 1 : NULL;
}

/* The number after a word; returns whether the word is there. */
static bool find_number(const char *tail, const char *end, const char *word, const char **at, uint64_t *number)
{
	const char *found = memmem(tail, (size_t)(end - tail), word, strlen(word));
	size_t len;

	*number = 0;
	if (!found)
		return false;
	*at = found + strlen(word);
	len = (size_t)(end - *at);
	if (!java_take_number(at, &len, JAVA_TID_LIMIT, number) && !java_take(at, &len, "NA"))
		*number = UINT64_MAX;
	return true;
}

/* The state in "nid=0x6c26 waiting on condition [0xbfffd000..0xbfffd708]", as HotSpot's OSThread::print_on() prints it;
 * NULL: some other text. */
static const char *find_heading_state(const char *tail, const char *end)
{
	static const struct {
		const char *text, *state;
	} states[] = {
		{ "runnable", "RUNNABLE" },
		{ "waiting for monitor entry", "BLOCKED" },
		{ "waiting on condition", "WAITING" },
		{ "in Object.wait()", "WAITING" },
		{ "sleeping", "TIMED_WAITING" },
	};
	const char *nid = memmem(tail, (size_t)(end - tail), " nid=", 5);
	const char *blank = nid ? memchr(nid + 1, ' ', (size_t)(end - nid - 1)) : NULL;

	for (size_t i = 0; blank && i < sizeof(states) / sizeof(*states); i++) {
		if (text_begins(blank + 1, (size_t)(end - blank - 1), states[i].text))
			return states[i].state;
	}
	return NULL;
}

/* Begin a thread.  In a carrier's heading, only "#28 [30939]" has the thread's number. */
static void jstack_begin_thread(struct dump *d, const char *name, size_t len, const char *tail, const char *end)
{
	const char *at;
	uint64_t tid;

	d->stack.count = 0;
	d->state[0] = '\0';
	d->heading_state = find_heading_state(tail, end);
	d->labels.comm = text_name(d->s, name, len);
	d->has_thread = true;
	if (!find_number(tail, end, " nid=", &at, &tid) && !find_number(tail, end, " [", &at, &tid))
		tid = 0;
	if (tid == UINT64_MAX)
		text_wrong(d->s, at, "nid= is not a thread's number; the thread is kept");
	d->labels.tid = tid && tid != UINT64_MAX ? (int32_t)tid : -1;
	d->labels.pid = d->pid < 0 ? d->labels.tid : d->pid;
}

static void jstack_end_open(struct dump *d)
{
	str_clear(&d->open);
	d->open_lines = 0;
}

/* A line that begins with '"': a thread, or the beginning of a name of several lines, or a heading in a report on
 * deadlocks. */
static void jstack_read_heading(struct dump *d, const char *line, size_t len)
{
	const char *end = line + len, *quote = memrchr(line, '"', len), *tail = find_tail(quote, end);

	if (d->is_unnamed && !d->stack.count)
		d->has_thread = d->is_unnamed = false;
	jstack_end_thread(d);
	if (d->open_lines)
		text_wrong(d->s, d->open_at, "a thread's name that does not end");
	jstack_end_open(d);
	if (quote > line && tail) {
		jstack_begin_thread(d, line + 1, (size_t)(quote - line - 1), tail, end);
	} else if (quote == line) {
		str_add(&d->open, line + 1, len - 1);
		d->open_lines = 1;
		d->open_at = line;
	}
}

/* A further line of an open name. */
static void continue_name(struct dump *d, const char *line, size_t len)
{
	const char *end = line + len, *quote = len ? memrchr(line, '"', len) : NULL, *tail = find_tail(quote, end);

	str_addc(&d->open, '\n');
	str_add(&d->open, line, tail ? (size_t)(quote - line) : len);
	if (tail) {
		jstack_begin_thread(d, d->open.buf, d->open.len, tail, end);
		jstack_end_open(d);
	} else if (++d->open_lines == NAME_LINES_MAX) {
		text_wrong(d->s, d->open_at, "a thread's name that does not end");
		jstack_end_open(d);
	}
}

/* --- lines -------------------------------------------------------------------------- */

static void jstack_read_state(struct dump *d, const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && n < STATE_MAX - 1 && text[n] && text[n] != ' ')
		n++;
	memcpy(d->state, text, n);
	d->state[n] = '\0';
}

/* Blocked within the JVM, whatever Java says. */
static void block_in_jvm(struct dump *d)
{
	d->heading_state = NULL;
	d->state[0] = strcmp(d->state, "RUNNABLE") ? d->state[0] : '\0';
}

/* Begin a virtual thread, as a thread of its own on the carrier that runs it. */
static void begin_mounted(struct dump *d, const char *number, size_t len)
{
	struct str name = { 0 };
	uint64_t id;

	jstack_end_thread(d);
	str_puts(&name, "virtual thread ");
	str_add(&name, number, len);
	d->stack.count = 0;
	strcpy(d->state, "RUNNABLE");
	java_take(&number, &len, "#");
	d->labels.tid = java_take_number(&number, &len, UINT32_MAX, &id) ? java_no_tid(id) : -1;
	d->labels.comm = text_name(d->s, name.buf, name.len);
	d->has_thread = true;
	str_free(&name);
}

/* Begin a thread of the serviceability agent; its name may be in the next line. */
static void begin_unnamed(struct dump *d, uint64_t tid, const char *state)
{
	jstack_end_thread(d);
	d->stack.count = 0;
	strcpy(d->state, state);
	d->labels.comm = TEXT_NO_NAME;
	d->labels.tid = (int32_t)tid;
	d->labels.pid = d->pid < 0 ? d->labels.tid : d->pid;
	d->has_thread = d->is_unnamed = true;
}

static void jstack_read_state(struct dump *d, const char *text, size_t len);

/* Begin a thread for which Java's number is known, but not the kernel's. */
static void begin_of_java(struct dump *d, const struct thread_info *info)
{
	jstack_end_thread(d);
	jstack_end_open(d);
	d->stack.count = 0;
	jstack_read_state(d, info->state ? info->state : "", info->state ? info->state_len : 0);
	d->labels.comm = text_name(d->s, info->name, info->name_len);
	d->labels.tid = java_no_tid(info->id);
	d->labels.pid = d->pid < 0 ? d->labels.tid : d->pid;
	d->has_thread = true;
}

static void jstack_read_frame(struct dump *d, const char *text, size_t len)
{
	uint32_t frame;

	if (!d->has_thread)
		return;
	if (java_frame(d->s, text, len, &frame))
		java_stack_add(&d->stack, frame);
	else
		text_wrong(d->s, text, "not a method and its file in parentheses");
}

/* Read a line of the current thread; returns whether it is one. */
static bool read_of_thread(struct dump *d, const char *line, size_t len)
{
	uint32_t frame;

	java_skip_blanks(&line, &len);
	if (java_take(&line, &len, "at "))
		jstack_read_frame(d, line, len);
	else if (java_take(&line, &len, "java.lang.Thread.State: "))
		jstack_read_state(d, line, len);
	else if (java_take(&line, &len, "JavaThread state: _thread_blocked"))
		block_in_jvm(d);
	else if (java_take(&line, &len, "Carrying virtual thread "))
		strcpy(d->state, "CARRYING");
	else if (d->has_thread && java_take(&line, &len, "Mounted virtual thread "))
		begin_mounted(d, line, len);
	else if (d->has_thread && agent_frame(d->s, line, len, &frame))
		java_stack_add(&d->stack, frame);
	else
		return false;
	return true;
}

/* Label the process, which the dump does not name, so that --pid shows "java-8513". */
static void jstack_begin_process(struct dump *d, int32_t pid)
{
	struct text_labels process = TEXT_NO_LABELS;

	d->pid = process.pid = process.tid = pid;
	process.comm = text_name(d->s, "java", 4);
	text_label(d->s, &process);
}

/* Read a line between threads: "8513:", a date, the heading of a dump, or a line of the serviceability agent. */
static void read_between(struct dump *d, const char *line, size_t len)
{
	uint64_t pid, ns;
	const char *state;
	uint32_t frame;

	if (agent_thread(line, len, &pid, &state)) {
		begin_unnamed(d, pid, state);
		return;
	}
	if (d->has_thread && agent_frame(d->s, line, len, &frame)) {
		java_stack_add(&d->stack, frame);
		return;
	}
	if (java_take(&line, &len, "Virtual machine: ") && java_take_number(&line, &len, JAVA_TID_LIMIT, &pid)) {
		jstack_end_thread(d);
		jstack_begin_process(d, (int32_t)pid);
		return;
	}
	if (!len || line[0] < '0' || line[0] > '9') {
		if (java_take(&line, &len, HEADING) || java_take(&line, &len, "Found ") ||
		    java_take(&line, &len, "JNI global ref"))
			jstack_end_thread(d);
		return;
	}
	if (java_date(line, len, &ns)) {
		jstack_end_thread(d);
		d->time_ns = ns;
	} else if (java_take_number(&line, &len, JAVA_TID_LIMIT, &pid) && len == 1 && *line == ':') {
		jstack_end_thread(d);
		jstack_begin_process(d, (int32_t)pid);
	}
}

static void jstack_parse(const struct text_part *part)
{
	struct dump d = { .s = part->out, .labels = TEXT_NO_LABELS, .pid = -1, .time_ns = TIMES_NONE };
	const char *next = NULL, *line;
	struct thread_info info;
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		if (len && *line == '"' && thread_info_read(line, len, &info))
			begin_of_java(&d, &info);
		else if (len && *line == '"' && !(d.open_lines && !find_tail(memrchr(line, '"', len), line + len)))
			jstack_read_heading(&d, line, len);
		else if (d.open_lines)
			continue_name(&d, line, len);
		else if (!len || (*line != ' ' && *line != '\t') || !read_of_thread(&d, line, len))
			read_between(&d, line, len);
	}
	jstack_end_thread(&d);
	if (d.open_lines)
		text_wrong(d.s, d.open_at, "a thread's name that does not end");
	java_stack_free(&d.stack);
	str_free(&d.open);
}

/* --- the input ---------------------------------------------------------------------- */

/* The beginning of the line that ends before `at`. */
static const char *line_before(const char *text, const char *at)
{
	const char *newline = at - text > 1 ? memrchr(text, '\n', (size_t)(at - text - 1)) : NULL;

	return newline ? newline + 1 : text;
}

/* A part ends before a dump, that is, before the date and the process above the dump's heading. */
static size_t jstack_split(const char *text, size_t len)
{
	const char *heading = NULL, *before;
	uint64_t ns, pid;
	size_t n;

	for (const char *at = text + len; at > text && !heading;) {
		before = line_before(text, at);
		if (text_begins(before, (size_t)(at - before), HEADING))
			heading = before;
		at = before;
	}
	for (int i = 0; heading && heading > text && i < 2; i++) {
		const char *word = before = line_before(text, heading);

		n = (size_t)(heading - before) - 1;
		n -= n && before[n - 1] == '\r';
		if (!java_date(before, n, &ns) &&
		    !(java_take_number(&word, &n, JAVA_TID_LIMIT, &pid) && n == 1 && *word == ':'))
			break;
		heading = before;
	}
	return heading ? (size_t)(heading - text) : 0;
}

/* If the first dump has no date, none has. */
static void jstack_begin(const char *text, size_t len, struct text_setup *setup)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	uint64_t ns;

	setup->timed = false;
	while (!setup->timed && text_line(&part, &next, &line, &len) && !text_begins(line, len, HEADING))
		setup->timed = java_date(line, len, &ns);
	setup->sums_untimed = setup->timed;
}

static enum sniffed jstack_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line, *state;
	struct thread_info info;
	uint64_t tid;

	while (text_line(&part, &next, &line, &len)) {
		if (text_begins(line, len, HEADING) || (agent_thread(line, len, &tid, &state) && *state) ||
		    (len && *line == '"' && thread_info_read(line, len, &info)) ||
		    (len && *line == '"' && find_tail(memrchr(line, '"', len), line + len) &&
		     memmem(line, len, " prio=", 6)))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format jstack_format = {
	.name = "jstack",
	.holds = "threads with their stacks and states",
	.wanted = "'\"thread\" #1 prio=5 nid=0x1f5e', or 'at method(File.java:1)'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS |
	       TEXT_HAS_STATES,
	.states = "runnable",
	.sniff = jstack_sniff,
	.begin = jstack_begin,
	.split = jstack_split,
	.parse = jstack_parse,
};
