/* Records of processes that are not recorded, in a ring of their CPU. */
#include "collect/sampling/foreign_records.h"

#include <linux/perf_event.h>
#include <string.h>

#include "tests/unit/check.h"

enum { TARGET = 7, STRANGER = 8 };

static bool is_target(uint32_t tid)
{
	return tid == TARGET;
}

struct record {
	struct perf_event_header header;
	int32_t ids[4];
};

static struct record record(uint32_t type, int pid, int second, int third)
{
	return (struct record){ { type, 0, sizeof(struct record) }, { pid, second, third, second } };
}

static void test_drop(void)
{
	struct record all[] = {
		record(PERF_RECORD_COMM, STRANGER, STRANGER, 0),
		record(PERF_RECORD_SAMPLE, STRANGER, STRANGER, 0), /* begins with something else */
		record(PERF_RECORD_FORK, 9, TARGET, 9),            /* a child of the target, which is not known yet */
		record(PERF_RECORD_EXIT, STRANGER, 1, STRANGER),
		record(PERF_RECORD_MMAP2, STRANGER, STRANGER, 0),
		record(PERF_RECORD_MMAP, -1, 0, 0), /* of the kernel */
		record(PERF_RECORD_COMM, TARGET, 10, 0),
		record(PERF_RECORD_KSYMBOL, STRANGER, STRANGER, 0),
	};
	const struct record kept[] = { all[1], all[2], all[5], all[6], all[7] };

	CHECK(foreign_records_drop((unsigned char *)all, sizeof(all), is_target) == sizeof(kept));
	CHECK(!memcmp(all, kept, sizeof(kept)));
}

static void test_malformed(void)
{
	struct record all[] = { record(PERF_RECORD_COMM, STRANGER, STRANGER, 0),
				record(PERF_RECORD_COMM, STRANGER, 1, 0) };

	all[1].header.size = 4;
	CHECK(foreign_records_drop((unsigned char *)all, sizeof(all), is_target) == sizeof(*all));
	all[0] = record(PERF_RECORD_COMM, STRANGER, STRANGER, 0);
	all[0].header.size = 8; /* too short for ids */
	CHECK(foreign_records_drop((unsigned char *)all, 8, is_target) == 8);
	CHECK(!foreign_records_drop((unsigned char *)all, 0, is_target));
}

static void test_possible(void)
{
	struct record ring[8] = { 0 }; /* of 24 bytes each; the ring has 128 */

	for (size_t i = 0; i < 5; i++)
		ring[i] = record(i == 4 ? PERF_RECORD_EXIT : PERF_RECORD_SAMPLE, STRANGER, STRANGER, 0);
	CHECK(!foreign_records_possible((unsigned char *)ring, 128, 0, 4 * sizeof(*ring)));
	CHECK(foreign_records_possible((unsigned char *)ring, 128, 0, 5 * sizeof(*ring)));
	CHECK(foreign_records_possible((unsigned char *)ring, 128, 128 + 4 * sizeof(*ring), 128 + 5 * sizeof(*ring)));
	CHECK(!foreign_records_possible((unsigned char *)ring, 128, 0, 0));
}

int main(void)
{
	test_drop();
	test_malformed();
	test_possible();
	return check_done();
}
