/* collect/machine/ksymbol_size.c */
#include "collect/machine/ksymbol_size.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

#include "core/format/recording.h"
#include "tests/unit/check.h"

enum { RING = 512, TRAILER = sizeof(struct recording_trailer) };

static unsigned char ring[RING], record[RING];

/* Makes a record that is surplus bytes too long.  Returns its size. */
static size_t make(uint32_t type, const char *name, size_t surplus)
{
	size_t name_bytes = (strlen(name) + 8) & ~(size_t)7, size = 24 + name_bytes + TRAILER + surplus;
	struct perf_event_header header = { type, 0, (uint16_t)size };
	struct recording_trailer trailer = { 7, 8, 123456789, 1, 0, 42 };

	memset(record, 0xee, sizeof(record));
	memcpy(record, &header, sizeof(header));
	memset(record + 24, 0, name_bytes);
	memcpy(record + 24, name, strlen(name));
	memcpy(record + 24 + name_bytes, &trailer, sizeof(trailer));
	return size;
}

static void put(uint64_t at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		ring[(at + i) % RING] = record[i];
}

static void get(uint64_t at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		record[i] = ring[(at + i) % RING];
}

static bool is_nothing(const unsigned char *bytes, size_t len)
{
	while (len && !bytes[len - 1])
		len--;
	return !len;
}

static bool is_record(uint64_t at, size_t len)
{
	while (len && ring[(at + len - 1) % RING] == record[len - 1])
		len--;
	return !len;
}

/* A record at each place of the ring, so that it wraps everywhere, with a plain record before and after it. */
static void check_at(uint64_t at, const char *name, size_t surplus)
{
	size_t plain = make(PERF_RECORD_SWITCH, "", 2 * TRAILER), size;
	struct recording_trailer trailer;

	put(at, plain);
	put(at + plain, size = make(PERF_RECORD_KSYMBOL, name, surplus));
	make(PERF_RECORD_SWITCH, "", 2 * TRAILER);
	put(at + plain + size, plain);
	CHECK(ksymbols_are_right(ring, RING, at, at + plain + size + plain) == !surplus);
	get(at, plain + size + plain);
	ksymbols_mend(record, plain + size + plain);
	put(at, plain + size + plain);

	get(at + plain, size);
	memcpy(&trailer, record + size - TRAILER, TRAILER);
	CHECK(trailer.pid == 7 && trailer.tid == 8 && trailer.time_ns == 123456789 && trailer.cpu == 1 &&
	      trailer.id == 42);
	CHECK(!strcmp((char *)record + 24, name) && ((struct perf_event_header *)record)->size == size);
	CHECK(is_nothing(record + 24 + strlen(name), size - TRAILER - 24 - strlen(name)));
	make(PERF_RECORD_SWITCH, "", 2 * TRAILER);
	CHECK(is_record(at, plain) && is_record(at + plain + size, plain));
}

/* Records that make no sense stay as they are. */
static void check_strange(uint32_t type, const char *name, size_t surplus, size_t said)
{
	unsigned char before[RING];
	size_t size = make(type, name, surplus);

	((struct perf_event_header *)record)->size = (uint16_t)said;
	memcpy(before, record, RING);
	CHECK(ksymbols_are_right(record, RING, 0, size));
	ksymbols_mend(record, size);
	CHECK(!memcmp(before, record, RING));
}

int main(void)
{
	for (uint64_t at = 0; at < 2 * RING; at += 8) {
		check_at(at, "bpf_prog_6deef7357e7b4530_sd_fw_egress", 0);
		check_at(at, "bpf_prog_6deef7357e7b4530_sd_fw_egress", TRAILER);
		check_at(at, "seven77", 3 * TRAILER);
		check_at(at, "eight888", 2 * TRAILER);
		check_at(at, "", TRAILER);
	}
	check_strange(PERF_RECORD_KSYMBOL, "name", 8, 24 + 8 + TRAILER + 8);
	check_strange(PERF_RECORD_KSYMBOL, "name", 0, 0);
	check_strange(PERF_RECORD_KSYMBOL, "name", 0, 24);
	check_strange(PERF_RECORD_KSYMBOL, "a name without an end", 0, 48);
	check_strange(PERF_RECORD_KSYMBOL, "name", 0, 32);
	check_strange(PERF_RECORD_KSYMBOL, "name", TRAILER, 24 + 8 + TRAILER + TRAILER + 3);
	check_strange(PERF_RECORD_KSYMBOL, "name", TRAILER, 65528);
	check_strange(PERF_RECORD_COMM, "name", TRAILER, 24 + 8 + 2 * TRAILER);
	return check_done();
}
