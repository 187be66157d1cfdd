/* CPUs that go off and come back: when events must be opened again, and which gaps that leaves. */
#include "collect/sampling/hotplug.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "collect/sampling/rings.h"
#include "tests/unit/check.h"

static void compare(struct hotplug *h, const char *online, uint64_t now_ns)
{
	struct cpus cpus = { 0 };

	if (!cpus_read(&cpus, online))
		abort();
	hotplug_compare(h, &cpus, now_ns);
	cpus_free(&cpus);
}

static struct hotplug begun(const char *online)
{
	struct cpus cpus = { 0 };
	struct hotplug h;

	if (!cpus_read(&cpus, online))
		abort();
	hotplug_begin(&h, &cpus);
	compare(&h, online, 100);
	cpus_free(&cpus);
	return h;
}

/* The first CPU on which events must be opened, or -1. */
static int next(const struct hotplug *h)
{
	size_t at = 0;

	return hotplug_next(h, &at);
}

static void test_off_and_on(void)
{
	struct hotplug h = begun("0-3");

	CHECK(next(&h) == -1);
	compare(&h, "0-1,3", 200);
	CHECK(next(&h) == -1);
	compare(&h, "0-1,3", 300);
	compare(&h, "0-3", 400);
	CHECK(next(&h) == 2); /* until it can be opened */
	CHECK(next(&h) == 2);
	hotplug_opened(&h, 2, 410);
	CHECK(next(&h) == -1);
	CHECK_TEXT(str_text(&h.gaps), "100 410 0 cpu-off 2\n");
	hotplug_free(&h);
}

/* The CPU is back before anybody looked: the kernel's message tells it. */
static void test_between_looks(void)
{
	struct hotplug h = begun("0-1");

	CHECK(hotplug_hear(&h, "offline@/devices/system/cpu/cpu1"));
	CHECK(hotplug_hear(&h, "online@/devices/system/cpu/cpu1"));
	CHECK(hotplug_hear(&h, "offline@/devices/system/cpu/cpu77"));
	CHECK(!hotplug_hear(&h, "offline@/devices/system/memory/memory1"));
	compare(&h, "0-1", 200);
	CHECK(next(&h) == 1);
	hotplug_opened(&h, 1, 210);
	CHECK_TEXT(str_text(&h.gaps), "100 210 0 cpu-off 1\n");
	hotplug_free(&h);
}

static void test_new_and_never_back(void)
{
	struct hotplug h = begun("0-1");

	compare(&h, "0,2", 200);
	CHECK(next(&h) == 2); /* seen for the first time: nothing is missing before */
	hotplug_opened(&h, 2, 210);
	CHECK(next(&h) == -1 && !h.gaps.len);
	hotplug_finish(&h, 900);
	CHECK_TEXT(str_text(&h.gaps), "100 900 0 cpu-off 1\n");
	hotplug_free(&h);
}

/* If one recording notes that a CPU is off, the next one does not note it again. */
static void test_next_recording(void)
{
	struct hotplug h = { .begun = true, .uevents = -1 };

	hotplug_compare(&h, &(struct cpus){ .list = (int[]){ 0, 1 }, .count = 2 }, 100);
	hotplug_opened(&h, 0, 110);
	hotplug_opened(&h, 1, 110);
	hotplug_hear(&h, "offline@/devices/system/cpu/cpu1");
	hotplug_clear(&h, 500);
	hotplug_compare(&h, &(struct cpus){ .list = (int[]){ 0, 1 }, .count = 2 }, 600);
	hotplug_opened(&h, 1, 610);
	CHECK_TEXT(str_text(&h.gaps), "500 610 0 cpu-off 1\n");
	hotplug_clear(&h, 900);
	CHECK(!h.gaps.len);
	hotplug_finish(&h, 1000);
	CHECK(!h.gaps.len);
	hotplug_free(&h);
}

/* Records of a reopened event have the event's previous id. */
static void test_new_ids(void)
{
	struct {
		struct perf_event_header header;
		uint64_t body[4];
	} records[] = {
		{ { PERF_RECORD_SAMPLE, 0, sizeof(*records) }, { 77, 77, 1, 77 } },
		{ { PERF_RECORD_LOST, 0, sizeof(*records) }, { 77, 77, 1, 77 } },
		{ { PERF_RECORD_THROTTLE, 0, sizeof(*records) }, { 77, 77, 77, 77 } },
		{ { PERF_RECORD_EXIT, 0, sizeof(*records) }, { 77, 77, 1, 77 } },
		{ { PERF_RECORD_SAMPLE, 0, sizeof(*records) }, { 5, 77, 1, 77 } },
	};
	struct ring ring = { 0 };

	ring_rename_id(&ring, 77, 7);
	ring_rename_records(&ring, (uint8_t *)records, sizeof(records));
	CHECK(records[0].body[0] == 7 && records[0].body[1] == 77 && records[0].body[3] == 77);
	CHECK(records[1].body[0] == 7 && records[1].body[1] == 77 && records[1].body[3] == 7);
	CHECK(records[2].body[0] == 77 && records[2].body[1] == 7 && records[2].body[3] == 7);
	CHECK(records[3].body[0] == 77 && records[3].body[3] == 7);
	CHECK(records[4].body[0] == 5 && records[4].body[3] == 77);
	free(ring.new_ids);
}

int main(void)
{
	test_off_and_on();
	test_between_looks();
	test_new_and_never_back();
	test_next_recording();
	test_new_ids();
	return check_done();
}
