/* exceptions: stack traces of Java exceptions, in logs.
 *
 *     2026-11-24 10:15:02,123 ERROR [main] c.e.App - failed          the date of a log line is the time of the trace
 *     java.lang.IllegalStateException: boom
 *     	at com.example.App.handle(App.java:12) ~[app.jar:1.0]
 *     	at com.example.App.main(App.java:5)
 *     	Suppressed: java.io.IOException: close
 *     		at com.example.Dao.close(Dao.java:31)
 *     		... 1 more                                             the last frame of the enclosing trace
 *     Caused by: java.sql.SQLException: timeout
 *     	at com.example.Dao.get(Dao.java:7)
 *     	... 2 common frames omitted                             the same, as logback writes it
 *
 * Each trace is a sample; causes and suppressed exceptions have the frames that they share with the trace that encloses
 * them.  Lines may have a prefix that ends in blanks or a tab, for example from a container's log. */
#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/format.h"
#include "collapse/jvm/java_text.h"
#include "core/format/folded.h"

/* Java itself limits stacks to 1024 frames; longer chains of causes would let a small file become very large. */
enum { LEVELS = 8, LOOKED_AT = 65536, SHARED_MAX = 1024, CHAIN_MAX = 64 };

enum line_kind { LINE_OTHER, LINE_FRAME, LINE_CAUSE, LINE_SUPPRESSED, LINE_MORE, LINE_NOTE };

/* A line of a trace: the text after its mark ("at", "Caused by:"), and the number of tabs before the mark. */
struct trace_line {
	enum line_kind kind;
	const char *rest;
	size_t len;
	size_t level;
};

struct log {
	struct text_stacks *s;
	const char *date; /* the last line that begins with a digit; NULL: none */
	size_t date_len;
	bool in_trace, is_nested, has_frames;
	size_t level;
	size_t chain;                        /* causes, suppressed so far */
	struct java_stack stack;             /* of the current trace */
	struct java_stack enclosing[LEVELS]; /* the last trace of each level; count 0: none */
};

/* --- lines -------------------------------------------------------------------------- */

static const struct {
	const char *mark;
	enum line_kind kind;
} marks[] = {
	{ "at ", LINE_FRAME },
	{ "... ", LINE_MORE },
	{ "Caused by: ", LINE_CAUSE },
	{ "Wrapped by: ", LINE_CAUSE },
	{ "Suppressed: ", LINE_SUPPRESSED },
	{ "- locked ", LINE_NOTE },
	{ "- waiting on ", LINE_NOTE },
	{ "- waiting to lock ", LINE_NOTE },
};

enum { MARKS = sizeof(marks) / sizeof(*marks) };

static bool exceptions_is_frame(const char *text, size_t len)
{
	size_t n = java_method_len(text, len);

	return n && memchr(text + n, ')', len - n);
}

/* Does a mark begin at text[0..len)? */
static bool take_mark(const char *text, size_t len, struct trace_line *line)
{
	for (size_t i = 0; i < MARKS; i++) {
		line->rest = text;
		line->len = len;
		if (!java_take(&line->rest, &line->len, marks[i].mark))
			continue;
		if (marks[i].kind == LINE_FRAME && !exceptions_is_frame(line->rest, line->len))
			return false;
		if (marks[i].kind == LINE_MORE && !(line->len && is_digit(*line->rest)))
			return false;
		line->kind = marks[i].kind;
		return true;
	}
	return false;
}

/* Four blanks count as a tab. */
static size_t level_of(const char *start, const char *mark)
{
	size_t tabs = 0, blanks = 0;

	while (mark > start && (mark[-1] == ' ' || mark[-1] == '\t')) {
		tabs += mark[-1] == '\t';
		blanks += mark[-1] == ' ';
		mark--;
	}
	tabs += tabs ? 0 : blanks / 4;
	return tabs < LEVELS ? tabs : LEVELS - 1;
}

/* Where a mark may begin after a prefix: after a tab, or two blanks; NULL: nowhere. */
static const char *after_prefix(const char *text, size_t len)
{
	const char *tab = memchr(text, '\t', len), *blanks = memmem(text, len, "  ", 2);
	const char *at = !tab || (blanks && blanks < tab) ? blanks : tab, *end = text + len;

	while (at && at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static struct trace_line classify(const char *text, size_t len)
{
	struct trace_line line = { 0 };
	const char *at = text, *end = text + len, *prefixed;
	size_t left = len;

	java_skip_blanks(&at, &left);
	if (!left)
		return line;
	if (!strchr("a.CWS-", *at) || !take_mark(at, left, &line)) {
		prefixed = after_prefix(at, left);
		if (!prefixed || prefixed == end || !take_mark(prefixed, (size_t)(end - prefixed), &line))
			return line;
		at = prefixed;
	}
	line.level = level_of(text, at);
	return line;
}

/* "2026-11-24 10:15:02,123 ERROR", "2026-11-24T10:15:02.123Z" */
static bool exceptions_read_time(const char *line, size_t len, uint64_t *ns)
{
	char date[64];
	size_t n = 19;

	if (len < n || line[4] != '-' || line[7] != '-' || line[13] != ':')
		return false;
	memcpy(date, line, n);
	if (n + 1 < len && (line[n] == ',' || line[n] == '.') && is_digit(line[n + 1])) {
		date[n++] = '.';
		while (n < len && n < 29 && is_digit(line[n])) {
			date[n] = line[n];
			n++;
		}
	}
	if (n < len && line[n] == 'Z') {
		date[n++] = 'Z';
	} else if (n + 6 <= len && (line[n] == '+' || line[n] == '-') && line[n + 3] == ':') {
		memcpy(date + n, line + n, 6);
		n += 6;
	}
	return java_date(date, n, ns);
}

/* --- traces ------------------------------------------------------------------------- */

static void exceptions_end_trace(struct log *l)
{
	struct text_value one = { 1, 0 };
	struct text_sample sample = { .time_ns = TIMES_NONE, .values = &one };
	struct java_stack old = l->enclosing[l->level];

	l->in_trace = false;
	if (!l->has_frames)
		return;
	if (!l->s->setup->keep_times || !l->date || !exceptions_read_time(l->date, l->date_len, &sample.time_ns))
		sample.time_ns = TIMES_NONE;
	sample.stack = java_stack_number(l->s, &l->stack);
	sample.labels = text_label(l->s, &TEXT_NO_LABELS);
	fold_add_text(l->s, &sample);
	l->enclosing[l->level] = l->stack;
	l->stack = old;
	l->stack.count = 0;
	l->has_frames = false;
}

/* level: the indentation of "Caused by" or "Suppressed"; 0 for a trace that nothing encloses. */
static void exceptions_begin_trace(struct log *l, size_t level, bool is_nested)
{
	exceptions_end_trace(l);
	for (size_t i = is_nested ? level + 1 : 0; i < LEVELS; i++)
		l->enclosing[i].count = 0;
	l->in_trace = true;
	l->is_nested = is_nested;
	l->chain = is_nested ? l->chain + 1 : 0;
	l->level = level;
}

static void exceptions_add_frame(struct log *l, const struct trace_line *line)
{
	uint32_t frame;

	if (!l->in_trace)
		exceptions_begin_trace(l, 0, false);
	if (java_frame(l->s, line->rest, line->len, &frame)) {
		java_stack_add(&l->stack, frame);
		l->has_frames = true;
	} else {
		text_wrong(l->s, line->rest, "not a method and its file in parentheses");
	}
}

/* "... 12 more": the last frames of the enclosing trace.  For a cause, that is the trace before it; for a suppressed
 * exception, the trace of the level above. */
static void exceptions_add_more(struct log *l, const struct trace_line *line)
{
	const struct java_stack *from = NULL;
	const char *text = line->rest;
	size_t len = line->len;
	uint64_t count;

	if (!l->in_trace)
		return;
	if (!java_take_number(&text, &len, 1 << 20, &count))
		count = 0;
	if (l->is_nested)
		from = &l->enclosing[l->level];
	if (from && count <= from->count && count <= SHARED_MAX && l->chain <= CHAIN_MAX) {
		for (size_t i = from->count - count; i < from->count; i++)
			java_stack_add(&l->stack, from->frames[i]);
	} else if (count) {
		java_stack_add(&l->stack,
			       text_frame(l->s, TEXT_PLAIN, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME)));
	}
	l->has_frames |= l->stack.count > 0;
	exceptions_end_trace(l);
}

/* A suppressed exception is enclosed by the trace of the level above; its causes, by its own trace. */
static void begin_suppressed(struct log *l, size_t level)
{
	struct java_stack *to = &l->enclosing[level];
	const struct java_stack *from;

	exceptions_end_trace(l);
	if (!level)
		return;
	from = &l->enclosing[level - 1];
	exceptions_begin_trace(l, level, true);
	to->count = 0;
	for (size_t i = 0; i < from->count; i++)
		java_stack_add(to, from->frames[i]);
}

/* A line that does not belong to a trace: what follows it has no enclosing trace, unless the line continues the message
 * of a cause. */
static void read_other(struct log *l, const char *text, size_t len)
{
	bool digit = len && is_digit(*text);
	uint64_t ns;

	if (l->in_trace && l->is_nested && !l->has_frames && !(digit && exceptions_read_time(text, len, &ns)))
		return;
	exceptions_end_trace(l);
	for (size_t i = 0; i < LEVELS; i++)
		l->enclosing[i].count = 0;
	if (digit) {
		l->date = text;
		l->date_len = len;
	}
}

static void exceptions_read_line(struct log *l, const char *text, size_t len)
{
	struct trace_line line = classify(text, len);

	switch (line.kind) {
	case LINE_FRAME: exceptions_add_frame(l, &line); break;
	case LINE_MORE: exceptions_add_more(l, &line); break;
	case LINE_CAUSE: exceptions_begin_trace(l, line.level, true); break;
	case LINE_SUPPRESSED: begin_suppressed(l, line.level); break;
	case LINE_NOTE: break;
	case LINE_OTHER: read_other(l, text, len);
	}
}

static void exceptions_parse(const struct text_part *part)
{
	struct log l = { .s = part->out };
	const char *next = NULL, *line;
	size_t len;

	while (text_line(part, &next, &line, &len))
		exceptions_read_line(&l, line, len);
	exceptions_end_trace(&l);
	java_stack_free(&l.stack);
	for (size_t i = 0; i < LEVELS; i++)
		java_stack_free(&l.enclosing[i]);
}

/* --- the input ---------------------------------------------------------------------- */

/* A part ends before a line with a date; in text without dates, before any line that does not belong to a trace. */
static size_t exceptions_split(const char *text, size_t len)
{
	size_t whole = text_split_lines(text, len), other = 0;
	const char *end = text + whole;
	uint64_t ns;

	while (end > text) {
		const char *newline = end - text > 1 ? memrchr(text, '\n', (size_t)(end - text - 1)) : NULL;
		const char *line = newline ? newline + 1 : text;
		size_t n = (size_t)(end - line);
		bool is_other = classify(line, n).kind == LINE_OTHER;

		if (is_other && line > text && is_digit(*line) && exceptions_read_time(line, n, &ns))
			return (size_t)(line - text);
		if (is_other && !other)
			other = (size_t)(line - text);
		end = line;
	}
	return other;
}

/* The first trace shows whether lines have dates. */
static void exceptions_begin(const char *text, size_t len, struct text_setup *setup)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL, *line;
	uint64_t ns;

	setup->timed = false;
	while (text_line(&part, &next, &line, &len) && classify(line, len).kind != LINE_FRAME) {
		if (len && is_digit(*line))
			setup->timed = exceptions_read_time(line, len, &ns);
	}
	setup->sums_untimed = setup->timed;
}

/* The format is sure if frames follow a line that names an exception, in text that is not a thread dump. */
static enum sniffed exceptions_sniff(const char *text, size_t len)
{
	static const char *const dumps[] = { "Full thread dump ", "3XMTHREADINFO",
					     "java.lang.Thread.State: ", "\"threadDump\"" };
	static const char *const words[] = { "Exception", "Error", "Throwable", "Caused by" };
	const struct text_part part = { .text = text, .len = len < LOOKED_AT ? len : LOOKED_AT };
	const char *next = NULL, *line, *before = NULL;
	size_t before_len = 0;

	if (memchr(text, '\0', part.len))
		return SNIFF_NO;
	for (size_t i = 0; i < sizeof(dumps) / sizeof(*dumps); i++) {
		if (memmem(text, part.len, dumps[i], strlen(dumps[i])))
			return SNIFF_NO;
	}
	for (; text_line(&part, &next, &line, &len); before = line, before_len = len) {
		if (!before || classify(line, len).kind != LINE_FRAME)
			continue;
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
			if (memmem(before, before_len, words[i], strlen(words[i])))
				return SNIFF_SURE;
		}
	}
	return SNIFF_NO;
}

const struct input_format exceptions_format = {
	.name = "exceptions",
	.holds = "stacks of exceptions",
	.wanted = "'at method(File.java:1)'",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES,
	.sniff = exceptions_sniff,
	.begin = exceptions_begin,
	.split = exceptions_split,
	.parse = exceptions_parse,
};
