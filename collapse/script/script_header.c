#include "collapse/script/script_header.h"

#include <string.h>

#include "core/decimal.h"
#include "core/str.h"

enum {
	CPU_DIGITS_MAX = 9,
	TIME_DIGITS_MAX = 10,
	ADDRESS_DIGITS_MIN = 4,
	PERIOD_DIGITS_MAX = 19,
	HEADERS_LOOKED_AT = 1000,
	NAME_WORDS_MAX = 16
};

static bool script_header_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool script_header_is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

static const char *script_header_skip_blanks(const char *at, const char *end)
{
	while (at < end && script_header_is_blank(*at))
		at++;
	return at;
}

static const char *word_end(const char *at, const char *end)
{
	while (at < end && !script_header_is_blank(*at))
		at++;
	return at;
}

/* The end of text[..end) without the blanks at its end. */
static const char *script_header_trim(const char *start, const char *end)
{
	while (end > start && script_header_is_blank(end[-1]))
		end--;
	return end;
}

/* --- fields, read backwards ----------------------------------------------------------- */

/* The beginning of the digits before end. */
static const char *digits_before(const char *start, const char *end)
{
	while (end > start && is_digit(end[-1]))
		end--;
	return end;
}

static bool begins_word(const char *start, const char *at)
{
	return at == start || script_header_is_blank(at[-1]);
}

/* The beginning of the time that ends before colon, "1234.567890"; NULL: there is none.  Android's simpleperf, whose
 * colon is followed by tabs, prints microseconds without leading zeros: "1234.8374" is 1234.008374. */
static const char *time_before(const char *start, const char *colon, const char *end)
{
	const char *fraction = digits_before(start, colon), *whole;
	size_t decimals = (size_t)(colon - fraction);
	bool padded = decimals == 6 || decimals == 9;

	if (!padded && !(decimals && decimals < 6 && colon + 1 < end && colon[1] == '\t'))
		return NULL;
	if (fraction == start || fraction[-1] != '.')
		return NULL;
	whole = digits_before(start, fraction - 1);
	if (whole == fraction - 1 || fraction - 1 - whole > TIME_DIGITS_MAX || !begins_word(start, whole))
		return NULL;
	return whole;
}

static uint64_t script_header_number(const char *at, const char *end)
{
	uint64_t n = 0;

	for (; at < end; at++)
		n = n * 10 + (uint64_t)(*at - '0');
	return n;
}

static uint64_t script_header_time_ns(const char *whole, const char *colon)
{
	const char *point = memchr(whole, '.', (size_t)(colon - whole));
	uint64_t fraction = script_header_number(point + 1, colon);

	return script_header_number(whole, point) * 1000000000 + (colon - point <= 7 ? fraction * 1000 : fraction);
}

/* The end of the text before "[002]"; `end` itself if there is no such CPU. */
static const char *script_header_take_cpu(const char *start, const char *end, uint32_t *cpu)
{
	const char *digits;

	if (end - start < 3 || end[-1] != ']')
		return end;
	digits = digits_before(start, end - 1);
	if (digits == end - 1 || end - 1 - digits > CPU_DIGITS_MAX || digits == start || digits[-1] != '[' ||
	    !begins_word(start, digits - 1))
		return end;
	*cpu = (uint32_t)script_header_number(digits, end - 1);
	return script_header_trim(start, digits - 1);
}

/* The number that ends at `end`, with its sign; NULL: there is none. */
static const char *number_before(const char *start, const char *end, int32_t *n)
{
	const char *at = digits_before(start, end);

	if (at == end || end - at > CPU_DIGITS_MAX + 1)
		return NULL;
	if (script_header_number(at, end) > INT32_MAX)
		return NULL;
	*n = (int32_t)script_header_number(at, end);
	if (at > start && at[-1] == '-' && begins_word(start, at - 1))
		*n = -*n, at--;
	else if (at - 1 > start && at[-1] == '-' && at[-2] == '/')
		*n = -*n, at--;
	return at;
}

/* The end of the text before "8513/8530" or "8530"; NULL: there is no such number. */
static const char *script_header_take_thread(const char *start, const char *end, struct script_header *h)
{
	const char *at = number_before(start, end, &h->tid), *slash;

	if (at && at > start && at[-1] == '/') {
		slash = at - 1;
		at = number_before(start, slash, &h->pid);
	}
	return at && begins_word(start, at) ? script_header_trim(start, at) : NULL;
}

/* -F +misc: "K", "U", "HG" and the like stand between the CPU and the time. */
static const char *skip_misc(const char *start, const char *end)
{
	const char *at = end;

	while (at > start && at[-1] && strchr("KUHGgMESFDTt", at[-1]))
		at--;
	return at < end && begins_word(start, at) ? script_header_trim(start, at) : end;
}

/* Read the text before the time, or the event: "java 8513/8530 [002]".  If it is something else, *h is unchanged. */
static bool script_header_read_thread(const char *start, const char *end, unsigned has, struct script_header *h)
{
	struct script_header found = *h;
	const char *at = script_header_trim(start, end), *before = script_header_take_cpu(start, at, &found.cpu);

	if (before == at && (has & SCRIPT_HAS_THREAD) && at > start && !is_digit(at[-1]))
		before = script_header_take_cpu(start, skip_misc(start, at), &found.cpu);
	if (has & SCRIPT_HAS_THREAD) {
		before = script_header_take_thread(start, before, &found);
		if (!before)
			return false;
	}
	found.comm = script_header_skip_blanks(start, before);
	found.comm_len = (size_t)(before - found.comm);
	*h = found;
	return true;
}

/* --- what follows the time -------------------------------------------------------------- */

static bool is_number(const char *at, const char *end)
{
	return at < end && digits_before(at, end) == at;
}

static bool script_header_is_address(const char *at, const char *end)
{
	const char *digits = at;

	while (at < end && script_header_is_hex(*at))
		at++;
	return at == end && at - digits >= ADDRESS_DIGITS_MIN;
}

/* What has more digits does not fit. */
static void set_period(struct script_header *h, const char *at, const char *end)
{
	h->has_period = true;
	h->period_too_large = end - at > PERIOD_DIGITS_MAX;
	h->period = h->period_too_large ? 0 : script_header_number(at, end);
}

static bool ends_in_colon(const char *word, const char *stop)
{
	return stop - word > 1 && stop[-1] == ':';
}

/* The end, with its colon, of an event's name that begins at word; NULL: there is none.  A name with blanks, "raw
 * 0x1a8:", is followed by an address, or by nothing.  The text of tracepoints has colons, too, but names of tracepoints
 * have no blanks. */
static const char *event_end(const char *word, const char *end)
{
	const char *stop = word_end(word, end), *next;

	if (ends_in_colon(word, stop))
		return stop;
	if (is_number(word, stop) || script_header_is_address(word, stop))
		return NULL;
	while (word < end && !ends_in_colon(word, stop)) {
		word = script_header_skip_blanks(stop, end);
		stop = word_end(word, end);
	}
	next = script_header_skip_blanks(stop, end);
	return word < end && (next == end || script_header_is_address(next, word_end(next, end))) ? stop : NULL;
}

/* Read "250000 cpu-clock:u: rest", where the period or the event or both may be missing. */
static void script_header_read_event(const char *at, const char *end, struct script_header *h)
{
	const char *word = script_header_skip_blanks(at, end), *stop = word_end(word, end), *event;

	if (is_number(word, stop)) {
		const char *next = script_header_skip_blanks(stop, end);

		if (next == end || event_end(next, end) || script_header_is_address(next, word_end(next, end))) {
			set_period(h, word, stop);
			word = next;
		}
	}
	event = event_end(word, end);
	if (event) {
		h->event = word;
		h->event_len = (size_t)(event - word) - 1;
		word = script_header_skip_blanks(event, end);
	}
	h->rest = word;
	h->rest_len = (size_t)(script_header_trim(word, end) - word);
}

static bool read_with_time(const char *line, const char *end, unsigned has, struct script_header *h)
{
	const char *from = line, *colon, *whole;

	while ((colon = memchr(from, ':', (size_t)(end - from)))) {
		from = colon + 1;
		if (from < end && !script_header_is_blank(*from))
			continue;
		whole = time_before(line, colon, end);
		if (!whole || !script_header_read_thread(line, whole, has, h))
			continue;
		h->has_time = true;
		h->time_ns = script_header_time_ns(whole, colon);
		script_header_read_event(from, end, h);
		return true;
	}
	return false;
}

/* Read a header without a time, whose event, or address, begins at word.  Returns false if the line is not a header. */
static bool read_before(const char *line, const char *word, const char *end, unsigned has, bool is_event,
			struct script_header *h)
{
	const char *before = script_header_trim(line, word), *start = digits_before(line, before);
	struct script_header found = *h;

	if (is_event && has & SCRIPT_HAS_PERIOD && start < before && start > line) {
		set_period(&found, start, before);
		before = script_header_trim(line, start);
	}
	if (!script_header_read_thread(line, before, has, &found))
		return false;
	script_header_read_event(word, end, &found);
	*h = found;
	return true;
}

/* The same for an event whose name has blanks and ends at stop; the nearest number before it is the thread's. */
static bool read_spaced(const char *line, const char *stop, const char *end, unsigned has, struct script_header *h)
{
	const char *word = stop;

	for (int words = 0; words < NAME_WORDS_MAX && (has & SCRIPT_HAS_THREAD); words++) {
		word = script_header_trim(line, word);
		while (word > line && !script_header_is_blank(word[-1]))
			word--;
		if (word == line || (words && ends_in_colon(word, word_end(word, end))))
			return false;
		if (event_end(word, end) == stop && read_before(line, word, end, has, true, h))
			return true;
	}
	return false;
}

/* The event's word is the first one that ends in a colon and follows the number of a thread or CPU. */
static bool read_without_time(const char *line, const char *end, unsigned has, struct script_header *h)
{
	for (const char *word = script_header_skip_blanks(line, end), *stop; word < end;
	     word = script_header_skip_blanks(stop, end)) {
		bool is_event;

		stop = word_end(word, end);
		is_event = ends_in_colon(word, stop);
		if (!is_event && !((has & SCRIPT_HAS_THREAD) && script_header_is_address(word, stop) && stop < end))
			continue;
		if (read_before(line, word, end, has, is_event, h) ||
		    (is_event && read_spaced(line, stop, end, has, h)))
			return true;
	}
	if (!script_header_read_thread(line, end, has, h))
		return false;
	h->rest = end;
	return true;
}

bool script_header_read(const char *line, size_t len, unsigned has, struct script_header *h)
{
	const char *end = line + len;

	*h = (struct script_header){ .pid = -1, .tid = -1, .cpu = UINT32_MAX };
	return has & SCRIPT_HAS_TIME ? read_with_time(line, end, has, h) : read_without_time(line, end, has, h);
}

/* --- frames ----------------------------------------------------------------------------- */

bool script_is_frame(const char *line, size_t len)
{
	const char *end = line + len, *at = script_header_skip_blanks(line, end), *digits = at;

	while (at < end && script_header_is_hex(*at))
		at++;
	return at > digits && at - digits <= 16 && (at == end || script_header_is_blank(*at));
}

/* "0008: 42 50 46" */
static bool is_dump(const char *at, const char *end)
{
	const char *stop = word_end(at, end);

	return ends_in_colon(at, stop) && script_header_is_address(at, stop - 1) && end - stop > 3 &&
	       script_header_is_hex(stop[1]) && script_header_is_hex(stop[2]) && stop[3] == ' ';
}

bool script_is_output(const char *line, size_t len)
{
	const char *end = line + len, *at = script_header_skip_blanks(line, end);

	return text_begins(at, (size_t)(end - at), "BPF output: ") ||
	       text_begins(at, (size_t)(end - at), "BPF string: ") || is_dump(at, end);
}

bool script_is_error(const char *line, size_t len)
{
	const char *end = line + len, *at = script_header_skip_blanks(line, end);

	return text_begins(at, (size_t)(end - at), "instruction trace error type ");
}

/* Skip the words before the frame that -F +addr,data_src,weight adds: "7f00aa 1e05080021 |OP LOAD|LVL L1 hit 12 401136
 * f (/bin/a)".  Returns the beginning of the last address that has only such words before it, or the name of the data;
 * `at` itself if there are no such words. */
static const char *skip_data(const char *at, const char *end)
{
	const char *frame = at;
	bool is_data = false;

	for (const char *word = at, *stop; word < end; word = script_header_skip_blanks(stop, end)) {
		const char *before = script_header_trim(at, word);
		bool is_behind_name = before > at && before[-1] == ')', is_behind_address;

		stop = word_end(word, end);
		is_data |= *word == '|';
		while (before > at && !script_header_is_blank(before[-1]))
			before--;
		is_behind_address = word > at && script_header_is_address(before, word_end(before, end));
		if (script_header_is_address(word, stop) && stop - word >= 6 && stop < end &&
		    *script_header_skip_blanks(stop, end) != '(' && (is_behind_name || is_behind_address || is_data))
			frame = word;
	}
	return frame;
}

/* The length of a frame without the fields that -F +phys_addr,data_page_size adds after its file: "401136 f (/bin/a)
 * 12ab3000 4K". */
size_t script_frame_len(const char *frame, size_t len)
{
	const char *end = frame + len, *file = memrchr(frame, ')', len);

	if (!file || file + 1 == end || !script_header_is_blank(file[1]))
		return len;
	for (const char *at = file + 1; at < end; at++) {
		if (!script_header_is_hex(*at) && !script_header_is_blank(*at) && !memchr("KMGN/A", *at, 6))
			return len;
	}
	return (size_t)(file + 1 - frame);
}

const char *script_frame_in(const char *rest, size_t len)
{
	const char *end = rest + len, *found = NULL;

	for (const char *word = rest, *stop; word < end; word = script_header_skip_blanks(stop, end)) {
		stop = word_end(word, end);
		if (script_header_is_address(word, stop) && stop < end &&
		    (word == rest || (stop - word >= 6 && end[-1] == ')')))
			found = word;
		if (found == rest)
			return skip_data(rest, end);
	}
	return found;
}

/* --- the fields of an input --------------------------------------------------------------- */

/* How many headers with which fields were seen. */
struct fields_seen {
	size_t headers, times, threads, periods, returns;
};

static void script_header_look_at(const char *line, const char *end, struct fields_seen *seen)
{
	static const unsigned time_and_thread = SCRIPT_HAS_TIME | SCRIPT_HAS_THREAD;
	struct script_header h;
	size_t len = (size_t)(end - line);

	seen->headers++;
	if (script_header_read(line, len, SCRIPT_HAS_TIME, &h)) {
		seen->times++;
		seen->threads += script_header_read(line, len, time_and_thread, &h);
		return;
	}
	if (script_header_read(line, len, SCRIPT_HAS_THREAD, &h)) {
		seen->threads++;
		seen->periods +=
			script_header_read(line, len, SCRIPT_HAS_THREAD | SCRIPT_HAS_PERIOD, &h) && h.has_period;
	}
}

/* Is this line, which is inside a block of lines, a header? */
static bool is_header_inside(const char *line, size_t len)
{
	struct script_header h;

	if (script_header_read(line, len, SCRIPT_HAS_TIME, &h))
		return true;
	if (*line != ' ')
		return !script_is_frame(line, len) || line[len - 1] != ')';
	return script_header_read(line, len, SCRIPT_HAS_THREAD, &h) && h.event;
}

static unsigned fields_of(const struct fields_seen *seen)
{
	unsigned has = seen->times && seen->times * 2 >= seen->headers ? SCRIPT_HAS_TIME : 0;

	if (seen->threads && seen->threads >= (has ? seen->times : seen->headers))
		has |= SCRIPT_HAS_THREAD;
	if (!(has & SCRIPT_HAS_TIME) && seen->periods && seen->periods == seen->threads)
		has |= SCRIPT_HAS_PERIOD;
	return has | (seen->returns ? SCRIPT_HAS_RETURNS : 0);
}

const char *script_comments_end(const char *text, size_t len)
{
	static const char ruler[] = "# ========";
	const size_t ruler_len = sizeof(ruler) - 1;
	const char *end = text + len, *last = NULL, *newline;

	if (len < ruler_len || memcmp(text, ruler, ruler_len) != 0)
		return text;
	for (const char *at = text + ruler_len; !last && (at = memmem(at, (size_t)(end - at), ruler, ruler_len)); at++)
		last = at[-1] == '\n' ? at : NULL;
	newline = last ? memchr(last, '\n', (size_t)(end - last)) : NULL;
	return newline ? newline + 1 : text;
}

unsigned script_header_fields(const char *text, size_t len)
{
	const char *end = text + len, *newline;
	bool after_blank = true;
	struct fields_seen seen = { 0 };

	for (const char *line = script_comments_end(text, len); line < end && seen.headers < HEADERS_LOOKED_AT;
	     line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline && line > text) /* perhaps cut */
			break;
		newline = newline ? newline : end - 1;
		len = (size_t)(newline - line) + (*newline != '\n');
		seen.returns += len && line[len - 1] == '\r';
		len -= len && line[len - 1] == '\r';
		if (!len || *line == '#') {
			after_blank = true;
			continue;
		}
		if (script_is_output(line, len) || script_is_error(line, len))
			continue;
		if (*line != '\t' && (after_blank || is_header_inside(line, len)))
			script_header_look_at(line, line + len, &seen);
		after_blank = false;
	}
	return fields_of(&seen);
}
