/* threaddump: dumps of all threads, virtual ones too, from jcmd PID Thread.dump_to_file [-format=json] FILE; JDK 21 on.
 *
 *     8513
 *     2026-11-24T10:15:02.910185468Z
 *     25.0.3+9-LTS
 *
 *     #27 "v-0" virtual RUNNABLE 2026-11-24T10:15:02.314551310Z      state and time since JDK 24
 *         at com.example.App.handle(App.java:12)
 *         - locked <java.lang.Object@7a6e81f2>
 *         at java.base/java.lang.VirtualThread.run(VirtualThread.java:460)
 *
 * or, as JSON, in whatever lines,
 *
 *     { "threadDump": { "processId": "8513", "time": "2026-11-24T10:15:02.150809442Z", ...
 *          {
 *            "tid": "27",
 *            "time": "2026-11-24T10:15:02.716341886Z",
 *            "virtual": true,
 *            "name": "v-0",
 *            "state": "RUNNABLE",
 *            "stack": [
 *              "com.example.App.handle(App.java:12)",
 *
 * Here tid is Java's number, not the kernel's.  In dumps of JDK 21 to 23, threads have no states, so all of them are
 * shown. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/jvm/java_text.h"
#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "core/utf8.h"
#include "core/wallclock.h"

enum { STATE_MAX = 32 };

#define NO_FRAME "[no Java frames]"

struct dump {
	struct text_stacks *s;
	struct text_labels labels;
	uint64_t dump_ns, time_ns; /* of the dump; of the thread */
	bool has_thread;
	uint64_t number; /* of the thread */
	char state[STATE_MAX];
	struct java_stack stack;
	struct str text;
};

static void threaddump_end_thread(struct dump *d)
{
	struct text_stacks *s = d->s;
	struct text_value one = { 1, 0 };
	const char *leaf = d->stack.count ? intern_text(&s->texts, d->stack.frames[0] / TEXT_KINDS) : NULL;
	const char *state = *d->state ? java_state(d->state, leaf) : NULL;
	struct text_sample sample = { .time_ns = d->time_ns, .values = &one };

	if (d->has_thread) {
		if (!d->stack.count)
			java_stack_add(&d->stack, text_frame(s, TEXT_PLAIN, NO_FRAME, strlen(NO_FRAME)));
		d->labels.state = state ? text_name(s, state, strlen(state)) : TEXT_NO_NAME;
		d->labels.tid = java_no_tid(d->number);
		if (d->labels.pid < 0)
			d->labels.pid = d->labels.tid;
		sample.stack = java_stack_number(s, &d->stack);
		sample.labels = text_label(s, &d->labels);
		fold_add_text(s, &sample);
	}
	d->has_thread = false;
	d->stack.count = 0;
	d->state[0] = '\0';
	d->time_ns = d->dump_ns;
}

static void threaddump_begin_thread(struct dump *d, uint64_t number)
{
	threaddump_end_thread(d);
	d->has_thread = true;
	d->number = number;
	d->labels.comm = TEXT_NO_NAME;
}

static void threaddump_set_name(struct dump *d, const char *name, size_t len)
{
	struct str text = { 0 };

	if (len) {
		d->labels.comm = text_name(d->s, name, len);
		return;
	}
	str_addf(&text, "virtual thread #%llu", (unsigned long long)d->number);
	d->labels.comm = text_name(d->s, text.buf, text.len);
	str_free(&text);
}

static void set_state(struct dump *d, const char *text, size_t len)
{
	if (len && len < STATE_MAX && isupper((unsigned char)*text)) {
		memcpy(d->state, text, len);
		d->state[len] = '\0';
	}
}

static void set_process(struct dump *d, uint64_t pid)
{
	struct text_labels process = TEXT_NO_LABELS;

	d->labels.pid = process.pid = process.tid = (int32_t)pid;
	process.comm = text_name(d->s, "java", 4);
	text_label(d->s, &process);
}

/* Returns false if the text is not a frame. */
static bool threaddump_add_frame(struct dump *d, const char *text, size_t len)
{
	uint32_t frame;

	if (!d->has_thread)
		return true;
	if (!java_frame(d->s, text, len, &frame))
		return false;
	java_stack_add(&d->stack, frame);
	return true;
}

/* --- text --------------------------------------------------------------------------- */

/* The text after the name: "virtual RUNNABLE 2026-11-24T10:15:02.314551310Z"; each part may be missing. */
static void threaddump_read_tail(struct dump *d, const char *text, size_t len)
{
	uint64_t ns;

	while (len) {
		size_t n = 0;

		java_skip_blanks(&text, &len);
		while (n < len && text[n] != ' ')
			n++;
		if (java_date(text, n, &ns))
			d->time_ns = ns;
		else
			set_state(d, text, n);
		text += n;
		len -= n;
	}
}

/* '#27 "v-0" virtual' */
static void threaddump_read_heading(struct dump *d, const char *line, size_t len)
{
	const char *at = line + 1, *name, *quote;
	size_t left = len - 1;
	uint64_t number;

	if (!java_take_number(&at, &left, UINT64_MAX >> 8, &number) || !java_take(&at, &left, " \"")) {
		text_wrong(d->s, line, "not a thread's number and name");
		threaddump_end_thread(d);
		return;
	}
	name = at;
	quote = left ? memrchr(name, '"', left) : NULL;
	threaddump_begin_thread(d, number);
	threaddump_set_name(d, name, quote ? (size_t)(quote - name) : left);
	if (quote)
		threaddump_read_tail(d, quote + 1, (size_t)(name + left - quote - 1));
}

static void parse_text(struct dump *d, const struct text_part *part)
{
	const char *next = NULL, *line;
	uint64_t number;
	size_t len;

	while (text_line(part, &next, &line, &len)) {
		const char *at = line;

		java_skip_blanks(&at, &len);
		if (len && at == line && *at == '#')
			threaddump_read_heading(d, at, len);
		else if (java_take(&at, &len, "at ") || (at > line && len && isalpha((unsigned char)*at))) {
			if (!threaddump_add_frame(d, at, len))
				text_wrong(d->s, at, "not a method and its file in parentheses");
		} else if (java_date(at, len, &number))
			d->time_ns = d->dump_ns = number;
		else if (at == line && java_take_number(&at, &len, JAVA_TID_LIMIT, &number) && !len)
			set_process(d, number);
	}
	threaddump_end_thread(d);
}

/* --- JSON --------------------------------------------------------------------------- */

static void read_json_thread(struct dump *d, struct json thread)
{
	struct json stack = json_member(thread, "stack"), frame;
	uint64_t number;

	if (!json_u64(json_member(thread, "tid"), &number) || number > UINT64_MAX >> 8) {
		text_wrong(d->s, thread.at, "a thread without a number");
		return;
	}
	threaddump_begin_thread(d, number);
	if (json_text(json_member(thread, "name"), &d->text))
		threaddump_set_name(d, str_text(&d->text), d->text.len);
	if (json_text(json_member(thread, "state"), &d->text))
		set_state(d, str_text(&d->text), d->text.len);
	if (json_text(json_member(thread, "time"), &d->text) && java_date(str_text(&d->text), d->text.len, &number))
		d->time_ns = number;
	while (json_next_item(&stack, &frame)) {
		if (!json_text(frame, &d->text) || !threaddump_add_frame(d, str_text(&d->text), d->text.len))
			text_wrong(d->s, frame.at, "not a method and its file in parentheses");
	}
	threaddump_end_thread(d);
}

static void parse_json(struct dump *d, const struct text_part *part)
{
	struct json all = json_member(json_make(part->text, part->len), "threadDump");
	struct json containers = json_member(all, "threadContainers"), container, threads, thread;
	uint64_t number;

	if (json_u64(json_member(all, "processId"), &number) && number <= JAVA_TID_LIMIT)
		set_process(d, number);
	if (json_text(json_member(all, "time"), &d->text) && java_date(str_text(&d->text), d->text.len, &number))
		d->dump_ns = d->time_ns = number;
	while (json_next_item(&containers, &container)) {
		threads = json_member(container, "threads");
		while (json_next_item(&threads, &thread))
			read_json_thread(d, thread);
		json_check_end(d->s, threads, ']');
	}
	json_check_end(d->s, containers, ']');
}

/* --- the input ---------------------------------------------------------------------- */

static bool is_json(const char *text, size_t len)
{
	const char *at = text;

	while (len && isspace((unsigned char)*at)) {
		at++;
		len--;
	}
	return len && *at == '{';
}

static void threaddump_parse(const struct text_part *part)
{
	struct dump d = { .s = part->out, .labels = TEXT_NO_LABELS, .dump_ns = TIMES_NONE, .time_ns = TIMES_NONE };

	if (is_json(part->text, part->len))
		parse_json(&d, part);
	else
		parse_text(&d, part);
	java_stack_free(&d.stack);
	str_free(&d.text);
}

/* A process, a date and a version, each alone in its line. */
static bool threaddump_is_text(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	uint64_t number;

	return text_line(&part, &next, &line, &len) && java_take_number(&line, &len, JAVA_TID_LIMIT, &number) && !len &&
	       text_line(&part, &next, &line, &len) && java_date(line, len, &number) &&
	       text_line(&part, &next, &line, &len) && len && isdigit((unsigned char)*line) &&
	       text_line(&part, &next, &line, &len) && !len;
}

static enum sniffed threaddump_sniff(const char *text, size_t len)
{
	static const char key[] = "\"threadDump\"";

	if (is_json(text, len))
		return memmem(text, len < 256 ? len : 256, key, strlen(key)) ? SNIFF_SURE : SNIFF_NO;
	return threaddump_is_text(text, len) ? SNIFF_SURE : SNIFF_NO;
}

static void threaddump_begin(const char *text, size_t len, struct text_setup *setup)
{
	(void)text, (void)len;
	setup->sums_untimed = true;
}

const struct input_format threaddump_format = {
	.name = "threaddump",
	.holds = "threads with their stacks and states",
	.wanted = "'#27 \"thread\" virtual RUNNABLE', or 'at method(File.java:1)'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS |
	       TEXT_HAS_STATES,
	.states = "runnable",
	.sniff = threaddump_sniff,
	.begin = threaddump_begin,
	.parse = threaddump_parse,
};
