#include "collapse/perfdata/sample.h"

#include <stddef.h>

#include "collapse/perfdata/perfdata.h"
#include "core/format/chain.h"
#include "core/format/recording.h"

_Static_assert(RECORDING_IS_LABEL((uint64_t)CHAIN_LABEL << 56), "core/format/chain.h");
_Static_assert((int)RECORDING_LABEL_WAKER == CHAIN_LABEL_WAKER, "core/format/chain.h");

enum { HEADER_BYTES = sizeof(struct perf_event_header) };

static uint64_t field_u64(const uint8_t *body, int at, uint64_t missing)
{
	return at < 0 ? missing : load_u64(body + at);
}

/* Samples of all events of a file have their id at the same place (perf ensures this). */
static struct recorded_event *perfdata_sample_find_event(const struct perfdata *d, const uint8_t *body, size_t len)
{
	int at = d->events[0].layout.id;
	struct recorded_event *event;

	if (d->event_count == 1 || at < 0)
		event = &d->events[0];
	else if ((size_t)at + 8 <= len)
		event = perfdata_event(d, load_u64(body + at));
	else
		event = NULL;
	return event && (size_t)event->layout.fixed <= len ? event : NULL;
}

/* --- fields after those of fixed size -------------------------------------------- */

struct rest {
	const uint8_t *p;
	size_t left;
};

static bool perfdata_sample_take(struct rest *r, uint64_t size, const uint8_t **bytes)
{
	if (size > r->left)
		return false;
	*bytes = r->p;
	r->p += size;
	r->left -= (size_t)size;
	return true;
}

static bool perfdata_sample_take_u64(struct rest *r, uint64_t *n)
{
	const uint8_t *bytes;

	if (!perfdata_sample_take(r, sizeof(*n), &bytes))
		return false;
	*n = load_u64(bytes);
	return true;
}

/* count items of size bytes each */
static bool take_items(struct rest *r, uint64_t count, uint64_t size, const uint8_t **bytes)
{
	return count <= r->left / size && perfdata_sample_take(r, count * size, bytes);
}

/* u64 count, if a group; u64 times; {u64 value, id, lost} ... */
static bool skip_values(struct rest *r, uint64_t format)
{
	uint64_t values = 1, times, each;
	const uint8_t *bytes;

	each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	if (format & PERF_FORMAT_GROUP && !perfdata_sample_take_u64(r, &values))
		return false;
	return take_items(r, times, 8, &bytes) && take_items(r, values, 8 * each, &bytes);
}

/* u64 count, entries[count]; the last two may be CHAIN_USER_DEFERRED and a number */
static bool perfdata_sample_take_chain(struct rest *r, struct recorded_sample *s)
{
	if (!perfdata_sample_take_u64(r, &s->chain_count) || !take_items(r, s->chain_count, 8, &s->chain))
		return false;
	if (s->chain_count < 2 || load_u64(s->chain + 8 * (s->chain_count - 2)) != CHAIN_USER_DEFERRED)
		return true;
	s->is_deferred = true;
	s->cookie = load_u64(s->chain + 8 * (s->chain_count - 1));
	s->chain_count -= 2;
	return true;
}

/* u32 size, bytes[size] */
static bool perfdata_sample_take_raw(struct rest *r, struct recorded_sample *s)
{
	const uint8_t *bytes;

	if (!perfdata_sample_take(r, 4, &bytes))
		return false;
	s->raw_len = load_u32(bytes);
	return perfdata_sample_take(r, s->raw_len, &s->raw);
}

enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 };

/* u64 count, u64 hw_idx, {u64 from, to, flags}[count], u64 counters[count] */
static bool take_branches(struct rest *r, uint64_t what, struct recorded_sample *s)
{
	const uint8_t *branches, *counters;
	uint64_t count, index;

	if (!perfdata_sample_take_u64(r, &count) || (what & BRANCH_HW_INDEX && !perfdata_sample_take_u64(r, &index)) ||
	    !take_items(r, count, SAMPLE_CALL_BYTES, &branches) ||
	    (what & BRANCH_COUNTERS && !take_items(r, count, 8, &counters)))
		return false;
	if (what & PERF_SAMPLE_BRANCH_CALL_STACK) {
		s->calls = branches;
		s->call_count = count;
	}
	return true;
}

/* u64 abi; unless that is 0: u64 for each bit of the mask */
static bool take_registers(struct rest *r, struct recorded_sample *s)
{
	unsigned count = (unsigned)__builtin_popcountll(s->event->attr.sample_regs_user);

	if (!perfdata_sample_take_u64(r, &s->regs_abi))
		return false;
	return !s->regs_abi || take_items(r, count, 8, &s->regs);
}

/* u64 size; unless that is 0: bytes[size], u64 number of bytes that were copied */
static bool perfdata_sample_take_stack(struct rest *r, struct recorded_sample *s)
{
	if (!perfdata_sample_take_u64(r, &s->stack_wanted))
		return false;
	if (!s->stack_wanted)
		return true;
	return perfdata_sample_take(r, s->stack_wanted, &s->stack) && perfdata_sample_take_u64(r, &s->stack_len) &&
	       s->stack_len <= s->stack_wanted;
}

/* In the order of perf_event_open(2), PERF_RECORD_SAMPLE; nothing after STACK_USER is needed. */
static bool read_rest(struct recorded_sample *s, const uint8_t *p, size_t len)
{
	const struct perf_event_attr *attr = &s->event->attr;
	uint64_t type = attr->sample_type;
	struct rest r = { p, len };

	if (type & PERF_SAMPLE_READ && !skip_values(&r, attr->read_format))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN && !perfdata_sample_take_chain(&r, s))
		return false;
	if (type & PERF_SAMPLE_RAW && !perfdata_sample_take_raw(&r, s))
		return false;
	if (type & PERF_SAMPLE_BRANCH_STACK && !take_branches(&r, attr->branch_sample_type, s))
		return false;
	if (type & PERF_SAMPLE_REGS_USER && !take_registers(&r, s))
		return false;
	return !(type & PERF_SAMPLE_STACK_USER) || perfdata_sample_take_stack(&r, s);
}

/* --- spans and labels --------------------------------------------------------------- */

/* Values of a later version, or of a damaged file, count as unknown. */
static int perfdata_sample_state_of(uint64_t value)
{
	return value < RECORDING_STATE_COUNT ? (int)value : RECORDING_STATE_UNKNOWN;
}

static int by_of(uint64_t value)
{
	return value < RECORDING_BY_OTHERS ? (int)value : RECORDING_BY_OTHERS;
}

static void perfdata_sample_read_reason(struct recorded_sample *s, uint64_t value)
{
	uint64_t reason = value >> RECORDING_REASON_SHIFT;
	uint64_t ns = value & ((UINT64_C(1) << RECORDING_REASON_SHIFT) - 1);

	if (reason >= RECORDING_REASON_COUNT)
		reason = RECORDING_REASON_OTHER;
	s->parts[reason] = (s->reasons >> reason & 1 ? s->parts[reason] : 0) + (ns ? ns : s->period);
	s->reasons |= 1u << reason;
}

static uint8_t untaken_of_label(uint64_t value)
{
	return value == RECORDING_UNTAKEN_SHORT ? RECORDING_UNTAKEN_SHORT : RECORDING_UNTAKEN_LONG;
}

static void read_device(struct recorded_sample *s, uint64_t value)
{
	s->device = (int)(value & ((1u << RECORDING_SECTOR_SHIFT) - 1));
	s->sector = (int64_t)(value >> RECORDING_SECTOR_SHIFT) - 1;
}

static void read_lock(struct recorded_sample *s, uint64_t value)
{
	if (value >= RECORDING_LOCK_ADDRESS)
		s->lock_address = (int64_t)value;
	else
		s->lock = value < RECORDING_LOCKS_END ? (int)value : RECORDING_LOCK_KINDS;
}

static void perfdata_sample_read_label(struct recorded_sample *s, unsigned kind, uint64_t value)
{
	switch (kind) {
	case RECORDING_LABEL_STATE: s->state = perfdata_sample_state_of(value); break;
	case RECORDING_LABEL_BY: s->by = by_of(value); break;
	case RECORDING_LABEL_CLASS: s->class_address = RECORDING_JAVA + value; break;
	case RECORDING_LABEL_TASK: s->task_address = RECORDING_PYTHON + value; break;
	case RECORDING_LABEL_AWAITING: s->awaiting_address = RECORDING_PYTHON + value; break;
	case RECORDING_LABEL_FAULT:
		s->fault = value < RECORDING_FAULTS_END ? (int)value : RECORDING_FAULT_UNKNOWN;
		break;
	case RECORDING_LABEL_FILE: s->file = (int64_t)value; break;
	case RECORDING_LABEL_OFFSET: s->offset = (int64_t)value; break;
	case RECORDING_LABEL_SYSCALL: s->syscall = (int64_t)(value & UINT32_MAX); break;
	case RECORDING_LABEL_ERRNO: s->error = (unsigned)value; break;
	case RECORDING_LABEL_IO: s->io = (int)(value & (RECORDING_IO_END - 1)); break;
	case RECORDING_LABEL_DEVICE: read_device(s, value); break;
	case RECORDING_LABEL_SIZE: s->size = (int64_t)value; break;
	case RECORDING_LABEL_DIRTIER:
		s->dirtier_pid = (int)(value >> 24);
		s->dirtier_tid = (int)(value & 0xffffff);
		break;
	case RECORDING_LABEL_REASON: perfdata_sample_read_reason(s, value); break;
	case RECORDING_LABEL_LANE: s->lane = (int64_t)value; break;
	case RECORDING_LABEL_SOURCE: s->source = (int64_t)(value & UINT32_MAX); break;
	case RECORDING_LABEL_LOCK: read_lock(s, value); break;
	case RECORDING_LABEL_OWNER:
		s->owner_pid = chain_waker_pid(value);
		s->owner_tid = chain_waker_tid(value);
		break;
	case RECORDING_LABEL_WINDOW: s->window = (int)(value & RECORDING_WINDOW_BITS); break;
	case RECORDING_LABEL_MEANWHILE: s->has_meanwhile = true; break;
	case RECORDING_LABEL_UNTAKEN: s->untaken = untaken_of_label(value); break;
	default: break;
	}
}

static bool label_is_of_task(uint64_t entry)
{
	unsigned kind = RECORDING_LABEL_KIND(entry);

	return chain_is_label(entry) && (kind == RECORDING_LABEL_TASK || kind == RECORDING_LABEL_AWAITING);
}

/* The recorder noted how the walk ended, in a label at the end of the chain, and before it the task that ran, if any: read
 * these. */
static void read_end(struct recorded_sample *s)
{
	uint64_t last = s->chain_count ? load_u64(s->chain + 8 * (s->chain_count - 1)) : 0;

	s->walked = true;
	if (chain_is_label(last) && RECORDING_LABEL_KIND(last) == RECORDING_LABEL_END) {
		s->chain_count--;
		s->end = RECORDING_LABEL_VALUE(last) < RECORDING_ENDS ? (int)RECORDING_LABEL_VALUE(last)
								      : RECORDING_END_BROKEN;
	}
	for (; s->chain_count; s->chain_count--) {
		last = load_u64(s->chain + 8 * (s->chain_count - 1));
		if (!label_is_of_task(last))
			break;
		perfdata_sample_read_label(s, RECORDING_LABEL_KIND(last), RECORDING_LABEL_VALUE(last));
	}
}

/* A chain has frames, then labels, then perhaps wakers.  Read the labels, and let own_count exclude them. */
static void read_labels(struct recorded_sample *s)
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
		else
			perfdata_sample_read_label(s, RECORDING_LABEL_KIND(entry), RECORDING_LABEL_VALUE(entry));
	}
	s->own_count = frames;
	if (!s->has_wakers)
		s->chain_count = frames;
}

/* Is the duration plausible?  No single span can last longer than the machine has run; a sum can. */
static bool can_be(const struct recorded_sample *s, const struct recording_span *span)
{
	if (span->longest_ns > s->time_ns || s->period > INT64_MAX)
		return false;
	return !(span->flags & RECORDING_SINGLE) || s->period <= s->time_ns;
}

/* For an allocation, read how many objects it stands for, and their class. */
static bool read_allocation(struct recorded_sample *s)
{
	struct recording_span span = { 0 };
	size_t head = sizeof(span.size);

	if (s->raw_len + head < offsetof(struct recording_span, longest_ns))
		return false;
	memcpy(&span, s->raw - head, offsetof(struct recording_span, longest_ns));
	s->count = span.count;
	s->ip = 0;
	read_labels(s);
	return true;
}

/* Read the value of a quantity; without a label, it would belong to no quantity. */
static bool perfdata_sample_read_lane(struct recorded_sample *s)
{
	s->ip = 0;
	read_labels(s);
	return s->lane >= 0;
}

/* Read the part after struct recording_span.  A value of a later version, or of a damaged file, counts as the first
 * one. */
static bool perfdata_sample_read_process(struct recorded_sample *s)
{
	const size_t head = sizeof(struct recording_span) - sizeof(uint32_t);

	if (s->raw_len < head + sizeof(s->process))
		return false;
	memcpy(&s->process, s->raw + head, sizeof(s->process));
	if (s->process.args_bytes > s->raw_len - head - sizeof(s->process))
		return false;
	s->args = (const char *)s->raw + head + sizeof(s->process);
	if (s->process.begun >= RECORDING_BEGUN_COUNT)
		s->process.begun = 0;
	if (s->process.ended >= RECORDING_ENDED_COUNT)
		s->process.ended = 0;
	s->has_process = true;
	return true;
}

static bool perfdata_sample_read_span(struct recorded_sample *s)
{
	struct recording_span span = { 0 };
	size_t head = sizeof(span.size), len = s->raw_len + head; /* size is its first field */

	if (len < offsetof(struct recording_span, migrations)) /* older versions end before it */
		return false;
	memcpy(&span, s->raw - head, len < sizeof(span) ? len : sizeof(span));
	if (!can_be(s, &span))
		return false;
	s->count = span.count;
	s->longest_ns = span.longest_ns;
	s->begin_ns = span.begin_ns && span.begin_ns < s->time_ns ? span.begin_ns : s->time_ns;
	s->migrations = span.migrations;
	s->span_flags = span.flags;
	if (span.flags & RECORDING_WALKED)
		read_end(s);
	s->ip = 0; /* the ip only repeats the first entry of the chain */
	read_labels(s);
	return true;
}

bool sample_read(const struct perfdata *d, const struct record *r, struct recorded_sample *s)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;
	size_t len = r->size - HEADER_BYTES;
	const struct sample_layout *l;

	s->event = perfdata_sample_find_event(d, body, len);
	if (!s->event)
		return false;
	l = &s->event->layout;
	s->ip = field_u64(body, l->ip, 0);
	s->kernel = misc_is_kernel(r->misc);
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
	s->class_address = s->task_address = s->awaiting_address = 0;
	s->state = -1;
	s->state_word = NULL;
	s->owner = NULL;
	s->by = -1;
	s->fault = -1;
	s->file = s->offset = s->syscall = s->lane = s->sector = s->size = s->source = -1;
	s->error = 0;
	s->io = s->device = -1;
	s->dirtier_pid = s->dirtier_tid = 0;
	s->lock = s->owner_tid = s->window = -1;
	s->lock_address = -1;
	s->owner_pid = 0;
	s->reasons = s->parallelism = s->in_window = 0;
	s->has_wakers = s->has_meanwhile = false;
	s->has_process = false;
	s->chain_count = s->raw_len = 0;
	s->calls = NULL;
	s->call_count = s->cookie = 0;
	s->by_calls = s->is_deferred = false;
	s->regs = s->stack = NULL;
	s->regs_abi = s->stack_len = s->stack_wanted = 0;
	s->walked = s->chain_is_temporary = false;
	s->end = RECORDING_END_COMPLETE;
	s->untaken = 0;
	if (!read_rest(s, body + l->fixed, len - (size_t)l->fixed))
		return false;
	if (s->event->walked)
		read_end(s);
	s->own_count = s->chain_count;
	if (s->event->allocations)
		return read_allocation(s);
	if (s->event->lanes)
		return perfdata_sample_read_lane(s);
	if (s->event->processes && !perfdata_sample_read_process(s))
		return false;
	return !s->event->spans || perfdata_sample_read_span(s);
}

struct recorded_event *sample_event(const struct perfdata *d, const struct record *r)
{
	return perfdata_sample_find_event(d, r->bytes + HEADER_BYTES, r->size - HEADER_BYTES);
}

bool sample_read_time(const struct perfdata *d, const struct record *r, struct recorded_event **event,
		      uint64_t *time_ns, uint64_t *begin_ns)
{
	const uint8_t *body = r->bytes + HEADER_BYTES;
	struct recorded_sample s;

	*event = perfdata_sample_find_event(d, body, r->size - HEADER_BYTES);
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

int32_t record_tid(const struct perfdata *d, const struct record *r, int32_t fallback)
{
	int from_end = d->events[0].layout.tid_from_end;

	if (from_end < 0 || r->size < HEADER_BYTES + from_end)
		return fallback;
	return (int32_t)load_u32(r->bytes + r->size - from_end + 4);
}

uint32_t record_cpu(const struct perfdata *d, const struct record *r, uint32_t fallback)
{
	int from_end = d->events[0].layout.cpu_from_end;

	if (from_end < 0 || r->size < HEADER_BYTES + from_end)
		return fallback;
	return load_u32(r->bytes + r->size - from_end);
}
