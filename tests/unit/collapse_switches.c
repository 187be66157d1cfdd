/* The scheduler's events: the formats of several kernels, and what threads did between events. */
#include <stdlib.h>

#include "collapse/perfdata/tracing.h"
#include "collapse/sched/switches.h"
#include "core/str.h"
#include "tests/unit/check.h"

/* --- formats ---------------------------------------------------------------------- */

/* Linux 6.18. */
static const char switch_new[] =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s prev_state=%s%s\", REC->prev_comm, (REC->prev_state & "
	"((((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & "
	"((((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) - 1), \"|\", { 0x00000001, \"S\" }, "
	"{ 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" }, "
	"{ 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", REC->prev_state & "
	"(((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) ? \"+\" : \"\", REC->next_comm\n";

/* Linux 4.9: other bits, other sizes. */
static const char switch_old[] =
	"name: sched_switch\nID: 290\nformat:\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:52;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev_state=%s%s\", REC->prev_state & (4096-1) ? __print_flags(REC->prev_state & "
	"(4096-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, "
	"{ 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }, "
	"{ 2048, \"n\" }) : \"R\", REC->prev_state & 4096 ? \"+\" : \"\"\n";

static char state_in(const char *format, uint64_t state)
{
	struct tracing t = { 0 };
	const struct tracing_format *f;
	struct sched_event e = { 0 };
	uint8_t raw[64] = { 0 };

	tracing_add_format(&t, format, strlen(format));
	f = &t.formats[SCHED_SWITCH];
	memcpy(raw + 32, &state, sizeof(state));
	return f->kind && tracing_event(f, raw, sizeof(raw), &e) ? e.state : '!';
}

static void test_states(void)
{
	static const struct {
		const char *format;
		uint64_t state;
		char wanted;
	} rows[] = {
		{ switch_new, 0, 'R' },     { switch_new, 1, 'S' },     { switch_new, 2, 'D' },
		{ switch_new, 4, 'T' },     { switch_new, 8, 't' },     { switch_new, 0x10, 'X' },
		{ switch_new, 0x20, 'Z' },  { switch_new, 0x40, 'P' },  { switch_new, 0x80, 'I' },
		{ switch_new, 0x100, '+' }, { switch_new, 0x101, '+' }, { switch_new, 0x200, 'R' },
		{ switch_old, 0, 'R' },     { switch_old, 1, 'S' },     { switch_old, 130, 'D' },
		{ switch_old, 16, 'Z' },    { switch_old, 32, 'X' },    { switch_old, 512, 'P' },
		{ switch_old, 1026, 'I' },  { switch_old, 4096, '+' },  { switch_old, 4097, '+' },
	};
	static const char shifted[][3] = { "SR", "DS", "TD", "tT", "Xt", "ZX", "PZ", "IP", "++", "??" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char got = state_in(rows[i].format, rows[i].state);

		if (got != rows[i].wanted)
			printf("# row %zu: %c, not %c\n", i, got, rows[i].wanted);
		CHECK(got == rows[i].wanted);
	}
	for (size_t i = 0; i < sizeof(shifted) / sizeof(*shifted); i++)
		CHECK(tracing_unshift(shifted[i][0]) == shifted[i][1]);
}

static void test_fields(void)
{
	struct tracing t = { 0 };
	struct sched_event e = { 0 };
	uint8_t raw[64] = { 0 };

	raw[24] = 7;
	raw[56] = 9;
	tracing_add_format(&t, switch_new, strlen(switch_new));
	CHECK(tracing_find(&t, 372) == &t.formats[SCHED_SWITCH]);
	CHECK(!tracing_find(&t, 0) && !tracing_find(&t, 371));
	CHECK(tracing_event(tracing_find(&t, 372), raw, 60, &e) && e.tid == 7 && e.next == 9);
	CHECK(!tracing_event(tracing_find(&t, 372), raw, 59, &e)); /* too short */
	t = (struct tracing){ 0 };
	tracing_add_format(&t, switch_new, strlen(switch_new) / 3); /* cut: no next_pid */
	CHECK(!tracing_find(&t, 372));
}

static void add_text(struct str *out, const char *text)
{
	uint64_t len = strlen(text);

	str_add(out, (const char *)&len, sizeof(len));
	str_puts(out, text);
}

static void add_u32(struct str *out, uint32_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

/* A whole section; then each of its prefixes, none of which may be read past its end. */
static void test_section(void)
{
	struct str s = { 0 };
	struct tracing t = { 0 };

	str_add(&s, "\27\10\104tracing0.6\0\0\10", 16);
	add_u32(&s, 4096);
	str_add(&s, "header_page", 12);
	add_text(&s, "page");
	str_add(&s, "header_event", 13);
	add_text(&s, "event");
	add_u32(&s, 1);
	add_text(&s, "name: function\nID: 1\n");
	add_u32(&s, 2);
	str_add(&s, "raw_syscalls", 13);
	add_u32(&s, 1);
	add_text(&s, "name: sys_enter\nID: 20\n");
	str_add(&s, "sched", 6);
	add_u32(&s, 1);
	add_text(&s, switch_new);
	tracing_read(&t, (const uint8_t *)s.buf, s.len);
	CHECK(tracing_find(&t, 372));
	t = (struct tracing){ 0 };
	for (size_t len = 0; len < s.len; len++) {
		uint8_t *copy = malloc(len + !len);

		memcpy(copy, s.buf, len);
		tracing_read(&t, copy, len);
		free(copy);
	}
	CHECK(!tracing_find(&t, 372));
	str_free(&s);
}

/* --- what threads did ------------------------------------------------------------- */

static void write_span(const struct switch_span *span, void *out)
{
	static const char *const names[RECORDING_STATE_COUNT] = { "unknown", "running", "preempted", "quantum",
								  "yielded", "woken",   "sleeping",  "io",
								  "blocked", "stopped", "traced",    "parked",
								  "idle",    "dead" };

	str_addf(out, "%d %s", span->tid, names[span->state]);
	if (span->by == RECORDING_BY_OTHERS)
		str_puts(out, " by others");
	else if (span->by >= 0)
		str_addf(out, " by %d", span->by);
	str_addf(out, " cpu%u %llu+%llu", span->cpu, (unsigned long long)span->begin_ns, (unsigned long long)span->ns);
	if (span->longest_ns != span->ns)
		str_addf(out, " of %llu", (unsigned long long)span->longest_ns);
	str_addf(out, "%s%s%s\n", span->count ? "" : " part", span->migrated ? " migrated" : "",
		 span->open ? " open" : "");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines in the order of their text. */
static void sort_lines(struct str *s)
{
	char *lines[64], *copy = strdup(str_text(s));
	size_t count = 0;

	for (char *line = strtok(copy, "\n"); line && count < 64; line = strtok(NULL, "\n"))
		lines[count++] = line;
	qsort(lines, count, sizeof(*lines), by_text);
	str_clear(s);
	for (size_t i = 0; i < count; i++)
		str_addf(s, "%s\n", lines[i]);
	free(copy);
}

struct step {
	uint64_t time_ns;
	enum sched_kind kind;
	int cpu, tid, next;
	char state;
};

/* The events of a recording from 0 to 1000. */
static char *run(const struct step *steps, struct switches *s)
{
	struct str out = { 0 };

	s->end_ns = 1000;
	for (; steps->kind; steps++) {
		struct sched_event e = { .time_ns = steps->time_ns,
					 .kind = (uint8_t)steps->kind,
					 .cpu = (uint16_t)steps->cpu,
					 .tid = steps->tid,
					 .next = steps->next,
					 .state = steps->state };

		if (e.kind == SCHED_RUNTIME)
			e.record = (uint64_t)steps->next;

		if (e.kind == SCHED_SWITCH)
			switches_running_first(s, e.cpu, e.tid);
		switches_add(s, &e);
	}
	switches_run(s, write_span, &out);
	sort_lines(&out);
	return out.buf ? out.buf : strdup("");
}

static void check_story(const char *what, const struct step *steps, const char *wanted)
{
	struct switches s = { 0 };
	char *got = run(steps, &s);

	printf("# %s\n", what);
	CHECK_TEXT(got, wanted);
	free(got);
	switches_free(&s);
}

static void test_stories(void)
{
	check_story("two take turns; one is preempted, the other's time is over",
		    (const struct step[]){
			    { 100, SCHED_SWITCH, 0, 1, 2, '+' }, { 300, SCHED_SWITCH, 0, 2, 1, 'R' }, { 0 } },
		    "1 preempted by 2 cpu0 100+200\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 300+700 open\n"
		    "2 quantum by 1 cpu0 300+700 open\n"
		    "2 running cpu0 100+200\n"
		    "2 unknown cpu0 0+100\n");
	check_story("woken while two others have the CPU",
		    (const struct step[]){ { 100, SCHED_SWITCH, 0, 1, 2, 'S' },
					   { 200, SCHED_WAKING, 1, 1, 0, 0 },
					   { 300, SCHED_SWITCH, 0, 2, 3, 'D' },
					   { 500, SCHED_SWITCH, 0, 3, 1, 'X' },
					   { 0 } },
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 500+500 open\n"
		    "1 sleeping cpu0 100+100\n"
		    "1 woken by 2 cpu0 200+100 part\n"
		    "1 woken by 3 cpu0 300+200 of 300\n"
		    "2 blocked cpu0 300+700 open\n"
		    "2 running cpu0 100+200\n"
		    "2 unknown cpu0 0+100\n"
		    "3 dead cpu0 500+0\n"
		    "3 running cpu0 300+200\n"
		    "3 unknown cpu0 0+300\n");
	check_story("moved to another CPU while it waits; the events come in any order",
		    (const struct step[]){ { 200, SCHED_MIGRATE, 0, 1, 1, 0 },
					   { 400, SCHED_SWITCH, 1, 0, 1, 'R' },
					   { 100, SCHED_SWITCH, 0, 1, 2, 'R' },
					   { 0 } },
		    "0 running cpu1 0+400\n"
		    "1 quantum by 0 cpu1 200+200 of 300\n"
		    "1 quantum by 2 cpu0 100+100 part\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu1 400+600 migrated open\n"
		    "2 running cpu0 100+900 open\n"
		    "2 unknown cpu0 0+100\n");
	check_story("born, runs, ends; its number comes again",
		    (const struct step[]){ { 100, SCHED_WAKEUP_NEW, 0, 5, 0, 0 },
					   { 150, SCHED_SWITCH, 0, 1, 5, 'S' },
					   { 250, SCHED_SWITCH, 0, 5, 0, 'Z' },
					   { 600, SCHED_WAKEUP_NEW, 0, 5, 1, 0 },
					   { 0 } },
		    "0 running cpu0 250+750 open\n"
		    "1 running cpu0 0+150\n"
		    "1 sleeping cpu0 150+850 open\n"
		    "5 dead cpu0 250+0\n"
		    "5 running cpu0 150+100\n"
		    "5 woken by 1 cpu0 100+50\n"
		    "5 woken by others cpu1 600+400 open\n");
	check_story("woken on its way to sleep: it never left the queue",
		    (const struct step[]){ { 90, SCHED_WAKING, 0, 1, 0, 0 },
					   { 100, SCHED_SWITCH, 0, 1, 0, 'S' },
					   { 110, SCHED_SWITCH, 0, 0, 1, 'R' },
					   { 0 } },
		    "0 running cpu0 100+10\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 110+890 open\n"
		    "1 woken by 0 cpu0 100+10\n");
	check_story("a switch that was hidden: when it was, the time that 3 has run says",
		    (const struct step[]){ { 100, SCHED_SWITCH, 0, 1, 2, '+' },
					   { 150, SCHED_WAKING, 1, 3, 0, 0 },
					   { 300, SCHED_RUNTIME, 0, 3, 40, 0 },
					   { 350, SCHED_RUNTIME, 0, 3, 60, 0 },
					   { 350, SCHED_SWITCH, 0, 3, 1, 'S' },
					   { 0 } },
		    "1 preempted by 2 cpu0 100+150 of 250\n"
		    "1 preempted by 3 cpu0 250+100 part\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 350+650 open\n"
		    "2 running cpu0 100+150\n"
		    "2 unknown cpu0 0+100\n"
		    "2 unknown cpu0 250+750 open\n"
		    "3 running cpu0 250+100\n"
		    "3 sleeping cpu0 350+650 open\n"
		    "3 unknown cpu1 0+150\n"
		    "3 woken by 2 cpu0 150+100\n");
	check_story("a hidden switch from the idle thread: nobody knows when it was",
		    (const struct step[]){
			    { 100, SCHED_SWITCH, 0, 1, 0, 'S' }, { 300, SCHED_SWITCH, 0, 2, 1, 'S' }, { 0 } },
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 300+700 open\n"
		    "1 sleeping cpu0 100+200\n"
		    "2 sleeping cpu0 300+700 open\n"
		    "2 unknown cpu0 0+300\n");
	check_story("an old kernel: its states are one too high",
		    (const struct step[]){
			    { 100, SCHED_SWITCH, 0, 0, 1, 'S' }, { 200, SCHED_SWITCH, 0, 1, 0, 'D' }, { 0 } },
		    "0 running cpu0 0+100\n"
		    "0 running cpu0 200+800 open\n"
		    "1 running cpu0 100+100\n"
		    "1 sleeping cpu0 200+800 open\n"
		    "1 unknown cpu0 0+100\n");
}

static void test_threads(void)
{
	check_story("of thread 1 alone, from both sides; that it is gone is told twice",
		    (const struct step[]){ { 100, SCHED_SWITCH, 0, 1, 2, 'D' },
					   { 101, SCHED_OUT, 0, 1, -1, 'S' },
					   { 150, SCHED_WAKING, 0, 3, 0, 0 },
					   { 300, SCHED_IN, 1, 1, -1, 0 },
					   { 400, SCHED_OUT, 1, 1, -1, '+' },
					   { 500, SCHED_IN, 1, 1, -1, 0 },
					   { 600, SCHED_GONE, 1, 1, -1, 'X' },
					   { 600, SCHED_FORK, 1, 4, -1, 0 },
					   { 0 } },
		    "1 blocked cpu0 100+200\n"
		    "1 dead cpu1 600+0\n"
		    "1 preempted by others cpu1 400+100\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu1 300+100 migrated\n"
		    "1 running cpu1 500+100\n");
	check_story("it came twice; when it had gone is not known",
		    (const struct step[]){ { 100, SCHED_IN, 0, 1, -1, 0 }, { 400, SCHED_IN, 1, 1, -1, 0 }, { 0 } },
		    "1 running cpu1 400+600 migrated open\n"
		    "1 unknown cpu0 0+100\n"
		    "1 unknown cpu0 100+300\n");
	check_story("its ring was full from 200 on",
		    (const struct step[]){ { 200, SCHED_OUT, 0, 1, -1, 'S' },
					   { 500, SCHED_LOST, 0, 0, -1, 0 },
					   { 600, SCHED_OUT, 0, 1, -1, 'S' },
					   { 700, SCHED_IN, 0, 1, -1, 0 },
					   { 0 } },
		    "1 running cpu0 0+200\n"
		    "1 running cpu0 700+300 open\n"
		    "1 sleeping cpu0 200+0\n"
		    "1 unknown cpu0 200+500\n");
}

static void test_losses(void)
{
	struct switches s = { 0 };
	char *got;

	check_story("a CPU's ring was full from 300 on, until 500",
		    (const struct step[]){ { 100, SCHED_SWITCH, 0, 1, 2, '+' },
					   { 300, SCHED_WAKING, 0, 9, 1, 0 },
					   { 500, SCHED_LOST, 0, 0, 0, 0 },
					   { 600, SCHED_SWITCH, 0, 3, 1, 'S' },
					   { 0 } },
		    "1 preempted by 2 cpu0 100+200\n"
		    "1 running cpu0 0+100\n"
		    "1 running cpu0 600+400 open\n"
		    "1 unknown cpu0 300+300\n"
		    "2 running cpu0 100+200\n"
		    "2 unknown cpu0 0+100\n"
		    "2 unknown cpu0 300+200\n"
		    "2 unknown cpu0 500+500 open\n"
		    "3 sleeping cpu0 600+400 open\n"
		    "3 unknown cpu0 0+600\n"
		    "9 unknown cpu0 0+300\n"
		    "9 woken by others cpu1 300+700 open\n");
	got = run((const struct step[]){ { 100, SCHED_SWITCH, 0, 1, 2, 'S' },
					 { 200, SCHED_SWITCH, 0, 1, 3, 'S' },
					 { 300, SCHED_SWITCH, 0, 1, 4, 'S' },
					 { 0 } },
		  &s);
	CHECK(s.switches == 3 && s.unpaired == 2); /* only those of thread 1 were recorded */
	CHECK(strstr(got, "2 unknown cpu0 100+100\n"));
	free(got);
	switches_free(&s);
}

/* --- many ------------------------------------------------------------------------- */

struct waited {
	uint64_t woken_ns, others_ns, count;
};

static void add_wait(const struct switch_span *span, void *waited)
{
	struct waited *w = waited;

	if (span->state != RECORDING_WOKEN)
		return;
	w->woken_ns += span->ns;
	w->count += span->count;
	if (span->by == RECORDING_BY_OTHERS)
		w->others_ns += span->ns;
}

/* n threads are woken; then 1 and 2 take turns on their CPU, n times. */
static void run_many(struct switches *s, int n, struct waited *w)
{
	*s = (struct switches){ .end_ns = 2 * (uint64_t)n, .whole_waits = s->whole_waits };
	for (int i = 0; i < n; i++) {
		struct sched_event e = { .time_ns = (uint64_t)i, .kind = SCHED_WAKING, .tid = 10 + i };

		switches_add(s, &e);
	}
	switches_running_first(s, 0, 1);
	for (int i = 0; i < n; i++) {
		struct sched_event e = { .time_ns = (uint64_t)(n + i), .kind = SCHED_SWITCH, .state = 'S' };

		e.tid = 1 + i % 2;
		e.next = 2 - i % 2;
		switches_add(s, &e);
	}
	*w = (struct waited){ 0 };
	switches_run(s, add_wait, w);
}

static void test_many_waits(void)
{
	static const struct {
		int n;
		bool whole, cut;
	} rows[] = { { 1000, false, false }, { 4000, false, true }, { 40000, false, true }, { 160000, true, false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct switches s = { .whole_waits = rows[i].whole };
		uint64_t n = (uint64_t)rows[i].n;
		struct waited w;

		run_many(&s, rows[i].n, &w);
		CHECK(w.count == n && w.woken_ns == n * (3 * n + 1) / 2); /* until 2 n, from 0, 1, 2, ... */
		CHECK(s.parts <= SWITCHES_PARTS_FREE + SWITCHES_PARTS_PER_EVENT * s.count);
		CHECK((s.cut > 0) == rows[i].cut && s.cut < n);
		CHECK(w.others_ns == (rows[i].whole ? w.woken_ns : rows[i].cut ? w.others_ns : 0));
		switches_free(&s);
	}
}

int main(void)
{
	test_many_waits();
	test_states();
	test_fields();
	test_section();
	test_stories();
	test_threads();
	test_losses();
	return check_done();
}
