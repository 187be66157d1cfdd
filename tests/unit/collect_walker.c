/* stack_walk, walker: samples with registers and stacks become samples with chains; other records pass unchanged. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "collect/sampling/stack_walk.h"
#include "collect/sampling/walker.h"
#include "core/unwind/unwinder.h"
#include "tests/unit/check.h"

enum { WALKED_ID = 7, RAW_ID = 8, PLAIN_ID = 9, SAMPLE_IP = 0x401000, STACK_BYTES = 64 };

static const uint64_t kernel_part[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000u };

static void add_u64(struct str *out, uint64_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

/* A record, as large as body says. */
static void add_record(struct str *out, uint32_t type, uint16_t misc, const struct str *body)
{
	struct perf_event_header header = { type, misc, (uint16_t)(sizeof(header) + body->len) };

	str_add(out, (const char *)&header, sizeof(header));
	str_add(out, body->buf, body->len);
}

static void add_registers(struct str *out, uint64_t abi)
{
	uint64_t mask = unwind_sample_registers();

	add_u64(out, abi);
	for (int i = 0; abi && i < __builtin_popcountll(mask); i++)
		add_u64(out, 0x7f0000001000 + 8 * (uint64_t)i);
	add_u64(out, abi ? STACK_BYTES : 0);
	if (abi) {
		for (int i = 0; i < STACK_BYTES / 8; i++)
			add_u64(out, 0);
		add_u64(out, STACK_BYTES);
	}
}

static void add_sample(struct str *out, uint64_t id, uint64_t abi, uint16_t misc)
{
	struct recording_sample fields = {
		.id = id, .ip = SAMPLE_IP, .pid = 3, .tid = 4, .time_ns = 5, .period = 6, .chain_count = 2
	};
	struct str body = { 0 };

	str_add(&body, (const char *)&fields, sizeof(fields));
	str_add(&body, (const char *)kernel_part, sizeof(kernel_part));
	if (id == RAW_ID)
		str_add(&body, "\x0c\0\0\0raw is kept", 16);
	if (id != PLAIN_ID)
		add_registers(&body, abi);
	add_record(out, PERF_RECORD_SAMPLE, misc, &body);
	str_free(&body);
}

static void add_other(struct str *out, uint32_t type)
{
	struct str body = { 0 };

	add_u64(&body, 11);
	add_u64(&body, 12);
	add_record(out, type, 0, &body);
	str_free(&body);
}

static struct events make_events(void)
{
	static struct event list[3];
	struct sampling how = { .period = 1, .stack_bytes = STACK_BYTES };

	event_configure(&list[0], &how);
	list[1].attr.type = PERF_TYPE_TRACEPOINT;
	event_configure(&list[1], &how);
	how.stack_bytes = 0;
	event_configure(&list[2], &how);
	event_add_id(&list[0], WALKED_ID);
	event_add_id(&list[1], RAW_ID);
	event_add_id(&list[2], PLAIN_ID);
	return (struct events){ .list = list, .count = 3 };
}

/* The chain that a sample becomes goes to chain[], up to 16 entries. */
static const uint8_t *read_walked(struct records *records, struct recording_sample *fields, uint64_t chain[16])
{
	struct perf_event_header header;
	const uint8_t *record = records_next(records, &header);

	if (!record || header.type != PERF_RECORD_SAMPLE)
		return NULL;
	memcpy(fields, record + sizeof(header), sizeof(*fields));
	if (fields->chain_count > 16)
		return NULL;
	memcpy(chain, record + sizeof(header) + sizeof(*fields), 8 * fields->chain_count);
	return record;
}

static void check_samples(const struct events *events)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	struct str in = { 0 }, out = { 0 };
	struct recording_sample s;
	struct records records;
	const uint8_t *record;
	uint64_t chain[16];
	struct stack_walk w;

	stack_walk_init(&w, events);
	add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_KERNEL);
	add_sample(&in, RAW_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_KERNEL);
	add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_NONE, PERF_RECORD_MISC_KERNEL);
	add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_32, PERF_RECORD_MISC_USER);
	add_sample(&in, PLAIN_ID, 0, PERF_RECORD_MISC_KERNEL);
	stack_walk_records(&w, (const uint8_t *)in.buf, in.len, &out);
	records = (struct records){ (const uint8_t *)out.buf, out.len, 0 };

	CHECK(read_walked(&records, &s, chain)); /* in memory that is not mapped */
	CHECK(s.id == WALKED_ID && s.ip == SAMPLE_IP && s.pid == 3 && s.tid == 4 && s.time_ns == 5 && s.period == 6);
	CHECK(s.chain_count >= 5 && !memcmp(chain, kernel_part, sizeof(kernel_part)) && chain[2] == user);
	CHECK(chain[s.chain_count - 1] == RECORDING_LABEL(RECORDING_LABEL_END, RECORDING_END_UNMAPPED));

	record = read_walked(&records, &s, chain);
	CHECK(record && s.id == RAW_ID && chain[2] == user);
	CHECK(record && !memcmp(record + 8 + sizeof(s) + 8 * s.chain_count, "\x0c\0\0\0raw is kept", 16));

	CHECK(read_walked(&records, &s, chain)); /* a thread of the kernel */
	CHECK(s.chain_count == 2);

	CHECK(read_walked(&records, &s, chain)); /* a 32-bit program: only where it was */
	CHECK(s.chain_count == 5 && chain[2] == user && chain[3] == SAMPLE_IP);
	CHECK(chain[4] == RECORDING_LABEL(RECORDING_LABEL_END, RECORDING_END_NO_REGISTERS));

	CHECK(read_walked(&records, &s, chain)); /* another event's: as it was */
	CHECK(s.id == PLAIN_ID && s.chain_count == 2);
	CHECK(records.at == records.len);
	stack_walk_free(&w);
	str_free(&in);
	str_free(&out);
}

/* Only the used part of a stack is kept while it waits; the result is the same. */
static void check_shortened(const struct events *events)
{
	struct str in = { 0 }, shorter = { 0 }, walked[2] = { { 0 }, { 0 } };
	uint64_t there = 16;
	struct stack_walk w;

	stack_walk_init(&w, events);
	add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_USER);
	memcpy(in.buf + in.len - 8, &there, 8);
	stack_walk_shorten(&w, (const uint8_t *)in.buf, in.len, &shorter);
	CHECK(shorter.len == in.len - (STACK_BYTES - 16));
	stack_walk_records(&w, (const uint8_t *)in.buf, in.len, &walked[0]);
	stack_walk_records(&w, (const uint8_t *)shorter.buf, shorter.len, &walked[1]);
	CHECK(walked[0].len && walked[0].len == walked[1].len && !memcmp(walked[0].buf, walked[1].buf, walked[0].len));

	str_clear(&in);
	str_clear(&shorter);
	add_sample(&in, PLAIN_ID, 0, PERF_RECORD_MISC_USER); /* no stack */
	stack_walk_shorten(&w, (const uint8_t *)in.buf, in.len, &shorter);
	CHECK(shorter.len == in.len && !memcmp(shorter.buf, in.buf, in.len));
	stack_walk_free(&w);
	str_free(&in);
	str_free(&shorter);
	str_free(&walked[0]);
	str_free(&walked[1]);
}

/* For any bytes, the output consists of whole records. */
static void check_any_bytes(const struct events *events)
{
	struct str in = { 0 }, damaged = { 0 }, out = { 0 }, shorter = { 0 };
	struct perf_event_header header;
	const uint8_t *record;
	struct records records;
	bool whole = true;
	struct stack_walk w;

	stack_walk_init(&w, events);
	srand(1);
	for (int i = 0; i < 4; i++) {
		add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_USER);
		add_other(&in, PERF_RECORD_MMAP2);
		add_other(&in, PERF_RECORD_FORK);
		add_sample(&in, RAW_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_USER);
	}
	for (int round = 0; round < 5000; round++) {
		str_clear(&damaged);
		str_clear(&out);
		str_add(&damaged, in.buf, in.len - (size_t)rand() % 200);
		for (int i = 0; i < 8; i++)
			damaged.buf[(size_t)rand() % damaged.len] = (char)rand();
		records = (struct records){ (const uint8_t *)damaged.buf, damaged.len, 0 };
		while ((record = records_next(&records, &header)))
			stack_walk_shorten(&w, record, header.size, &shorter);
		str_clear(&shorter);
		stack_walk_learn(&w, (const uint8_t *)damaged.buf, damaged.len);
		stack_walk_records(&w, (const uint8_t *)damaged.buf, damaged.len, &out);
		records = (struct records){ (const uint8_t *)str_text(&out), out.len, 0 };
		while (records_next(&records, &header))
			;
		whole &= records.at == records.len;
	}
	CHECK(whole);
	stack_walk_free(&w);
	str_free(&in);
	str_free(&damaged);
	str_free(&shorter);
	str_free(&out);
}

static const uint32_t order[] = { PERF_RECORD_FORK, PERF_RECORD_SAMPLE, PERF_RECORD_EXIT, PERF_RECORD_SAMPLE,
				  PERF_RECORD_COMM };

/* Sends records through the thread, into a file; limit: how many bytes may wait.  The types of the output go to
 * types[], at most max. */
static size_t pass(const struct events *events, size_t limit, int rounds, uint32_t types[], size_t max,
		   struct tally *tally)
{
	char path[] = "/tmp/pyrograph-walker-XXXXXX";
	struct recording r = { 0 };
	struct str in = { 0 }, known = { 0 };
	struct iovec iov[2];
	static uint8_t bytes[1 << 16];
	struct perf_event_header header;
	struct records records = { bytes, 0, 0 };
	int fd = mkstemp(path);
	struct walker *w;
	size_t n = 0;

	close(fd);
	CHECK(recording_create(&r, path, events) == 0);
	w = walker_start(events, &known, limit);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (order[i] == PERF_RECORD_SAMPLE)
			add_sample(&in, WALKED_ID, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_USER);
		else
			add_other(&in, order[i]);
	}
	iov[0] = (struct iovec){ in.buf, 40 }; /* the end of a ring is inside a record */
	iov[1] = (struct iovec){ in.buf + 40, in.len - 40 };
	while (rounds-- > 0)
		walker_take(w, iov, 2, &r);
	CHECK(walker_finish(w, &r) == 0);
	walker_free(w);
	records.len = (size_t)pread(r.fd, bytes, r.data_end - r.data_start, (off_t)r.data_start);
	while (n < max && records_next(&records, &header))
		types[n++] = header.type;
	*tally = r.tally;
	recording_abandon(&r);
	str_free(&in);
	return n;
}

int main(void)
{
	struct events events = make_events();
	struct tally tally;
	uint32_t types[100];
	bool same = true;
	size_t n;

	check_samples(&events);
	check_shortened(&events);
	check_any_bytes(&events);
	n = pass(&events, 1 << 20, 10, types, 100, &tally);
	CHECK(n == 50);
	for (size_t i = 0; i < n; i++)
		same &= types[i] == order[i % 5];
	CHECK(same); /* in the order in which they came */
	CHECK(tally.losses[LOSS_total_samples] == 20 && tally.losses[LOSS_unwinding_late] == 0);
	CHECK(tally.losses[LOSS_broken_stacks] == 20);

	/* If nothing may wait, samples are dropped and counted, but no other records. */
	n = pass(&events, 0, 10, types, 100, &tally);
	CHECK(n == 30);
	CHECK(types[0] == PERF_RECORD_FORK && types[1] == PERF_RECORD_EXIT && types[2] == PERF_RECORD_COMM);
	CHECK(tally.losses[LOSS_total_samples] == 0 && tally.losses[LOSS_unwinding_late] == 20);
	return check_done();
}
