/* perf_script: the text that perf script prints, with fields in any combination (script_header.h).
 *
 *     # ========                                                             --header; comments are skipped
 *     # cmdline : /usr/bin/perf record -g python3 -c import app
 *     app.run()                                                             an argument of several lines
 *     # ========
 *
 *     java 8513/8530 [002] 1234.567890:     250000 cpu-clock:u:
 *     	    7f722d142778 Lcom/example/App;::run+0x18 (/tmp/perf-8513.map)     leaf first
 *     	    7f5338999dd0 [unknown] (/usr/lib/libc-2.28.so)
 *
 *     java 8513/8530 [002] 1234.667890:     250000 cpu-clock:u:              a blank line ends each stack
 *     	          ...
 *
 * Samples have the same values as in the recording: those of a clock are counted, the periods of other events are added
 * up.  perf script omits some facts: the beginnings of functions without names, and the whole names of threads. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/frames/names.h"
#include "collapse/parse/format.h"
#include "collapse/script/script_header.h"
#include "collapse/script/script_inline.h"
#include "collapse/script/script_stack.h"
#include "core/hash.h"
#include "core/memory.h"

/* Labels that were seen before, found by their hash. */
struct script_label {
	uint64_t hash;
	uint32_t label; /* + 1; 0: free */
};

enum { LABEL_BITS = 10 };

/* A sample that was found.  It is added later, when the place of its stack in the cache has been loaded. */
struct script_waiting {
	const char *line;
	struct script_header header;
	struct script_ahead stack;
};

struct script {
	struct script_stacks stacks;
	struct script_waiting waiting;
	bool has_waiting;
	struct script_label labels[1 << LABEL_BITS]; /* direct-mapped */
};

static void script_free(void *own)
{
	struct script *script = own;

	script_stacks_free(&script->stacks);
	free(script);
}

static struct script *script_of(struct text_stacks *s)
{
	if (!s->own) {
		s->own = xcalloc(1, sizeof(struct script));
		s->own_free = script_free;
	}
	return s->own;
}

/* --- samples ---------------------------------------------------------------------------- */

/* Short texts that differ only in length may have the same hash_bytes(). */
static uint64_t hash_name(const char *name, size_t len)
{
	return hash_mix(hash_bytes(name, len), len);
}

static uint32_t make_label(struct text_stacks *s, const struct script_header *h, struct text_labels l)
{
	if (h->comm_len)
		l.comm = text_name(s, h->comm, h->comm_len);
	if (h->event)
		l.event = text_name(s, h->event, h->event_len);
	return text_label(s, &l);
}

static uint32_t perf_script_label_of(struct script *script, struct text_stacks *s, const struct script_header *h)
{
	unsigned wanted = s->setup->labels;
	struct text_labels l = TEXT_NO_LABELS;
	struct script_label *seen;
	uint64_t hash;

	if (wanted & (TEXT_HAS_PIDS | TEXT_HAS_TIDS)) {
		l.pid = h->pid;
		l.tid = h->tid;
	}
	if (wanted & TEXT_HAS_CPUS)
		l.cpu = h->cpu;
	hash = hash_mix(hash_name(h->comm, h->comm_len), (uint64_t)(uint32_t)l.pid << 32 | (uint32_t)l.tid);
	hash = hash_mix(hash ^ (h->event ? hash_name(h->event, h->event_len) : 1), l.cpu);
	seen = &script->labels[hash >> (64 - LABEL_BITS)];
	if (!seen->label || seen->hash != hash)
		*seen = (struct script_label){ hash, make_label(s, h, l) + 1 };
	return seen->label - 1;
}

static bool by_period(const struct text_setup *setup, const struct script_header *h)
{
	if (setup->weight == TEXT_WEIGHT_EVENT)
		return h->has_period && !(h->event && text_event_is_clock(h->event, h->event_len));
	return setup->weight == TEXT_WEIGHT_PERIOD;
}

static void perf_script_add_sample(struct script *script, struct text_stacks *s, const char *line,
				   const struct script_header *h, uint32_t stack)
{
	struct text_value value = { 1, 0 };
	struct text_sample sample = { h->time_ns, &value, stack, 0 };

	if (by_period(s->setup, h)) {
		if (!h->has_period || h->period_too_large) {
			text_wrong(s, line,
				   h->has_period ? "a period that is too large"
						 : "no period (perf script -F +period prints it)");
			return;
		}
		value.whole = h->period;
		s->periods = true;
	}
	sample.labels = perf_script_label_of(script, s, h);
	fold_add_text(s, &sample);
}

/* --- lines ------------------------------------------------------------------------------ */

static bool is_comment(const char *line, size_t len)
{
	return line[0] == '#' && (len == 1 || line[1] == ' ');
}

/* Lines of --show-mmap-events and the like: "PERF_RECORD_MMAP2 8513/8513: [0x...", "PERF_RECORD_COMM:
 * java:8513/8530". */
static bool is_record_of_perf(const struct script_header *h)
{
	static const char word[] = "PERF_RECORD_";

	return (h->event && text_begins(h->event, h->event_len, word)) ||
	       (h->rest_len && text_begins(h->rest, h->rest_len, word));
}

static bool begins_stack(const char *at, const char *end)
{
	const char *newline;

	if (at == end || *at == '\t')
		return at < end;
	newline = memchr(at, '\n', (size_t)(end - at));
	return script_is_frame(at, (size_t)((newline ? newline : end) - at));
}

static const char *line_after(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

/* Skip the lines of a stack whose header could not be read. */
static const char *skip_stack(const char *at, const char *end)
{
	while (at < end && (*at == '\t' || *at == ' '))
		at = line_after(at, end);
	return at;
}

/* Skip the further lines of PERF_RECORD_NAMESPACES: "\t\t[0/net: 4/0xf0000098, 1/uts: ...". */
static const char *skip_tabbed(const char *at, const char *end)
{
	while (at < end && *at == '\t')
		at = line_after(at, end);
	return at;
}

/* Skip what a BPF program put out. */
static const char *skip_output(const char *at, const char *end)
{
	for (const char *next; at < end; at = next) {
		next = line_after(at, end);
		if (!script_is_output(at, (size_t)(next - at)))
			break;
	}
	return at;
}

static bool is_blank_before_stack(const char *at, const char *end)
{
	at += at < end && *at == '\r';
	return end - at > 1 && at[0] == '\n' && at[1] == '\t';
}

/* Add the waiting sample, if any.  Returns false if its stack turned out to end early: *next is then the text after the
 * stack, and everything after that must be found again. */
static bool perf_script_add_waiting(struct script *script, struct text_stacks *s, const char **next)
{
	const struct script_waiting *w = &script->waiting;
	uint32_t stack;
	const char *end;

	if (!script->has_waiting)
		return true;
	script->has_waiting = false;
	end = script_stack_ahead(&script->stacks, s, &w->stack, &stack);
	perf_script_add_sample(script, s, w->line, &w->header, stack);
	if (end == w->stack.end)
		return true;
	*next = end;
	return false;
}

/* Let a sample wait for its stack, after adding the one that waited so far.  Returns the text after the sample, or NULL
 * if the sample cannot wait. */
static const char *wait_for_stack(struct script *script, struct text_stacks *s, const char *line,
				  const struct script_header *h, const char *at)
{
	struct script_ahead ahead;
	const char *next;

	if (!script_stack_look(&script->stacks, s, at, &ahead))
		return NULL;
	if (!perf_script_add_waiting(script, s, &next))
		return next;
	script->waiting = (struct script_waiting){ line, *h, ahead };
	script->has_waiting = true;
	return ahead.end;
}

/* Read the sample of a header; the sample's stack, if it has one, begins at next.  Returns the text after the
 * sample. */
static const char *perf_script_read_sample(struct script *script, struct text_stacks *s, const char *line,
					   const struct script_header *h, const char *frame, const char *next)
{
	const char *end = s->part->text + s->part->len, *after;
	uint32_t stack;
	bool below = next < end && (*next == '\t' || (!frame && *next != '\n' && begins_stack(next, end)));

	if (below) {
		after = wait_for_stack(script, s, line, h, next);
		if (after)
			return after;
	}
	if (!perf_script_add_waiting(script, s, &after))
		return after;
	if (below)
		next = script_stack_read(&script->stacks, s, next, &stack);
	else if (frame)
		stack = script_stack_of_one(&script->stacks, s, frame,
					    script_frame_len(frame, (size_t)(h->rest + h->rest_len - frame)));
	else
		stack = text_stack(s, NULL, 0);
	perf_script_add_sample(script, s, line, h, stack);
	return next;
}

/* Read the record that begins with line[0..len), a header; the record's stack begins at next.  Returns the text after
 * the record. */
static const char *perf_script_read_record(struct script *script, struct text_stacks *s, const char *line, size_t len,
					   const char *next)
{
	const char *end = s->part->text + s->part->len, *after;
	struct script_header h;

	if (!script_header_read(line, len, s->setup->fields, &h)) {
		if (!perf_script_add_waiting(script, s, &after))
			return after;
		text_wrong(s, line,
			   s->setup->fields & SCRIPT_HAS_TIME ? "no time, or no thread" : "no header of a sample");
		return skip_stack(next, end);
	}
	if (is_record_of_perf(&h))
		return skip_tabbed(next, end);
	next = skip_output(next, end);
	if (is_blank_before_stack(next, end)) /* some tools add a blank line */
		next += *next == '\r' ? 2 : 1;
	return perf_script_read_sample(script, s, line, &h, h.rest_len ? script_frame_in(h.rest, h.rest_len) : NULL,
				       next);
}

/* -F ip,sym: a stack without a header. */
static const char *read_headless(struct script *script, struct text_stacks *s, const char *line)
{
	static const struct script_header none = { .pid = -1, .tid = -1, .cpu = UINT32_MAX };
	uint32_t stack;
	const char *next;

	if (!perf_script_add_waiting(script, s, &next))
		return next;
	next = script_stack_read(&script->stacks, s, line, &stack);
	if (s->setup->timed)
		text_wrong(s, line, "a stack without a header");
	else
		perf_script_add_sample(script, s, line, &none, stack);
	return next;
}

static void perf_script_parse(const struct text_part *part)
{
	struct text_stacks *s = part->out;
	struct script *script = script_of(s);
	const char *next = part->number ? NULL : script_comments_end(part->text, part->len), *line;
	size_t len;

	script->stacks.unparted = false;
	do {
		while (text_line(part, &next, &line, &len)) {
			if (!len || is_comment(line, len) || script_is_output(line, len))
				continue;
			if (script_is_error(line, len)) {
				text_wrong(s, line, "an error of the trace");
				continue;
			}
			next = *line == '\t' ? read_headless(script, s, line)
					     : perf_script_read_record(script, s, line, len, next);
		}
	} while (!perf_script_add_waiting(script, s, &next));
}

static void perf_script_complete(struct text_stacks *shards, size_t count)
{
	struct script_lines **lines;

	if (!count || !shards->setup->inlined)
		return;
	lines = xcalloc(count, sizeof(*lines));
	for (size_t i = 0; i < count; i++)
		lines[i] = &script_of(&shards[i])->stacks.lines;
	script_inline(shards, lines, count);
	free(lines);
}

/* --- the input -------------------------------------------------------------------------- */

static void perf_script_begin(const char *text, size_t len, struct text_setup *setup)
{
	setup->fields = script_header_fields(text, len);
	setup->timed = setup->fields & SCRIPT_HAS_TIME;
}

/* Parts end after the last blank line, unless that may be between a header and its stack; in text without blank lines,
 * before the last line that may begin a sample. */
static size_t perf_script_split(const char *text, size_t len)
{
	size_t end = text_split_lines(text, len), at;

	for (at = end; at > 1; at = text_split_lines(text, at - 1)) {
		if (at < len && text[at] != '\t' && text[at - 1] == '\n' &&
		    (text[at - 2] == '\n' || (at > 2 && text[at - 2] == '\r' && text[at - 3] == '\n')))
			return at;
	}
	while (end && (end == len || text[end] == '\t' || text[end] == '\n' || text[end] == '\r' ||
		       begins_stack(text + end, text + len) || skip_output(text + end, text + len) > text + end))
		end = text_split_lines(text, end - 1);
	return end;
}

/* At least four digits, one of them decimal, because "face it" is text. */
static bool begins_with_address(const char *at, const char *end)
{
	size_t digits = 0, decimal = 0;

	for (; at < end && (*at == ' ' || *at == '\t'); at++)
		;
	for (; at < end && isxdigit((unsigned char)*at); at++, digits++)
		decimal += isdigit((unsigned char)*at) != 0;
	return digits >= 4 && decimal;
}

/* How sure is it that a line below a header is a frame?  Very, if it has perf's own form, "\t%16lx name". */
static enum sniffed sniff_frame(const char *line, const char *end)
{
	const char *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
	size_t len = (size_t)((newline ? newline : end) - line);

	if (line < end && is_blank_before_stack(line, end))
		return sniff_frame(newline + 1, end);
	len -= len && line[len - 1] == '\r';
	if (!len || !script_is_frame(line, len))
		return SNIFF_NO;
	if (*line == '\t' && len > 18 && line[16] != ' ' && line[17] == ' ')
		return SNIFF_SURE;
	if (*line != '\t' && *line != ' ' && line[len - 1] != ')')
		return SNIFF_NO;
	return begins_with_address(line, line + len) ? SNIFF_MAYBE : SNIFF_NO;
}

/* "f+0x1 (/bin/a)", "f ([kernel.kallsyms])" */
static bool ends_with_file(const char *text, size_t len)
{
	return text[len - 1] == ')' && (memmem(text, len, " (/", 3) || memmem(text, len, " ([", 3));
}

/* Does a frame follow the event on the same line?  perf prints " %16lx name (file)".  "Virtual machine: 8513 JVM
 * information:" is other text. */
static bool has_frame_behind(const struct script_header *h)
{
	enum { ADDRESS_WIDTH = 16 };
	size_t width = 0;
	const char *before = h->rest;

	if (!h->rest_len || !script_frame_in(h->rest, h->rest_len))
		return false;
	while (width < h->rest_len && isxdigit((unsigned char)h->rest[width]))
		width++;
	while (h->event && before > h->event && before[-1] == ' ') {
		before--;
		width++;
	}
	return h->has_time || width >= ADDRESS_WIDTH || ends_with_file(h->rest, h->rest_len);
}

/* Do the header and the frame below it have a form that occurs in no other text? */
static bool is_sure(const struct script_header *h, enum sniffed below)
{
	bool has_frame = below || has_frame_behind(h);

	if (below == SNIFF_SURE && h->comm_len)
		return true;
	if (h->has_time && h->event && h->tid >= 0)
		return true;
	if (!h->has_time && h->event && memchr(h->event, ' ', h->event_len)) /* as in much other text */
		return false;
	return has_frame && (h->has_time || h->event || (below && h->tid >= 0));
}

/* "@name[bash, " is of bpftrace, whose kstack(perf) has perf's form */
static bool is_map(const char *line, size_t len)
{
	size_t n = 1;

	while (n < len && (isalnum((unsigned char)line[n]) || line[n] == '_'))
		n++;
	return *line == '@' && n < len && line[n] == '[';
}

static enum sniffed perf_script_sniff(const char *text, size_t len)
{
	static const unsigned forms[] = { SCRIPT_HAS_TIME | SCRIPT_HAS_THREAD, SCRIPT_HAS_TIME, SCRIPT_HAS_THREAD, 0 };
	const struct text_part part = { .text = text, .len = len };
	const char *next = script_comments_end(text, len), *line, *end = text + len;
	static const char captured[] = "# captured on";
	bool has_captured = false;
	struct script_header h;

	while (text_line(&part, &next, &line, &len)) {
		bool is_record = false;

		has_captured |= text_begins(line, len, captured);
		if (!len || is_comment(line, len) || script_is_error(line, len))
			continue;
		if (is_map(line, len))
			return SNIFF_NO;
		if (*line == '\t')
			return sniff_frame(line, end) == SNIFF_SURE ? SNIFF_SURE : SNIFF_NO;
		for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
			if (!script_header_read(line, len, forms[i], &h))
				continue;
			is_record |= is_record_of_perf(&h);
			if (is_sure(&h, sniff_frame(next, end)))
				return SNIFF_SURE;
		}
		if (!is_record)
			return SNIFF_NO;
		next = skip_tabbed(next, end);
	}
	return has_captured ? SNIFF_SURE : SNIFF_NO; /* from a pipe, perhaps only the comments of --header have arrived
						      * so far */
}

const struct input_format perf_script_format = {
	.name = "perf-script",
	.holds = "samples",
	.wanted = "'comm pid/tid [cpu] time: period event:', then a frame in each line",
	.has = TEXT_HAS_TIMES | TEXT_HAS_STACKS | TEXT_HAS_LINES | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS |
	       TEXT_HAS_CPUS | TEXT_HAS_EVENTS | TEXT_HAS_PERIODS | TEXT_COMMS_JOINED | TEXT_HAS_FILES |
	       TEXT_HAS_LIBRARIES,
	.sniff = perf_script_sniff,
	.begin = perf_script_begin,
	.split = perf_script_split,
	.parse = perf_script_parse,
	.complete = perf_script_complete,
};
