/* goroutine: what a Go program prints of its goroutines; several dumps are several samples.
 *
 * When it panics or gets SIGQUIT, and in /debug/pprof/goroutine?debug=2, each goroutine has its own stack:
 *
 *     goroutine 19 [chan receive, 2 minutes, locked to thread]:     or: goroutine 19 gp=0xc000002380 m=3 mp=... [idle]:
 *     sync.(*Mutex).Lock(...)                                       inlined into the next one
 *     	/usr/lib/go/src/sync/mutex.go:90
 *     main.(*Server).handle(0xc000098270, {0x1, 0x2})
 *     	/srv/main.go:18 +0x4b
 *     ...23 frames elided...
 *     created by main.main in goroutine 1                           the number since Go 1.21
 *     	/srv/main.go:40 +0x71
 *
 * becomes
 *
 *     created by main.main;[truncated];main.(*Server).handle;sync.(*Mutex).Lock_[i] 1
 *
 * debug=1 counts goroutines with equal stacks.  /debug/pprof/threadcreate does the same for threads, and so do
 * programs' own profiles:
 *
 *     goroutine profile: total 12
 *     3 @ 0x43ae36 0x44b51e 0x44b4f5
 *     # labels: {"thread":"my worker"}
 *     #	0x4643e4	sync.runtime_SemacquireMutex+0x24	/usr/lib/go/src/runtime/sema.go:77
 *
 * Events: goroutines, and minutes of waiting, if the text has them. */
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "collapse/parse/stack_builder.h"
#include "core/json.h"

#define CREATED "created by "

enum { GOROUTINES, MINUTES };

struct goroutines {
	struct stack_builder frames;
	struct event_values values;
	struct text_labels labels;
	struct text_value count, minutes; /* of the stack */
	struct text_span call;            /* a line that is a frame if a source follows on the next line; empty: none */
	bool is_open;                     /* there is a stack, ... */
	bool is_counted;                  /* ... from debug=1 */
};

/* --- headings ------------------------------------------------------------------------- */

/* Read "goroutine 19 gp=0x1 m=3 mp=0x2 [chan receive, 2 minutes]:": the number, and the text in the brackets. */
static bool goroutine_take_heading(struct text_span line, struct text_span *id, struct text_span *state)
{
	size_t open, close;
	uint64_t number;

	if (!span_skip(&line, "goroutine "))
		return false;
	*id = line;
	if (!span_number(&line, UINT64_MAX, &number) || !span_begins(line, " "))
		return false;
	id->len -= line.len;
	open = span_find(line, "[");
	close = span_find(line, "]");
	if (close == line.len || open > close || !span_ends(line, ":"))
		return false;
	*state = (struct text_span){ line.text + open + 1, close - open - 1 };
	return true;
}

/* Read "3 @ 0x43ae36 0x44b51e": the digits of the count, which may be too many for a number. */
static bool goroutine_take_count(struct text_span line, struct text_span *count)
{
	size_t n = 0;

	while (n < line.len && is_digit(line.text[n]))
		n++;
	*count = (struct text_span){ line.text, n };
	return n && span_begins(span_after(line, n), " @");
}

/* "goroutine profile: total 12" */
static bool is_profile(struct text_span line)
{
	size_t at = span_find(line, " profile: total ");

	return at && at < line.len && span_is_digits(span_after(line, at + strlen(" profile: total ")));
}

/* "chan receive, 2 minutes, locked to thread" */
static void goroutine_take_state(struct goroutines *g, struct text_span state)
{
	size_t comma = span_find(state, ", ");
	struct text_span rest = span_after(state, comma);
	uint64_t minutes;

	g->labels.state = text_name(g->frames.out, state.text, comma);
	while (span_skip(&rest, ", ")) {
		if (span_number(&rest, UINT64_MAX, &minutes) && span_begins(rest, " minute"))
			g->minutes.whole = minutes;
		rest = span_after(rest, span_find(rest, ", "));
	}
}

static void end_goroutine(struct goroutines *g)
{
	static const struct text_span unknown = { "[unknown]", 9 };
	uint32_t stack;

	if (g->is_open) {
		if (!g->frames.count)
			stack_builder_add(&g->frames, TEXT_PLAIN, unknown);
		stack = stack_builder_end(&g->frames, LEAF_FIRST);
		event_values_add(&g->values, GOROUTINES, &g->count, stack, &g->labels);
		event_values_add(&g->values, MINUTES, &g->minutes, stack, &g->labels);
	}
	g->is_open = g->is_counted = false;
	g->call.len = 0;
}

static void begin_goroutine(struct goroutines *g, const struct text_value *count)
{
	end_goroutine(g);
	g->labels = TEXT_NO_LABELS;
	g->count = *count;
	g->minutes = (struct text_value){ 0 };
	g->is_open = true;
}

/* --- frames --------------------------------------------------------------------------- */

/* Remove the arguments from "main.(*Server).handle(0xc000098270, {0x1, 0x2})"; they have no parentheses, except
 * "(...)". */
static struct text_span without_arguments(struct text_span call)
{
	size_t open = span_last(call, '(');

	if (open && open < call.len && span_ends(call, ")"))
		call.len = open;
	return call;
}

/* "	/srv/main.go:18 +0x4b", below a call */
static void goroutine_take_source(struct goroutines *g, struct text_span line)
{
	static const struct text_span unavailable = { "[stack unavailable]", 19 };
	struct text_span source = span_trim(line), call = g->call;
	size_t in = span_find(call, " in goroutine ");
	enum text_kind kind = span_ends(call, "(...)") ? TEXT_INLINED : TEXT_PLAIN;

	if (!call.len) { /* "	goroutine running on other thread; stack unavailable" */
		if (span_has(line, "stack unavailable"))
			stack_builder_add(&g->frames, TEXT_PLAIN, unavailable);
		return;
	}
	if (span_begins(call, CREATED))
		call.len = in;
	else
		call = without_arguments(call);
	source.len = span_find(source, " +0x");
	source_line_add(&g->frames, kind, call, source_line_of(source));
	g->call.len = 0;
}

/* "#	0x4643e4	sync.runtime_SemacquireMutex+0x24	/usr/lib/go/src/runtime/sema.go:77" */
static void take_counted(struct goroutines *g, struct text_span line)
{
	struct text_source at;
	struct text_span name;
	size_t plus;

	span_skip(&line, "#\t");
	span_word(&line);
	line = span_trim(line);
	name = (struct text_span){ line.text, span_find(line, "\t") };
	plus = span_last(name, '+');
	at = source_line_of(span_trim(span_after(line, name.len)));
	if (plus && span_begins(span_after(name, plus), "+0x"))
		name.len = plus;
	if (!name.len)
		name = (struct text_span){ "[unknown]", 9 };
	source_line_add(&g->frames, TEXT_PLAIN, name, at);
}

/* "# labels: {"thread":"my worker"}" */
static void goroutine_take_labels(struct goroutines *g, struct text_span line)
{
	struct json rest = json_make(line.text, line.len), value;
	struct str key = { 0 }, text = { 0 };

	while (json_next_member(&rest, &key, &value)) {
		if (json_text(value, &text))
			label_set(g->frames.out, &g->labels, (struct text_span){ str_text(&key), key.len },
				  (struct text_span){ str_text(&text), text.len }, 0);
	}
	str_free(&key);
	str_free(&text);
}

static void take_elided(struct goroutines *g)
{
	static const struct text_span truncated = { "[truncated]", 11 };

	stack_builder_add(&g->frames, TEXT_PLAIN, truncated);
	g->call.len = 0;
}

/* Read a line of an open stack, other than its heading. */
static void take_goroutine_line(struct goroutines *g, struct text_span line)
{
	if (!line.len || span_begins(line, "[originating from goroutine ")) /* stacks of its ancestors */
		end_goroutine(g);
	else if (g->is_counted && span_skip(&line, "# labels: "))
		goroutine_take_labels(g, line);
	else if (g->is_counted && span_begins(line, "#\t"))
		take_counted(g, line);
	else if (g->is_counted)
		end_goroutine(g);
	else if (span_begins(line, "...") && span_has(line, "frames elided..."))
		take_elided(g);
	else if (span_begins(line, "\t"))
		goroutine_take_source(g, line);
	else
		g->call = line;
}

/* --- the format ----------------------------------------------------------------------- */

static int32_t goroutine_number(struct text_span id)
{
	struct text_span rest = id;
	uint64_t number;

	return span_number(&rest, INT32_MAX, &number) ? (int32_t)number : text_thread_number(id.text, id.len);
}

static void goroutine_take_line(struct goroutines *g, struct text_span line)
{
	const struct text_value once = { .whole = 1 };
	struct text_span id, state, digits;
	struct text_value count;

	if (goroutine_take_heading(line, &id, &state)) {
		begin_goroutine(g, &once);
		g->labels.pid = g->labels.tid = goroutine_number(id);
		goroutine_take_state(g, state);
	} else if (goroutine_take_count(line, &digits)) {
		end_goroutine(g);
		if (stack_value(g->frames.out, digits, &count))
			begin_goroutine(g, &count);
		g->is_counted = g->is_open;
	} else if (g->is_open) {
		take_goroutine_line(g, line);
	}
}

static void goroutine_parse(const struct text_part *part)
{
	struct goroutines g = { .frames = { .out = part->out },
				.values = { .out = part->out },
				.labels = TEXT_NO_LABELS };
	const char *event = part->out->setup->own ? "threads" : "goroutines", *next = NULL;
	const struct text_span name = { event, strlen(event) }, minutes = { "minutes", strlen("minutes") };
	struct text_span line;

	event_values_name(&g.values, name, name);
	event_values_name(&g.values, minutes, minutes);
	while (span_line(part, &next, &line))
		goroutine_take_line(&g, line);
	end_goroutine(&g);
	event_values_end(&g.values);
	stack_builder_free(&g.frames);
}

static bool goroutine_starts(struct text_span text)
{
	struct text_span count;

	return goroutine_take_count(text, &count) ||
	       (span_skip(&text, "goroutine ") && text.len && is_digit(text.text[0]));
}

static void goroutine_begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->own = span_begins((struct text_span){ text, len }, "threadcreate profile: ");
}

static enum sniffed goroutine_sniff(const char *text, size_t len)
{
	const struct text_part part = { .text = text, .len = len };
	struct text_span line, id, state, count, below[2];
	const char *next = NULL;

	while (span_line(&part, &next, &line)) {
		const char *after = next;

		if (!goroutine_take_heading(line, &id, &state) && !is_profile(line))
			continue;
		if (!span_line(&part, &after, &below[0]) || goroutine_take_count(below[0], &count))
			return SNIFF_SURE;
		if (span_line(&part, &after, &below[1]) &&
		    span_begins(below[0].text[0] == '\t' ? below[0] : below[1], "\t"))
			return SNIFF_SURE;
	}
	return SNIFF_NO;
}

const struct input_format goroutine_format = {
	.name = "goroutine",
	.holds = "stacks of Go's goroutines, with states and events",
	.wanted = "'goroutine 1 [running]:' or '3 @ 0xADDRESS ...', then frames",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_STATES | TEXT_HAS_EVENTS |
	       TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = goroutine_sniff,
	.begin = goroutine_begin,
	.starts = goroutine_starts,
	.parse = goroutine_parse,
};
