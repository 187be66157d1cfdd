/* Spans of processes, made from events: with losses, reused pids, zombies. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collect/processes/process_table.h"
#include "collect/recording/spans.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

static struct str out;
static struct process_table table;

/* main_ns: how much of the CPU time its first thread used */
static void happen_with(uint64_t time_ns, uint64_t start_ns, enum process_event event, uint32_t pid, uint64_t cpu_ns,
			uint64_t main_ns, uint32_t status, uint32_t flags)
{
	struct process_record r = { .time_ns = time_ns,
				    .start_ns = start_ns,
				    .cpu_ns = cpu_ns,
				    .main_ns = main_ns,
				    .flags = flags,
				    .event = event,
				    .pid = pid,
				    .parent = 1,
				    .status = status,
				    .name = "name" };

	process_table_add(&table, &r);
}

static void happen(uint64_t time_ns, uint64_t start_ns, enum process_event event, uint32_t pid, uint64_t cpu_ns,
		   uint32_t status)
{
	happen_with(time_ns, start_ns, event, pid, cpu_ns, 0, status, 0);
}

/* "PID BEGIN+NS BEGUN ENDED STATUS CPU" of each span so far. */
static const char *spans(void)
{
	static char text[1024];
	size_t at = 0, len = 0;

	text[0] = '\0';
	while (at < out.len) {
		struct perf_event_header header;
		struct recording_sample sample;
		struct recording_span span;
		struct recording_process p;
		const char *raw;

		memcpy(&header, out.buf + at, sizeof(header));
		memcpy(&sample, out.buf + at + sizeof(header), sizeof(sample));
		raw = out.buf + at + sizeof(header) + sizeof(sample) + sample.chain_count * 8;
		memcpy(&span, raw, sizeof(span));
		memcpy(&p, raw + sizeof(span), sizeof(p));
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%u %llu+%llu %u %u %u %llu\n", sample.pid,
					(unsigned long long)span.begin_ns, (unsigned long long)sample.period, p.begun,
					p.ended, p.status, (unsigned long long)p.cpu_ns);
		at += header.size;
	}
	str_clear(&out);
	return text;
}

static void look(uint64_t time_ns, uint64_t start_ns, uint32_t pid, uint64_t cpu_ns)
{
	struct process_record r = { .start_ns = start_ns, .cpu_ns = cpu_ns, .pid = pid, .name = "name" };

	process_table_begin_look(&table, time_ns);
	process_table_update(&table, &r);
}

/* Recordings that go on for weeks, while others are written from them. */
static void check_always_on(const struct event *event)
{
	process_table_open(&table, 1000);
	table.to.event = event;
	table.to.out = &out;
	table.begin_ns = 100;
	table.is_always_on = true;

	/* in each window of a watch, with what it used there; whole if it began and ended in the window */
	happen(200, 200, PROCESS_FORK, 7, 0, 0);
	happen(210, 200, PROCESS_EXEC, 7, 3, 0);
	look(300, 200, 7, 13);
	process_table_write_before(&table, UINT64_MAX);
	CHECK(process_table_tell(&table, 0, 300) == 1);
	process_table_cut(&table, 300);
	CHECK_TEXT(spans(), "7 200+10 1 2 0 3\n7 210+90 2 0 0 10\n");
	look(400, 200, 7, 14);
	CHECK(process_table_tell(&table, 0, 400) == 1);
	process_table_cut(&table, 400);
	CHECK_TEXT(spans(), "7 300+100 0 0 0 1\n");
	happen(450, 200, PROCESS_EXIT, 7, 20, 0);
	happen(451, 200, PROCESS_FREE, 7, 20, 0);
	CHECK_TEXT(spans(), "7 400+50 0 1 0 6\n");

	/* events between the look and now belong to the next window, and each is in it once */
	happen(460, 460, PROCESS_FORK, 12, 0, 0);
	look(470, 460, 12, 1);
	happen(472, 460, PROCESS_EXEC, 12, 2, 0);
	happen(469, 469, PROCESS_FORK, 13, 0, 0);
	happen(473, 473, PROCESS_FORK, 14, 0, 0);
	process_table_end_missing(&table);
	process_table_write_before(&table, 472);
	CHECK_TEXT(spans(), "");
	process_table_write_before(&table, 473);
	CHECK_TEXT(spans(), "12 460+12 1 2 0 2\n");
	CHECK(process_table_tell(&table, 0, 470) == 1);
	process_table_cut(&table, 470);
	CHECK_TEXT(spans(), "13 469+1 1 0 0 0\n");
	happen(480, 460, PROCESS_EXIT, 12, 5, 0);
	happen(481, 460, PROCESS_FREE, 12, 5, 0);
	happen(482, 469, PROCESS_EXIT, 13, 3, 0);
	happen(483, 469, PROCESS_FREE, 13, 3, 0);
	CHECK_TEXT(spans(), "12 472+8 2 1 0 3\n13 470+12 0 1 0 3\n");

	/* a process that has ended, but was not waited for, is also in what a flight recorder writes now */
	happen(484, 473, PROCESS_EXIT, 14, 4, 0);
	process_table_tell_ended(&table, 485);
	CHECK_TEXT(spans(), "");
	process_table_tell_ended(&table, 484);
	CHECK_TEXT(spans(), "14 473+11 1 1 0 4\n");
	happen(486, 473, PROCESS_FREE, 14, 6, 0);
	CHECK_TEXT(spans(), "14 473+11 1 1 0 6\n");

	/* a flight recorder keeps an old process only from the second-last mark on, and writes no more than that */
	happen(500, 500, PROCESS_FORK, 8, 0, 0);
	look(1000, 500, 8, 100);
	process_table_mark(&table);
	look(1100, 500, 8, 150);
	process_table_mark(&table);
	look(1200, 500, 8, 160);
	CHECK(process_table_tell(&table, 1150, 1200) == 1);
	CHECK_TEXT(spans(), "8 1150+50 0 0 0 15\n");
	CHECK(process_table_tell(&table, 0, 1200) == 1);
	CHECK_TEXT(spans(), "8 1000+200 0 0 0 60\n");
	happen(1210, 500, PROCESS_EXEC, 8, 170, 0);
	process_table_tell_ended(&table, 1211);
	CHECK_TEXT(spans(), "");
	process_table_tell_ended(&table, 1210);
	CHECK_TEXT(spans(), "8 1000+210 0 2 0 70\n");
	process_table_write_before(&table, UINT64_MAX);
	CHECK_TEXT(spans(), "8 1000+210 0 2 0 70\n");
	look(1300, 500, 8, 180);
	process_table_mark(&table);
	happen(1310, 500, PROCESS_EXIT, 8, 190, 0);
	happen(1311, 500, PROCESS_FREE, 8, 190, 0);
	CHECK_TEXT(spans(), "8 1210+100 2 1 0 20\n");

	/* a program that began after the look is not older than the look */
	happen(1320, 1320, PROCESS_FORK, 15, 0, 0);
	look(1330, 1320, 15, 1);
	happen(1335, 1320, PROCESS_EXEC, 15, 2, 0);
	process_table_mark(&table);
	look(1340, 1320, 15, 3);
	process_table_mark(&table);
	happen(1350, 1320, PROCESS_EXIT, 15, 4, 0);
	happen(1351, 1320, PROCESS_FREE, 15, 4, 0);
	CHECK_TEXT(spans(), "15 1320+15 1 2 0 2\n15 1335+15 2 1 0 2\n");

	/* the end of one is lost, and another one begins after the look */
	happen(1400, 1400, PROCESS_FORK, 9, 0, 0);
	happen(1400, 1400, PROCESS_FORK, 10, 0, 0);
	look(1500, 1400, 10, 5);
	happen(1510, 1510, PROCESS_FORK, 11, 0, 0);
	process_table_end_missing(&table);
	CHECK_TEXT(spans(), "9 1400+100 1 3 0 0\n");
	CHECK(table.unpaired == 1);
	process_table_finish(&table, 1600, false);
	CHECK_TEXT(spans(), "10 1400+200 1 0 0 5\n11 1510+90 1 0 0 0\n");
	process_table_free(&table);
}

/* CPU time at an exec is that of the last timer tick. */
static void check_ticks(const struct event *event)
{
	process_table_open(&table, 1000);
	table.to.event = event;
	table.to.out = &out;
	table.begin_ns = 100;

	/* if programs within a tick have more CPU time than elapsed time, the surplus belongs to the programs before */
	happen(200, 200, PROCESS_FORK, 7, 0, 0);
	happen_with(300, 200, PROCESS_EXEC, 7, 10, 10, 0, 0);
	happen_with(320, 200, PROCESS_EXEC, 7, 10, 10, 0, 0);
	happen_with(330, 200, PROCESS_EXEC, 7, 10, 10, 0, 0);
	happen_with(335, 200, PROCESS_EXIT, 7, 10, 10, 0, 0);
	happen_with(336, 200, PROCESS_FREE, 7, 125, 125, 0, 0);
	CHECK_TEXT(spans(), "7 200+100 1 2 0 90\n7 300+20 2 2 0 20\n7 320+10 2 2 0 10\n7 330+5 2 1 0 5\n");

	/* ... if their elapsed time has room for it; the rest was used after the end of the process */
	happen(350, 350, PROCESS_FORK, 7, 0, 0);
	happen_with(360, 350, PROCESS_EXEC, 7, 8, 8, 0, 0);
	happen_with(370, 350, PROCESS_EXIT, 7, 8, 8, 0, 0);
	happen_with(371, 350, PROCESS_FREE, 7, 23, 23, 0, 0);
	CHECK_TEXT(spans(), "7 350+10 1 2 0 10\n7 360+10 2 1 0 13\n");

	/* ... or belongs to the next program, if there is one */
	happen(380, 380, PROCESS_FORK, 7, 0, 0);
	happen_with(385, 380, PROCESS_EXEC, 7, 8, 8, 0, 0);
	happen_with(400, 380, PROCESS_EXIT, 7, 12, 12, 0, 0);
	happen_with(401, 380, PROCESS_FREE, 7, 12, 12, 0, 0);
	CHECK_TEXT(spans(), "7 380+5 1 2 0 5\n7 385+15 2 1 0 7\n");

	/* other threads may have more than that; a thread that calls exec has its own time */
	happen(400, 400, PROCESS_FORK, 8, 0, 0);
	happen_with(410, 400, PROCESS_EXEC, 8, 3, 3, 0, 0);
	happen_with(420, 400, PROCESS_EXEC, 8, 33, 25, 0, PROCESS_OTHER);
	happen_with(430, 400, PROCESS_EXIT, 8, 60, 28, 0, 0);
	happen_with(431, 400, PROCESS_FREE, 8, 60, 37, 0, 0);
	CHECK_TEXT(spans(), "8 400+10 1 2 0 3\n8 410+10 2 2 0 32\n8 420+10 2 1 0 25\n");

	/* time before a COMMAND's exec does not count, and neither does time after the end */
	happen_with(500, 500, PROCESS_EXEC, 9, 2, 2, 0, 0);
	happen_with(510, 500, PROCESS_EXIT, 9, 15, 15, 0, 0);
	happen_with(511, 500, PROCESS_FREE, 9, 15, 15, 0, 0);
	CHECK_TEXT(spans(), "9 500+10 2 1 0 10\n");
	happen(600, 600, PROCESS_FORK, 10, 0, 0);
	happen_with(610, 600, PROCESS_EXEC, 10, 4, 4, 0, 0);
	table.end_ns = 620;
	happen_with(630, 600, PROCESS_EXIT, 10, 24, 24, 0, 0);
	process_table_finish(&table, 620, false);
	CHECK_TEXT(spans(), "10 600+10 1 2 0 4\n10 610+10 2 0 0 10\n");
	process_table_free(&table);
}

int main(void)
{
	struct events events = { 0 };
	size_t number = spans_add_event(&events, RECORDING_PROCESSES);

	process_table_open(&table, 1000);
	table.to.event = &events.list[number];
	table.to.out = &out;
	table.begin_ns = 100;

	/* a fork, an exec, an end; CPU time is final only after the process was waited for */
	happen(200, 200, PROCESS_FORK, 7, 0, 0);
	happen(210, 200, PROCESS_EXEC, 7, 3, 0);
	happen(300, 200, PROCESS_EXIT, 7, 40, 256);
	CHECK_TEXT(spans(), "");
	happen(310, 200, PROCESS_EXIT, 7, 41, 256); /* two threads ended at once */
	happen(320, 200, PROCESS_FREE, 7, 50, 0);
	CHECK_TEXT(spans(), "7 200+10 1 2 0 3\n7 210+90 2 1 256 47\n");
	CHECK(table.exits == 1);

	/* the pid is reused before the first process was waited for */
	happen(400, 400, PROCESS_FORK, 8, 0, 0);
	happen(410, 400, PROCESS_EXIT, 8, 1, 0);
	happen(420, 420, PROCESS_FORK, 8, 0, 0);
	happen(430, 420, PROCESS_EXIT, 8, 2, 9);
	CHECK_TEXT(spans(), "8 400+10 1 1 0 1\n");
	CHECK(table.not_final == 1);
	happen(440, 400, PROCESS_FREE, 8, 5, 0);
	CHECK_TEXT(spans(), "");
	happen(450, 420, PROCESS_FREE, 8, 6, 0);
	CHECK_TEXT(spans(), "8 420+10 1 1 9 6\n");

	/* a zombie */
	happen(500, 500, PROCESS_FORK, 9, 0, 0);
	happen(510, 500, PROCESS_EXIT, 9, 4, 0);
	process_table_flush(&table, 510);
	CHECK_TEXT(spans(), "");
	process_table_flush(&table, 511);
	CHECK_TEXT(spans(), "9 500+10 1 1 0 4\n");
	happen(520, 500, PROCESS_FREE, 9, 4, 0);
	CHECK_TEXT(spans(), "");

	/* a lost fork; a process from before the recording; a lost end */
	happen(610, 600, PROCESS_EXEC, 10, 2, 0);
	happen(620, 50, PROCESS_EXEC, 11, 2, 0);
	happen(700, 690, PROCESS_EXEC, 10, 1, 0);
	CHECK_TEXT(spans(), "10 610+90 2 3 0 0\n");
	CHECK(table.unpaired == 1);

	/* an unknown process from before the recording: its CPU time until then is not part of the recording */
	happen(705, 20, PROCESS_EXIT, 13, 5000000, 0);
	happen(706, 20, PROCESS_FREE, 13, 5000002, 0);
	CHECK_TEXT(spans(), "13 100+605 0 1 0 2\n");

	/* an exec that fails, and events after the end */
	happen(710, 50, PROCESS_FAILED, 11, 0, 2);
	CHECK_TEXT(spans(), "11 710+0 3 2 2 0\n");
	table.end_ns = 800;
	happen(801, 50, PROCESS_EXIT, 11, 9, 0);
	happen(802, 802, PROCESS_FORK, 12, 0, 0);
	process_table_finish(&table, 800, false);
	CHECK_TEXT(spans(), "10 700+100 2 0 0 0\n11 620+180 2 0 0 7\n");
	process_table_free(&table);
	check_always_on(&events.list[number]);
	check_ticks(&events.list[number]);
	str_free(&out);
	return 0;
}
