#include "ship/stream.h"

#include <string.h>

#include "core/decimal.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/samples.h"
#include "ship/header.h"

enum { VALUES_MAX = 8, SECONDS = 9, SAFE_DIGITS = 19 }; /* the last bucket: 64 bits have room for any number of them */

/* What a value of a sample is. */
enum meaning { NOTHING, WEIGHT, COUNT, LONGEST };

struct stream_reading {
	struct stream *s;
	struct batch_rows batch;
	struct batch_origin origin;
	struct str host; /* the header's */
	enum meaning meanings[VALUES_MAX];
	size_t values;
	struct parcel parcel;
	bool failed;
};

/* ---- the header ---- */

static enum meaning meaning_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		enum meaning meaning;
	} known[] = { { "time", WEIGHT }, { "period", WEIGHT }, { "bytes", WEIGHT },   { "samples", COUNT },
		      { "count", COUNT }, { "objects", COUNT }, { "longest", LONGEST } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i].name) == len && !memcmp(known[i].name, name, len))
			return known[i].meaning;
	}
	return NOTHING;
}

static void stream_read_columns(struct stream_reading *r)
{
	const char *at = str_text(&r->origin.columns);

	r->values = 0;
	while (*at && r->values < VALUES_MAX) {
		size_t len = strcspn(at, ",");

		r->meanings[r->values++] = meaning_of(at, len);
		at += len + (at[len] == ',');
	}
}

/* The unit of the weight: the header's is that of the first column. */
static void stream_read_unit(struct stream_reading *r, const char *header)
{
	if (r->meanings[0] == COUNT && strstr(str_text(&r->origin.columns), "period"))
		str_puts(&r->origin.unit, "ns"); /* a clock's */
	else if (!header_value(header, FOLDED_UNIT, &r->origin.unit))
		str_puts(&r->origin.unit, "samples");
}

static void stream_read_header(struct stream_reading *r, const char *line, size_t len)
{
	struct batch_origin *o = &r->origin;
	struct str clock = { 0 };

	if (o->header.len)
		return;
	str_add(&o->header, line, len);
	header_value(o->header.buf, FOLDED_HOST, &r->host);
	for (size_t i = 0; i < r->host.len; i++) {
		if ((unsigned char)r->host.buf[i] < ' ' || r->host.buf[i] == 0x7f)
			r->host.buf[i] = '?';
	}
	o->host = r->s->host ? r->s->host : r->host.len ? r->host.buf : "unknown";
	o->service = r->s->service;
	o->number = r->s->number;
	if (r->s->event)
		str_puts(&o->event, r->s->event);
	else
		header_value(o->header.buf, FOLDED_EVENT, &o->event);
	if (!header_value(o->header.buf, FOLDED_COLUMNS, &o->columns) &&
	    !header_value(o->header.buf, FOLDED_UNIT, &o->columns))
		str_puts(&o->columns, "samples");
	stream_read_columns(r);
	stream_read_unit(r, o->header.buf);
	header_lost(o->header.buf, &o->lost, &o->seen);
	if (header_value(o->header.buf, FOLDED_CLOCK, &clock))
		r->failed = error("%s: has no wall-clock times, so it cannot be compared with other machines",
				  r->s->path) < 0;
	str_free(&clock);
}

/* ---- lines ---- */

static bool stream_take_number(const char **at, size_t *left, uint64_t *n)
{
	const char *text = *at, *start = text, *end = text + *left;
	const char *safe = *left > SAFE_DIGITS ? text + SAFE_DIGITS : end;
	uint64_t value = 0;

	while (text < safe && is_digit(*text))
		value = value * 10 + (uint64_t)(*text++ - '0');
	for (; text < end && is_digit(*text); text++) {
		if (value > (UINT64_MAX - 9) / 10)
			return false;
		value = value * 10 + (uint64_t)(*text - '0');
	}
	if (text == start)
		return false;
	text += text < end && *text == ' ';
	*n = value;
	*at = text;
	*left = (size_t)(end - text);
	return true;
}

/* "seconds.nnnnnnnnn ": nine digits after the point, as collapse writes them. */
static bool stream_take_time(const char **at, size_t *left, uint64_t *ns)
{
	uint64_t second, fraction;
	size_t before;

	if (!stream_take_number(at, left, &second) || *left < 10 || **at != '.' || second > UINT32_MAX)
		return false;
	++*at;
	before = --*left;
	if (!stream_take_number(at, left, &fraction) || before - *left != SECONDS + 1)
		return false;
	*ns = second * 1000000000 + fraction;
	return true;
}

static void stream_send(struct stream_reading *r)
{
	if (!r->batch.rows)
		return;
	batch_end(&r->batch, &r->parcel);
	if (r->s->send(r->s->argument, &r->parcel, &r->failed))
		batch_is_stored(&r->batch);
}

static bool stream_take_sample(struct stream_reading *r, const char *at, size_t left)
{
	uint64_t labels, stack, values[VALUES_MAX];
	struct batch_sample s = { .count = 1 };

	if (!stream_take_time(&at, &left, &s.time_ns) || !stream_take_number(&at, &left, &labels) ||
	    !stream_take_number(&at, &left, &stack) || labels >= r->batch.labels.count ||
	    stack >= r->batch.stacks.count)
		return false;
	for (size_t i = 0; i < r->values; i++) {
		if (!stream_take_number(&at, &left, &values[i]))
			return false;
		s.weight = r->meanings[i] == WEIGHT || !i ? values[i] : s.weight;
		s.count = r->meanings[i] == COUNT ? values[i] : s.count;
		s.longest = r->meanings[i] == LONGEST ? values[i] : s.longest;
	}
	if (left)
		return false;
	s.labels = (uint32_t)labels;
	s.stack = (uint32_t)stack;
	if (batch_is_full(&r->batch, s.time_ns))
		stream_send(r);
	batch_add(&r->batch, &s);
	r->s->samples++;
	return true;
}

/* "NUMBER TEXT", where NUMBER is the next one. */
static bool take_definition(struct stream_reading *r, bool is_stack, const char *at, size_t left)
{
	uint64_t number;

	if (!stream_take_number(&at, &left, &number) ||
	    number != (is_stack ? r->batch.stacks.count : r->batch.labels.count))
		return false;
	if (is_stack)
		batch_add_stack(&r->batch, at, left);
	else
		batch_add_labels(&r->batch, at, left);
	return true;
}

static bool stream_take_line(struct stream_reading *r, const char *line, size_t len)
{
	if (len && line[0] == '#') {
		if (text_begins(line, len, FOLDED_HEADER))
			stream_read_header(r, line, len);
		return true;
	}
	if (!r->origin.header.len || r->failed)
		return false;
	if (len && line[0] == SAMPLES_TIME)
		return stream_take_sample(r, line + 1, len - 1);
	if (text_begins(line, len, SAMPLES_STACK))
		return take_definition(r, true, line + 2, len - 2);
	if (text_begins(line, len, SAMPLES_LABELS))
		return take_definition(r, false, line + 2, len - 2);
	if (text_begins(line, len, SAMPLES_UNTIMED)) {
		r->s->untimed++;
		return true;
	}
	return !len;
}

int stream_run(struct stream *s)
{
	struct stream_reading r = { .s = s };
	char *line;
	size_t len;

	r.batch.origin = &r.origin;
	while (!r.failed && lines_next(s->in, &line, &len)) {
		if (stream_take_line(&r, line, len) || s->wrong++ >= MESSAGES_MAX)
			continue;
		warn("%s:%llu:1: is not a line of samples; expected '@TIME LABELS STACK VALUE'", s->path,
		     (unsigned long long)s->in->number);
	}
	if (!r.failed)
		stream_send(&r);
	if (s->wrong)
		warn("%s: malformed lines, skipped: %llu", s->path, (unsigned long long)s->wrong);
	if (s->untimed)
		warn("%s: %llu sums without a time: not shipped", s->path, (unsigned long long)s->untimed);
	batch_free(&r.batch);
	parcel_free(&r.parcel);
	str_free(&r.host);
	str_free(&r.origin.event);
	str_free(&r.origin.columns);
	str_free(&r.origin.unit);
	str_free(&r.origin.header);
	return r.failed || s->in->failed ? -1 : 0;
}
