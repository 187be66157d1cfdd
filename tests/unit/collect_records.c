/* Records that were appended to a recording are seen once; and looking for a few of them, often, costs no new memory. */
#include "collect/recording/records.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/check.h"

enum { HEADER = 104, DATA_OFFSET = 40, ROUNDS = 200 };

static unsigned seen;

static void count(void *argument, const uint8_t *record, uint32_t type)
{
	(void)argument;
	(void)record;
	seen += type == PERF_RECORD_COMM;
}

static long faults(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_minflt;
}

int main(void)
{
	char path[] = "/tmp/records.XXXXXX", header[HEADER] = { 0 };
	struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };
	uint64_t size = HEADER, data = HEADER;
	struct new_records n = { 0 };
	int fd = mkstemp(path);
	long before = 0;

	memcpy(header + DATA_OFFSET, &data, sizeof(data));
	CHECK(write(fd, header, sizeof(header)) == sizeof(header));
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (write(fd, &record, sizeof(record)) != sizeof(record))
			return 1;
		size += sizeof(record);
		new_records_read(&n, path, size, count, &seen);
		if (i == ROUNDS / 2)
			before = faults();
	}
	CHECK(faults() - before < ROUNDS / 4);
	CHECK(seen == ROUNDS);
	new_records_read(&n, path, size, count, &seen);
	CHECK(seen == ROUNDS && n.seen == size);
	close(fd);
	unlink(path);
	return check_done();
}
