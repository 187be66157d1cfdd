#include "collapse/sample.h"

#include <stddef.h>

#include "collect/recording.h"
#include "core/symbols/chain.h"

_Static_assert(RECORDING_IS_LABEL((uint64_t)CHAIN_LABEL << 56), "core/symbols/chain.h");
_Static_assert((int)RECORDING_LABEL_WAKER == CHAIN_LABEL_WAKER, "core/symbols/chain.h");

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

static uint64_t field_u64(const uint8_t *body, int at, uint64_t missing)
{
	return at < 0 ? missing : load_u64(body + at);
}

/* All events of a file have their id at the same place (perf makes sure). */
static struct event *find_event(const struct perfdata *d, const uint8_t *body, size_t len)
{
	int at = d->events[0].layout.id;
	struct event *event;

	if (d->event_count == 1 || at < 0)
		event = &d->events[0];
	else if ((size_t)at + 8 <= len)
		event = perfdata_event(d, load_u64(body + at));
	else
		event = NULL;
	return event && (size_t)event->layout.fixed <= len ? event : NULL;
}

/* Size of PERF_SAMPLE_READ's values at p, SIZE_MAX when they do not fit. */
static size_t read_values_size(const struct perf_event_attr *attr, const uint8_t *p, size_t len)
{
	uint64_t format = attr->read_format, values = 1, each, size;

	each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	size = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	if (format & PERF_FORMAT_GROUP) {
		if (len < 8)
			return SIZE_MAX;
		values = load_u64(p);
		size++;
	}
	if (values > len / 8 / each)
		return SIZE_MAX;
	size = 8 * (size + values * each);
	return size <= len ? (size_t)size : SIZE_MAX;
}

/* What comes behind the fields of fixed size: READ, CALLCHAIN, RAW, ... */
static bool read_rest(struct sample *s, const uint8_t *p, size_t len)
{
	uint64_t type = s->event->attr.sample_type;

	s->chain_count = s->raw_len = 0;
	if (type & PERF_SAMPLE_READ) {
		size_t size = read_values_size(&s->event->attr, p, len);

		if (size == SIZE_MAX)
			return false;
		p += size;
		len -= size;
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (len < 8 || load_u64(p) > (len - 8) / 8)
			return false;
		s->chain_count = load_u64(p);
		s->chain = p + 8;
		p += 8 + 8 * s->chain_count;
		len -= 8 + 8 * s->chain_count;
	}
	if (type & PERF_SAMPLE_RAW) {
		if (len < 4 || load_u32(p) > len - 4)
			return false;
		s->raw_len = load_u32(p);
		s->raw = p + 4;
	}
	return true;
}

/* --- spans and labels --------------------------------------------------------------- */

/* What a later version, or a damaged file, may say: not guessed. */
static int state_of(uint64_t value)
{
	return value < RECORDING_STATE_COUNT ? (int)value : RECORDING_STATE_UNKNOWN;
}

static int by_of(uint64_t value)
{
	return value < RECORDING_BY_OTHERS ? (int)value : RECORDING_BY_OTHERS;
}

/* Frames, labels, then perhaps wakers: cut off what is no frame. */
static void read_labels(struct sample *s)
{
	uint64_t frames = 0, i;

	for (i = 0; i < s->chain_count; i++) {
		uint64_t entry = load_u64(s->chain + 8 * i);

		if (chain_is_waker(entry)) {
			s->has_wakers = true;
			s->waker_pid = chain_waker_pid(entry);
			s->waker_tid = chain_waker_tid(entry);
			break;
		}
		if (!chain_is_label(entry))
			frames = i + 1;
		else if (RECORDING_LABEL_KIND(entry) == RECORDING_LABEL_STATE)
			s->state = state_of(RECORDING_LABEL_VALUE(entry));
		else if (RECORDING_LABEL_KIND(entry) == RECORDING_LABEL_BY)
			s->by = by_of(RECORDING_LABEL_VALUE(entry));
	}
	s->own_count = frames;
	if (!s->has_wakers)
		s->chain_count = frames;
}

/* Nothing lasts longer than the machine runs; of a sum, no span in it. */
static bool can_be(const struct sample *s, const struct recording_span *span)
{
	if (span->longest_ns > s->time_ns || s->period > INT64_MAX)
		return false;
	return !(span->flags & RECORDING_SINGLE) || s->period <= s->time_ns;
}

static bool read_span(struct sample *s)
{
	struct recording_span span = {0};
	size_t head = sizeof(span.size), len = s->raw_len + head; /* size is its first field */

	if (len < offsetof(struct recording_span, migrations)) /* the last to be invented */
		return false;
	memcpy(&span, s->raw - head, len < sizeof(span) ? len : sizeof(span));
	if (!can_be(s, &span))
		return false;
	s->count = span.count;
	s->longest_ns = span.longest_ns;
	s->begin_ns = span.begin_ns && span.begin_ns < s->time_ns ? span.begin_ns : s->time_ns;
	s->migrations = span.migrations;
	s->span_flags = span.flags;
	s->ip = 0; /* only the first entry of the chain once more */
	read_labels(s);
	return true;
}

bool sample_read(const struct perfdata *d, const struct record *r, struct sample *s)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;
	size_t len = r->size - HEADER_BYTES;
	const struct sample_layout *l;

	s->event = find_event(d, body, len);
	if (!s->event)
		return false;
	l = &s->event->layout;
	s->ip = field_u64(body, l->ip, 0);
	s->ip_bytes = body + (l->ip < 0 ? 0 : l->ip);
	s->time_ns = field_u64(body, l->time, 0);
	s->period = field_u64(body, l->period, s->event->attr.freq ? 1 : s->event->attr.sample_period);
	s->pid = l->tid < 0 ? -1 : (int32_t)load_u32(body + l->tid);
	s->tid = l->tid < 0 ? -1 : (int32_t)load_u32(body + l->tid + 4);
	s->cpu = l->cpu < 0 ? UINT32_MAX : load_u32(body + l->cpu);
	s->count = 1;
	s->longest_ns = s->period;
	s->begin_ns = s->time_ns;
	s->migrations = s->span_flags = 0;
	s->state = -1;
	s->by = -1;
	s->has_wakers = false;
	s->regs = s->stack = NULL;
	s->regs_abi = s->stack_len = s->stack_wanted = 0;
	s->end = RECORDING_END_COMPLETE;
	s->chain_is_temporary = false;
	if (!read_rest(s, body + l->fixed, len - (size_t)l->fixed))
		return false;
	s->own_count = s->chain_count;
	return !s->event->spans || read_span(s);
}

bool sample_read_time(const struct perfdata *d, const struct record *r, struct event **event,
		      uint64_t *time_ns, uint64_t *begin_ns)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;
	struct sample s;

	*event = find_event(d, body, r->size - HEADER_BYTES);
	if (!*event)
		return false;
	*time_ns = *begin_ns = field_u64(body, (*event)->layout.time, 0);
	if (!(*event)->spans)
		return true;
	if (!sample_read(d, r, &s))
		return false;
	*begin_ns = s.begin_ns;
	return true;
}

uint64_t record_time(const struct perfdata *d, const struct record *r, uint64_t fallback)
{
	int from_end = d->events[0].layout.time_from_end;

	if (from_end < 0 || r->size < HEADER_BYTES + from_end)
		return fallback;
	return load_u64(r->bytes + r->size - from_end);
}

uint32_t record_cpu(const struct perfdata *d, const struct record *r, uint32_t fallback)
{
	int from_end = d->events[0].layout.cpu_from_end;

	if (from_end < 0 || r->size < HEADER_BYTES + from_end)
		return fallback;
	return load_u32(r->bytes + r->size - from_end);
}
