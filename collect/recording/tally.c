#include "collect/recording/tally.h"

#include <linux/perf_event.h>
#include <string.h>

#include "collect/recording/records.h"
#include "collect/recording/spans.h"

/* A sample as the kernel wrote it: chain leaf first, kernel part,
 * PERF_CONTEXT_USER, user part. */
struct sample {
	struct perf_event_header header;
	struct recording_sample fields;
};

struct lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

struct lost_samples {
	struct perf_event_header header;
	uint64_t lost;
};

/* Losses that the kernel counts. */
static uint64_t frame_count(const struct tally *t, const struct recording_sample *s)
{
	uint64_t frames = 0;

	for (uint64_t i = 0; i < s->chain_count; i++) {
		if (t->walked && s->chain[i] == (uint64_t)PERF_CONTEXT_USER)
			break;
		frames += s->chain[i] < (uint64_t)PERF_CONTEXT_MAX;
	}
	return frames;
}

/* Count the reason why a walked chain ends where it does. */
static void count_end(struct tally *t, uint64_t last)
{
	if (!RECORDING_IS_LABEL(last) || RECORDING_LABEL_KIND(last) != RECORDING_LABEL_END)
		return;
	if (RECORDING_LABEL_VALUE(last) == RECORDING_END_TRUNCATED)
		t->losses[LOSS_truncated_copies]++;
	else if (RECORDING_LABEL_VALUE(last) != RECORDING_END_NO_REGISTERS)
		t->losses[LOSS_broken_stacks]++;
}

static void count_chain(struct tally *t, const struct recording_sample *s, size_t size)
{
	uint64_t n = s->chain_count;

	if (n > (size - sizeof(*s)) / sizeof(uint64_t))
		return;
	if (n >= t->max_stack && frame_count(t, s) >= t->max_stack)
		t->losses[LOSS_truncated_stacks]++;
	if (t->walked && n)
		count_end(t, s->chain[n - 1]);
}

/* A sample of spans may be the sum of many spans, or a part of an ongoing one.  Only the source knows whether the stack
 * was cut. */
static void count_spans(struct tally *t, const struct recording_sample *s, size_t size)
{
	uint64_t event = s->id - SPANS_FIRST_ID, n = s->chain_count;
	struct recording_span span;

	t->samples_of_spans++;
	if (size < sizeof(*s) + sizeof(span) || n > (size - sizeof(*s) - sizeof(span)) / sizeof(uint64_t))
		return;
	memcpy(&span, &s->chain[n], sizeof(span));
	if (span.flags & RECORDING_WALKED && n)
		count_end(t, s->chain[n - 1]);
	t->spans[event < TALLY_EVENTS ? event : TALLY_EVENTS - 1] += span.count;
}

static void tally_count_sample(struct tally *t, const struct sample *s)
{
	uint64_t time_ns = s->fields.time_ns;
	size_t size = s->header.size - sizeof(s->header);

	t->losses[LOSS_total_samples]++;
	if (s->header.size < sizeof(*s))
		return;
	if (!t->first_ns || time_ns < t->first_ns)
		t->first_ns = time_ns;
	if (time_ns > t->last_ns)
		t->last_ns = time_ns;
	if (s->fields.id >= SPANS_FIRST_ID)
		count_spans(t, &s->fields, size);
	else
		count_chain(t, &s->fields, size);
}

static void count_record(struct tally *t, const void *record)
{
	const struct perf_event_header *header = record;

	switch (header->type) {
	case PERF_RECORD_SAMPLE: tally_count_sample(t, record); break;
	case PERF_RECORD_LOST:
		t->losses[LOSS_lost_records]++;
		t->losses[LOSS_lost_samples] += ((const struct lost *)record)->lost;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		t->losses[LOSS_lost_samples] += ((const struct lost_samples *)record)->lost;
		break;
	case PERF_RECORD_THROTTLE: t->losses[LOSS_throttled]++; break;
	default: break;
	}
}

size_t tally_records(struct tally *t, const struct iovec *iov, int count, size_t written)
{
	size_t before = 0; /* bytes in the iovecs before this one */
	size_t whole = 0;  /* bytes of records, so far */
	size_t kept = 0;

	for (; count > 0; count--, before += iov->iov_len, iov++) {
		while (whole < before + iov->iov_len) {
			size_t at = whole - before;
			const void *record = (const char *)iov->iov_base + at;
			size_t size = ((const struct perf_event_header *)record)->size;

			if (size < sizeof(struct perf_event_header))
				return kept; /* the record is malformed */
			whole += size;
			if (whole > written) {
				t->losses[LOSS_unwritten_records]++;
				continue;
			}
			kept = whole;
			if (at + size > iov->iov_len)
				record = records_join(iov, at, size);
			count_record(t, record);
		}
	}
	return kept;
}
