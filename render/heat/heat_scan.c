/* Parses lines into events.  Most lines are plain, and are parsed here; sample.h parses the others. */
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/heat/heat_parts.h"
#include "render/profile/sample.h"

enum { PLAIN_DIGITS = 18 }; /* values with this many digits cannot be too large */

static const char NOT_TIMED[] = "not timed: use collapse --heat";

static bool heat_scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- plain lines ------------------------------------------------------------ */

/* Take "@1475682078.", which is usually the same as in the previous line. */
static bool take_second(struct heat_scanner *s, const char *line, size_t len)
{
	uint64_t seconds = 0;
	size_t i = 1;

	if (s->second_len && len > s->second_len && !memcmp(line, s->second, s->second_len))
		return true;
	while (i < len && i < 11 && is_digit(line[i]))
		seconds = seconds * 10 + (uint64_t)(line[i++] - '0');
	if (len < 3 || line[0] != '@' || i == 1 || i == len || line[i] != '.' || seconds >= UINT64_MAX / NS_PER_SEC)
		return false;
	memcpy(s->second, line, i + 1);
	s->second_len = i + 1;
	s->second_ns = seconds * NS_PER_SEC;
	return true;
}

/* Take nine digits and a blank. */
static bool take_ns(const char *text, uint64_t *ns)
{
	uint64_t n = 0;

	for (int i = 0; i < 9; i++) {
		if (!is_digit(text[i]))
			return false;
		n = n * 10 + (uint64_t)(text[i] - '0');
	}
	*ns = n;
	return text[9] == ' ';
}

/* Does text[0..len) end in a number, which may be another value? */
static bool heat_scan_ends_in_number(const char *text, size_t len)
{
	size_t i = len;

	while (i && (is_digit(text[i - 1]) || text[i - 1] == '.'))
		i--;
	return !i || (i < len && heat_scan_is_blank(text[i - 1]));
}

/* Take "a;b;c 17". */
static bool take_plain_stack(struct sample_line *out, const char *text, size_t len)
{
	uint64_t value = 0, unit = 1;
	size_t i = len;

	for (; i && is_digit(text[i - 1]) && len - i < PLAIN_DIGITS; unit *= 10)
		value += (uint64_t)(text[--i] - '0') * unit;
	if (i == len || i < 2 || text[i - 1] != ' ')
		return false;
	i--;
	if (heat_scan_is_blank(text[i - 1]) || text[i - 1] == ';' || heat_scan_ends_in_number(text, i))
		return false;
	out->value = value;
	out->stack = text;
	out->stack_len = i;
	return true;
}

/* Returns false for any line that is not plain. */
static bool take_plain(struct heat_scanner *s, struct sample_line *out, const char *line, size_t len)
{
	uint64_t ns;

	if (!take_second(s, line, len) || len < s->second_len + 10 || !take_ns(line + s->second_len, &ns))
		return false;
	out->time_ns = s->second_ns + ns;
	out->decimals = 0;
	return take_plain_stack(out, line + s->second_len + 10, len - s->second_len - 10);
}

/* ---- events ----------------------------------------------------------------- */

/* Returns false if a value that the block already has would become too large. */
static bool heat_scan_refine(struct heat_scanner *s, unsigned decimals)
{
	struct heat_block *b = s->block;
	unsigned places = decimals - b->decimals;
	uint64_t same = decimal_shift(b->same_value, places);

	for (size_t i = 0; s->differ && i < b->count; i++) {
		if (decimal_shift(s->value[i], places) == UINT64_MAX)
			return false;
	}
	if (same == UINT64_MAX)
		return false;
	for (size_t i = 0; s->differ && i < b->count; i++)
		s->value[i] = decimal_shift(s->value[i], places);
	b->same_value = same;
	b->decimals = decimals;
	return true;
}

static void heat_scan_add_value(struct heat_scanner *s, uint64_t value)
{
	struct heat_block *b = s->block;

	if (!b->count)
		b->same_value = value;
	if (!s->differ && value == b->same_value)
		return;
	s->value = xgrow(s->value, &s->value_cap, b->count + 1, sizeof(*s->value));
	for (size_t i = 0; !s->differ && i < b->count; i++)
		s->value[i] = b->same_value;
	s->differ = true;
	s->value[b->count] = value;
}

static const char *heat_scan_add_event(struct heat_scanner *s, struct sample_line *sample)
{
	struct heat_block *b = s->block;

	if ((s->from_ns || s->to_ns) && (sample->time_ns < s->from_ns || sample->time_ns >= s->to_ns)) {
		b->filtered_lines++;
		return NULL;
	}
	if (sample->decimals > b->decimals && !heat_scan_refine(s, sample->decimals))
		return "the value has too many decimals for the size of others";
	sample->value = decimal_shift(sample->value, b->decimals - sample->decimals);
	if (sample->value == UINT64_MAX)
		return "the value is too large";
	heat_scan_add_value(s, sample->value);
	s->time_ns = xgrow(s->time_ns, &s->time_cap, b->count + 1, sizeof(*s->time_ns));
	s->text = xgrow(s->text, &s->text_cap, b->count + 1, sizeof(*s->text));
	s->time_ns[b->count] = sample->time_ns;
	s->text[b->count++] = intern_add(&s->texts, sample->stack, sample->stack_len);
	return NULL;
}

/* ---- lanes ------------------------------------------------------------------ */

static bool heat_scan_is_lane(const struct heat_scanner *s, const struct sample_line *sample)
{
	static const char root[] = FOLDED_LANE ";";

	return s->lanes && sample->stack_len >= strlen(root) && !memcmp(sample->stack, root, strlen(root));
}

static void keep_lane(struct heat_block *b, const char *line, size_t len)
{
	str_add(&b->lanes, line, len);
	str_addc(&b->lanes, '\n');
}

/* ---- all lines ---------------------------------------------------------------- */

static const char *take_unusual(struct heat_scanner *s, size_t columns, const char *line, size_t len)
{
	struct sample_column more[SAMPLE_COLUMNS_MAX];
	struct sample_line sample;
	/* Without columns=, only a differential has two values, and it has no times.  So a number before the value
	 * belongs to a frame. */
	const char *wrong = columns ? sample_parse_columns(&sample, line, len, columns, more)
				    : sample_parse_one(&sample, line, len);

	if (wrong)
		return wrong;
	if (!sample.timed)
		return NOT_TIMED;
	if (sample.time_ns == UINT64_MAX)
		return sample_late;
	if (!heat_scan_is_lane(s, &sample))
		return heat_scan_add_event(s, &sample);
	keep_lane(s->block, line, len);
	s->block->lines--; /* it is counted among the lanes */
	return NULL;
}

static void heat_scan_complain(struct heat_block *b, const char *wrong, const char *line, size_t len)
{
	struct heat_complaint *c;

	if (wrong == NOT_TIMED)
		b->untimed_lines++;
	else
		b->bad_lines++;
	if (b->complaint_count == MESSAGES_MAX)
		return;
	c = &b->complaints[b->complaint_count++];
	*c = (struct heat_complaint){ .wrong = wrong,
				      .line = b->all_lines,
				      .column = wrong == NOT_TIMED ? 1 : sample_fault(wrong, line, len),
				      .len = len };
	memcpy(c->text, line, len < sizeof(c->text) ? len : sizeof(c->text));
}

static void take_comment(struct heat_scanner *s, uint32_t recording, const char *line, size_t len)
{
	struct heat_block *b = s->block;
	struct heat_gap gap;

	if (s->lanes && text_begins(line, len, FOLDED_LANE_HEADER)) {
		keep_lane(b, line, len);
		return;
	}
	if (!heat_gap_read(&gap, &s->texts, line, len))
		return;
	gap.recording = recording;
	b->gaps = xgrow(b->gaps, &b->gaps_cap, b->gap_count + 1, sizeof(*b->gaps));
	b->gaps[b->gap_count++] = gap;
}

static void heat_scan_take_line(struct heat_scanner *s, const struct heat_run *run, const char *line, size_t len)
{
	struct heat_block *b = s->block;
	struct sample_line sample;
	const char *wrong;

	b->all_lines++;
	if (len && line[len - 1] == '\r')
		len--;
	if (!run->columns && take_plain(s, &sample, line, len)) {
		if (heat_scan_is_lane(s, &sample)) {
			keep_lane(b, line, len);
			return;
		}
		wrong = heat_scan_add_event(s, &sample);
	} else if (line_is_blank(line, len)) {
		return;
	} else if (line_is_comment(line, len)) {
		take_comment(s, run->recording, line, len);
		return;
	} else {
		wrong = take_unusual(s, run->columns, line, len);
	}
	b->lines++;
	if (wrong)
		heat_scan_complain(b, wrong, line, len);
}

/* Copy the scanner's events to b, in exactly as much memory as they need. */
static void keep_events(const struct heat_scanner *s, struct heat_block *b)
{
	if (!b->count)
		return;
	b->time_ns = xmalloc(b->count * sizeof(*b->time_ns));
	memcpy(b->time_ns, s->time_ns, b->count * sizeof(*b->time_ns));
	b->text = xmalloc(b->count * sizeof(*b->text));
	memcpy(b->text, s->text, b->count * sizeof(*b->text));
	if (!s->differ)
		return;
	b->value = xmalloc(b->count * sizeof(*b->value));
	memcpy(b->value, s->value, b->count * sizeof(*b->value));
}

void heat_block_scan(struct heat_scanner *s, struct heat_block *b, char *buf)
{
	const char *at = buf;

	s->block = b;
	s->differ = false;
	b->texts = &s->texts;
	for (size_t r = 0; r < b->run_count; r++) {
		struct heat_run *run = &b->runs[r];
		const char *end = buf + run->end;

		while (at < end) {
			const char *newline = memchr(at, '\n', (size_t)(end - at));
			const char *stop = newline ? newline : end;

			heat_scan_take_line(s, run, at, (size_t)(stop - at));
			at = stop + 1;
		}
		run->event_end = b->count;
	}
	keep_events(s, b);
}

void heat_block_free(struct heat_block *b)
{
	free(b->runs);
	free(b->time_ns);
	free(b->text);
	free(b->value);
	free(b->gaps);
	str_free(&b->lanes);
	*b = (struct heat_block){ 0 };
}

void heat_scanner_free(struct heat_scanner *s)
{
	intern_free(&s->texts);
	free(s->time_ns);
	free(s->text);
	free(s->value);
	*s = (struct heat_scanner){ 0 };
}
