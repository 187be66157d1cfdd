/* The small parts of collapse: frames, thread names, event names and layouts. */
#include <stdlib.h>

#include "collapse/frames/frame.h"
#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/event.h"
#include "tests/unit/check.h"

static void test_frames(void)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ "main", "main" },
		{ "", "[no name]" },
		{ "a;b", "a:b" },
		{ "a\nb\tc\x7f", "a?b?c?" },
		{ "worker 7", "worker_7" },
		{ "worker 7.5", "worker_7.5" },
		{ "worker 7 ", "worker 7_" },
		{ "two words", "two words" },
		{ "# comment", "#_comment" },
		{ "@1.5 x", "@1.5_x" },
		{ "7", "7" },
		{ "<script>", "<script>" },
		{ "\xff\xfe", "??" },
		{ "s\xc3\xbc\xc3", "s\xc3\xbc?" },
		{ " # x", "_# x" },
		{ "a\xc2\x9b"
		  "b",
		  "a?b" },
		{ "a\xc2\x80"
		  "b\xc2\x9f"
		  "c\xc2\xa0"
		  "d",
		  "a?b?c\xc2\xa0"
		  "d" },
		{ "a\xe2\x80\xae"
		  "b\xe2\x80\xad",
		  "a?b?" },
		{ "a\xe2\x81\xa6"
		  "b\xe2\x81\xa9;",
		  "a?b?:" },
		{ "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "???" },
		{ "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
		  "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa" },
		{ "\xe2\x80\xa8\xe2\x80\xa9", "??" },
		{ "worker \xe2\x80\xae", "worker ?" },
		{ "conn 4e7", "conn_4e7" },
		{ "conn 4e-7", "conn_4e-7" },
		{ "conn .5", "conn_.5" },
		{ "conn 4e", "conn 4e" },
		{ "conn 4e7x 0x4e7", "conn 4e7x 0x4e7" },
		{ "\xd7\xa9\xd7\x9c", "\xd7\xa9\xd7\x9c" },
	};
	struct str s = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		str_clear(&s);
		frame_add(&s, rows[i].text, strlen(rows[i].text));
		CHECK_TEXT(s.buf, rows[i].wanted);
	}
	str_free(&s);
}

static const char *name_at(struct comms *c, int tid, uint64_t time_ns)
{
	return intern_text(&c->names, comms_find(c, tid, time_ns));
}

static void test_comms(void)
{
	struct comms c = { 0 };

	comms_set(&c, 7, 7, 10, "bash", 4);
	comms_fork(&c, 7, 8, 7, 20);
	comms_set(&c, 8, 8, 30, "ls", 2);
	CHECK_TEXT(name_at(&c, 7, 100), "bash");
	CHECK_TEXT(name_at(&c, 8, 25), "bash");
	CHECK_TEXT(name_at(&c, 8, 30), "ls");
	CHECK_TEXT(name_at(&c, 8, 5), "bash"); /* before its first record */
	CHECK(comms_pid(&c, 8, 25) == 7);      /* a thread, then a process that reuses its number */
	CHECK(comms_pid(&c, 8, 30) == 8);
	CHECK(comms_pid(&c, 99, 30) == 99);
	CHECK_TEXT(name_at(&c, 0, 5), "swapper");
	CHECK_TEXT(name_at(&c, 99, 5), ":99");
	CHECK_TEXT(name_at(&c, -1, 5), ":-1");
	comms_free(&c);
}

static void test_layout(void)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
		.sample_id_all = 1,
	};
	struct sample_layout l = event_layout(&attr);

	CHECK(l.id == 0 && l.ip == 8 && l.tid == 16 && l.time == 24 && l.cpu == 32 && l.period == 40);
	CHECK(l.fixed == 48);
	CHECK(l.time_from_end == 24); /* TIME CPU IDENTIFIER */
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID;
	l = event_layout(&attr);
	CHECK(l.ip == 0 && l.tid == 8 && l.id == 24 && l.time == -1 && l.fixed == 32);
	CHECK(l.time_from_end == -1);
}

static void test_event_names(void)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *wanted;
	} rows[] = { { PERF_TYPE_HARDWARE, 0, "cycles" },
		     { PERF_TYPE_SOFTWARE, 0, "cpu-clock" },
		     { PERF_TYPE_TRACEPOINT, 314, "tracepoint:314" },
		     { PERF_TYPE_RAW, 0x1c2, "r1c2" },
		     { 99, 5, "type99:5" },
		     { PERF_TYPE_SOFTWARE, 999, "type1:3e7" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct perf_event_attr attr = { .type = rows[i].type, .config = rows[i].config };
		char *name = event_name(&attr);

		CHECK_TEXT(name, rows[i].wanted);
		free(name);
	}
}

int main(void)
{
	test_frames();
	test_comms();
	test_layout();
	test_event_names();
	return check_done();
}
