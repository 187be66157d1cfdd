/* tally: what it counts, even across the end of a ring, and when the disk is full. */
#include <linux/perf_event.h>
#include <string.h>

#include "collect/recording/spans.h"
#include "collect/recording/tally.h"
#include "tests/unit/check.h"

static uint64_t ring[512];
static size_t used; /* bytes */

static void *add(uint32_t type, size_t size)
{
	struct perf_event_header *header = (void *)((char *)ring + used);

	memset(header, 0, size);
	header->type = type;
	header->size = (uint16_t)size;
	used += size;
	return header + 1;
}

/* A sample with so many kernel and user frames; 0: none of that kind. */
static void add_sample(uint64_t time_ns, unsigned kernel, unsigned user)
{
	unsigned count = kernel + !!kernel + user + !!user, n = 0;
	struct recording_sample *s =
		add(PERF_RECORD_SAMPLE, sizeof(struct perf_event_header) + sizeof(*s) + count * sizeof(uint64_t));

	s->time_ns = time_ns;
	s->chain_count = count;
	if (kernel)
		s->chain[n++] = (uint64_t)PERF_CONTEXT_KERNEL;
	while (kernel--)
		s->chain[n++] = 0xffffffff81000000u;
	if (user)
		s->chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	while (user--)
		s->chain[n++] = 0x401000;
}

/* A sample of our event number n, with a label after its frame, that sums up several spans. */
static void add_spans(unsigned n, uint64_t spans)
{
	enum { ENTRIES = 3 };
	struct recording_sample *s =
		add(PERF_RECORD_SAMPLE, sizeof(struct perf_event_header) + sizeof(*s) + ENTRIES * sizeof(uint64_t) +
						sizeof(struct recording_span));
	struct recording_span *span = (void *)&s->chain[ENTRIES];

	s->id = SPANS_FIRST_ID + n;
	s->time_ns = 2000;
	s->chain_count = ENTRIES;
	s->chain[0] = (uint64_t)PERF_CONTEXT_USER;
	s->chain[1] = 0x401000;
	s->chain[2] = RECORDING_LABEL(RECORDING_LABEL_STATE, RECORDING_SLEEPING);
	span->count = spans;
}

/* The label is its last user frame if the stack ends early. */
static void add_walked(unsigned kernel, unsigned user, unsigned end)
{
	add_sample(6000, kernel, user);
	if (end)
		*(uint64_t *)((char *)ring + used - 8) = RECORDING_LABEL(RECORDING_LABEL_END, end);
}

static bool is_walked;

static struct tally count(size_t cut, size_t written, size_t *whole)
{
	static uint64_t begin[512], end[512];
	struct tally t = { .max_stack = 10, .walked = is_walked };
	struct iovec iov[] = { { begin, cut }, { end, used - cut } };

	memcpy(begin, ring, cut);
	memcpy(end, (char *)ring + cut, used - cut);
	memset((char *)begin + cut, 0xee, sizeof(begin) - cut);
	*whole = tally_records(&t, iov, 2, written);
	return t;
}

int main(void)
{
	struct tally t;
	size_t whole, end_of_first;

	add_sample(2000, 3, 5);
	end_of_first = used;
	add_sample(1000, 4, 1);
	add_sample(3000, 0, 2);
	add_sample(4000, 5, 5);
	add_sample(5000, 7, 0);
	((uint64_t *)add(PERF_RECORD_LOST, 24))[1] = 17;
	*(uint64_t *)add(PERF_RECORD_LOST_SAMPLES, 16) = 4;
	add(PERF_RECORD_THROTTLE, 32);
	add(68, 8);
	add_spans(1, 5);
	add_spans(1, 0);
	add_spans(3, 7);
	add_spans(3000, 9);

	t = count(used, used, &whole);
	CHECK(whole == used);
	CHECK(t.losses[LOSS_total_samples] == 9 && t.samples_of_spans == 4);
	CHECK(t.spans[0] == 0 && t.spans[1] == 5 && t.spans[3] == 7);
	CHECK(t.spans[TALLY_EVENTS - 1] == 9);
	CHECK(t.first_ns == 1000 && t.last_ns == 5000);
	CHECK(t.losses[LOSS_truncated_stacks] == 1); /* 5 + 5 frames; 7 + marks are fewer */
	CHECK(t.losses[LOSS_lost_records] == 1 && t.losses[LOSS_lost_samples] == 21);
	CHECK(t.losses[LOSS_throttled] == 1);
	CHECK(t.losses[LOSS_unwritten_records] == 0);

	/* The ring may end anywhere that is a multiple of 8. */
	for (size_t cut = 8; cut < used; cut += 8) {
		struct tally split = count(cut, used, &whole);

		if (whole != used || memcmp(&split, &t, sizeof(t)))
			printf("not ok - split at %zu\n", cut);
	}

	/* If a record was only partly written, only its loss counts. */
	t = count(64, end_of_first + 8, &whole);
	CHECK(whole == end_of_first);
	CHECK(t.losses[LOSS_total_samples] == 1);
	CHECK(t.losses[LOSS_unwritten_records] == 12);
	t = count(64, 0, &whole);
	CHECK(whole == 0 && t.losses[LOSS_unwritten_records] == 13);

	/* A chain that claims more than the record holds is not followed. */
	((struct recording_sample *)((struct perf_event_header *)ring + 1))->chain_count = 1u << 30;
	t = count(used, used, &whole);
	CHECK(t.losses[LOSS_total_samples] == 9);

	/* In a chain that was walked, only the kernel's part was cut by the kernel; a label says why the rest ends. */
	used = 0;
	add_walked(3, 20, 0);
	add_walked(12, 1, 0);
	add_walked(0, 3, RECORDING_END_TRUNCATED);
	add_walked(0, 3, RECORDING_END_UNMAPPED);
	add_walked(0, 3, RECORDING_END_NO_REGISTERS);
	t = count(used, used, &whole);
	CHECK(t.losses[LOSS_truncated_copies] == 0 && t.losses[LOSS_truncated_stacks] == 2);
	is_walked = true;
	t = count(used, used, &whole);
	CHECK(t.losses[LOSS_truncated_stacks] == 1 && t.losses[LOSS_truncated_copies] == 1);
	CHECK(t.losses[LOSS_broken_stacks] == 1);
	is_walked = false;
	return check_done();
}
