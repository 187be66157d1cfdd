/* collect sched: which form a kernel's sched_switch has; which threads may be on an isolated CPU; which spans are
 * single. */
#include "bpf/detail.h"
#include "collect/bpf/sched_switch.h"
#include "collect/sched/sched_flush.h"
#include "collect/sched/sched_isolated.h"
#include "tests/unit/check.h"

#include <bpf/btf.h>

/* A kernel in which sched_switch is void (*)(ARGUMENTS): v the probe's own, b a bool,
 * t a task, i a number. */
static int parameters(const char *arguments)
{
	struct btf *btf = btf__new_empty();
	int pointer = btf__add_ptr(btf, 0), boolean = btf__add_int(btf, "bool", 1, BTF_INT_BOOL);
	int number = btf__add_int(btf, "unsigned int", 4, 0), task = btf__add_fwd(btf, "task_struct", BTF_FWD_STRUCT);
	int task_pointer = btf__add_ptr(btf, task), proto = btf__add_func_proto(btf, 0), found;

	for (; *arguments; arguments++)
		btf__add_func_param(btf, "",
				    *arguments == 'v'   ? pointer
				    : *arguments == 'b' ? boolean
				    : *arguments == 't' ? task_pointer
							: number);
	btf__add_typedef(btf, "btf_trace_sched_switch", btf__add_ptr(btf, proto));
	found = sched_switch_parameters(btf);
	btf__free(btf);
	return found;
}

static void test_sched_switch(void)
{
	struct btf *empty = btf__new_empty(), *here = btf__load_vmlinux_btf();

	CHECK(parameters("vbtt") == 3);   /* 5.17 */
	CHECK(parameters("vbtti") == 4);  /* 5.19 */
	CHECK(parameters("vbitt") == -1); /* 5.18 */
	CHECK(parameters("vbt") == -1);
	CHECK(parameters("vbttii") == -1);
	CHECK(parameters("") == -1);
	CHECK(sched_switch_parameters(empty) == -1);
	CHECK(sched_switch_parameters(NULL) == -1);
	CHECK(!here || sched_switch_parameters(here) > 0);
	btf__free(empty);
	btf__free(here);
}

static void note_priority(struct sched_priorities *p, uint32_t pid, uint32_t tid, uint32_t policy, uint32_t prio)
{
	struct sched_thread t = { .pid = pid, .tid = tid, .policy = policy, .static_prio = prio };

	sched_priorities_note(p, &t);
}

static void test_priorities(void)
{
	struct sched_priorities p = { 0 };
	struct str text = { 0 };

	note_priority(&p, 9, 12, 0, 139);
	note_priority(&p, 9, 11, 0, 120); /* as most are */
	note_priority(&p, 9, 9, 3, 120);
	note_priority(&p, 8, 8, 5, 120);
	note_priority(&p, 8, 7, 1, 100);
	note_priority(&p, 8, 6, 99, 120);
	note_priority(&p, 7, 7, 0, 0);   /* it never ran */
	note_priority(&p, 0, 0, 5, 139); /* the idle thread */
	sched_priorities_describe(&p, &text);
	CHECK(!strcmp(str_text(&text), "8 6 unknown 0\n8 7 fifo -20\n8 8 idle 0\n9 9 batch 0\n9 12 other 19\n"));
	str_clear(&text);
	note_priority(&p, 9, 12, 0, 139);
	note_priority(&p, 9, 12, 0, 120); /* it was reniced */
	sched_priorities_describe(&p, &text);
	CHECK(!strcmp(str_text(&text), "9 12 other 0\n"));
	str_clear(&text);
	sched_priorities_describe(&p, &text);
	CHECK(!text.len);
	for (uint32_t tid = 1; tid < 70000; tid++)
		note_priority(&p, 1, tid, 0, 139);
	CHECK(p.known.count <= 1 << 16);
	sched_priorities_free(&p);
	str_free(&text);
}

static void test_affinities(void)
{
	struct sched_priorities p = { .cpus = 4 };
	struct str text = { 0 };
	struct sched_thread pinned = { .pid = 9, .tid = 12, .static_prio = 120, .cpus_allowed = 1 };
	struct sched_thread few = { .pid = 8, .tid = 8, .static_prio = 120, .cpus_allowed = 3 };
	struct sched_thread any = { .pid = 8, .tid = 9, .static_prio = 120, .cpus_allowed = 64 };
	struct sched_thread unknown = { .pid = 8, .tid = 10, .static_prio = 120 };

	sched_priorities_note(&p, &pinned);
	sched_priorities_note(&p, &few);
	sched_priorities_note(&p, &any);
	sched_priorities_note(&p, &unknown);
	sched_priorities_describe_affinity(&p, &text);
	CHECK(!strcmp(str_text(&text), "cpus 4\n8 8 3\n9 12 1\n"));
	str_clear(&text);
	sched_priorities_note(&p, &pinned);
	pinned.cpus_allowed = 4; /* it was let go elsewhere */
	sched_priorities_note(&p, &pinned);
	sched_priorities_describe_affinity(&p, &text);
	CHECK(!strcmp(str_text(&text), "cpus 4\n"));
	sched_priorities_free(&p);
	str_free(&text);
}

static void test_isolated(void)
{
	struct anchor anchor = { 0 };
	struct isolated i = { 0 };
	struct sched_entry entry = { .pid = 2, .tid = 3, .cpu = 1, .time_ns = 5, .name = { "a\tb" } };

	CHECK(cpus_read(&i.cpus, "1-2"));
	CHECK(isolated_report(&i, &anchor));
	isolated_add_time(&i, 1, 0, 0, 7, 1, 7); /* the idle one */
	isolated_add_time(&i, 3, 2, 3, 7, 1, 7); /* elsewhere */
	CHECK(i.count == 0);
	isolated_add_entry(&i, &entry);
	isolated_add_time(&i, 1, 2, 3, 7, 1, 7);
	isolated_add_time(&i, 2, 2, 3, 7, 1, 7); /* one on each */
	isolated_add_time(&i, 1, 2, 3, 9, 2, 5);
	CHECK(isolated_report(&i, &anchor));
	CHECK(i.count == 2 && i.visitors[0].ns == 16 && i.visitors[0].count == 3 && i.visitors[0].longest_ns == 7);
	isolated_add_time(&i, 1, 4, 4, 1, 1, 1);
	CHECK(!isolated_report(&i, &anchor));
	isolated_free(&i);
}

static void spill(struct sched_flush *f, uint32_t key, uint64_t ns)
{
	sched_flush_record(f, &(struct sched_record){ .kind = SCHED_SPILL,
						      .pid = 2,
						      .tid = 3,
						      .cell = { .key = key,
								.ns = ns,
								.count = 1,
								.longest_ns = ns,
								.migrations = SCHED_WAITED_ON(0) } });
}

/* What a thread spills within a second is added up to one sample for each key. */
static void test_spills(void)
{
	struct sched_control control = { 0 };
	struct sched_program program = { .control = &control, .epoch_ns = 100 };
	struct events events = { 0 };
	struct sched_flush f = { .program = &program };
	const struct recording_sample *first;
	struct recording_span span;
	size_t size = sizeof(struct perf_event_header) + sizeof(*first) + sizeof(span);
	size_t sums = 2 * size + 3 * sizeof(uint64_t), e = spans_add_event(&events, RECORDING_SCHED);

	f.event = &events.list[e];
	spill(&f, SCHED_KEY(RECORDING_WOKEN, 7), 5);
	spill(&f, SCHED_KEY(RECORDING_RUNNING, 1), 3);
	spill(&f, SCHED_KEY(RECORDING_WOKEN, 7), 9);
	CHECK(f.out.len == 0);
	sched_flush_epoch(&f, 0, 100, 200);
	CHECK(f.out.len == sums);
	first = (const void *)(f.out.buf + sizeof(struct perf_event_header));
	memcpy(&span, &first->chain[first->chain_count], sizeof(span));
	CHECK(first->period == 14 && first->time_ns == 200 && first->chain_count == 2);
	CHECK(span.count == 2 && span.longest_ns == 9 && span.begin_ns == 100);
	CHECK(span.migrations == 0 && first->cpu == 0); /* of a wait it is the CPU */
	spill(&f, SCHED_KEY(RECORDING_RUNNING, 1), 3);
	spill(&f, SCHED_KEY(RECORDING_RUNNING, 2), 3); /* another CPU */
	sched_flush_epoch(&f, 0, 200, 300);
	CHECK(f.out.len == sums + 2 * (size + sizeof(uint64_t)));
	sched_flush_free(&f);
	events_free(&events);
}

enum { COST_NS = 1000000 }; /* a thousand a second */

static unsigned paid(struct detail_budget *b, enum detail_kind kind, uint64_t ns, unsigned times, uint64_t now_ns)
{
	unsigned count = 0;

	while (times--)
		count += detail_pay(b, kind, ns, 1000, COST_NS, now_ns);
	return count;
}

/* Long spans have their own part of the budget, and so do whole ones; over time, the budget recovers. */
static void test_detail(void)
{
	struct detail_budget b = { 0 };
	uint64_t now = 5000000000;

	CHECK(paid(&b, DETAIL_PART, 1000, 2000, now) == 250);
	CHECK(paid(&b, DETAIL_WHOLE, 1000, 2000, now) == 250);
	CHECK(paid(&b, DETAIL_WHOLE, 9999, 2000, now) == 0);
	CHECK(paid(&b, DETAIL_WHOLE, 10000, 2000, now) == 500);
	CHECK(paid(&b, DETAIL_WHOLE, 999999999, 2000, now) == 0);
	CHECK(paid(&b, DETAIL_WHOLE, 1000000000, 2000, now) == 2000);
	CHECK(paid(&b, DETAIL_WHOLE, 10000, 2000, now - 1000000) == 0); /* another CPU's clock */
	CHECK(paid(&b, DETAIL_WHOLE, 10000, 2000, now + 5 * COST_NS) == 5);
	CHECK(paid(&b, DETAIL_WHOLE, 10000, 2000, UINT64_MAX) == 1000);
}

static struct event *sched_event(struct events *events)
{
	size_t place = spans_add_event(events, RECORDING_SCHED);

	return &events->list[place];
}

/* The clocks of two CPUs may differ by some nanoseconds. */
static void test_backwards(void)
{
	struct sched_control control = { 0 };
	struct sched_program program = { .control = &control };
	struct events events = { 0 };
	struct sched_flush f = { .program = &program, .events = true };
	const struct recording_sample *sample;
	struct recording_span span;

	f.event = sched_event(&events);
	sched_flush_record(&f,
			   &(struct sched_record){ .kind = SCHED_SPAN,
						   .pid = 2,
						   .tid = 3,
						   .begin_ns = 1017,
						   .end_ns = 1000,
						   .cell = { .key = SCHED_KEY(RECORDING_SLEEPING, 0), .count = 1 } });
	sample = (const void *)(f.out.buf + sizeof(struct perf_event_header));
	memcpy(&span, &sample->chain[sample->chain_count], sizeof(span));
	CHECK(sample->period == 0 && sample->time_ns == 1000);
	CHECK(span.begin_ns == 1000 && span.longest_ns == 0 && span.count == 1);
	CHECK(f.awake_ns == 0 && f.waited_ns == 0);
	sched_flush_free(&f);
	events_free(&events);
}

/* One span of a wait that goes on at the end: where it is, in f->out. */
static size_t check_wait(const struct sched_flush *f, size_t at, uint64_t begin_ns, uint64_t end_ns, uint32_t by,
			 bool open)
{
	const struct perf_event_header *header = (const void *)(f->out.buf + at);
	const struct recording_sample *s = (const void *)(header + 1);
	struct recording_span span;

	if (at >= f->out.len) {
		CHECK(!"a span is missing");
		return at;
	}
	memcpy(&span, &s->chain[s->chain_count], sizeof(span));
	CHECK(span.begin_ns == begin_ns && s->time_ns == end_ns && s->period == end_ns - begin_ns);
	CHECK(s->chain_count == 2 && RECORDING_LABEL_VALUE(s->chain[1]) == by);
	CHECK(!!(span.flags & RECORDING_OPEN) == open && span.flags & RECORDING_SINGLE && span.count == open);
	return at + header->size;
}

/* Other threads take turns while a thread waits: each turn is a span on its CPU. */
static void test_open_wait(void)
{
	static struct sched_cpu cpu = { .now = { 900, 5, 0 },
					.head = 3,
					.slices = { { 300, 5, 0 }, { 500, 6, 0 }, { 700, 7, 0 } } };
	static struct sched_thread threads[3] = {
		{ 0 }, { .since_ns = 400, .charged_ns = 400, .state = RECORDING_WOKEN, .pid = 2, .tid = 3 }
	};
	struct sched_control control = { .free_head = 1 };
	struct sched_program program = {
		.control = &control, .threads = threads, .cpus = &cpu, .thread_limit = 1, .cpu_limit = 1
	};
	struct sched_flush f = { .program = &program, .events = true };
	struct events events = { 0 };
	size_t at;

	f.event = sched_event(&events);
	sched_flush_rest(&f, 1000);
	at = check_wait(&f, 0, 900, 1000, 5, true);
	at = check_wait(&f, at, 700, 900, 7, false);
	at = check_wait(&f, at, 500, 700, 6, false);
	at = check_wait(&f, at, 400, 500, 5, false);
	CHECK(at == f.out.len && f.open_spans == 1 && f.waited_ns == 600);
	sched_flush_free(&f);
	events_free(&events);
}

/* A thread that sleeps through several epochs, in which no other event reports it: no time is lost. */
static void test_long_sleep(void)
{
	enum { MANY = 4096 }; /* so many that some threads are reported only in every few epochs */
	static struct sched_thread threads[MANY + 2];
	static struct sched_cpu cpu;
	struct sched_control control = { .free_head = MANY };
	struct sched_program program = {
		.control = &control, .threads = threads, .cpus = &cpu, .thread_limit = MANY, .cpu_limit = 1
	};
	struct sched_flush f = { .program = &program };
	const struct perf_event_header *header;
	struct events events = { 0 };
	uint64_t ns = 0;

	threads[1] = (struct sched_thread){
		.since_ns = 150, .charged_ns = 150, .state = RECORDING_SLEEPING, .pid = 2, .tid = 3
	};
	f.event = sched_event(&events);
	for (uint64_t epoch = 1; epoch <= 3; epoch++)
		sched_flush_epoch(&f, epoch & 1, epoch * 100, epoch * 100 + 100);
	program.epoch_ns = 400;
	sched_flush_rest(&f, 450);
	for (size_t at = 0; at < f.out.len; at += header->size) {
		header = (const void *)(f.out.buf + at);
		ns += ((const struct recording_sample *)(const void *)(header + 1))->period;
	}
	CHECK(ns == 450 - 150);
	sched_flush_free(&f);
	events_free(&events);
}

int main(void)
{
	test_long_sleep();
	test_open_wait();
	test_backwards();
	test_spills();
	test_sched_switch();
	test_priorities();
	test_affinities();
	test_isolated();
	test_detail();
	return check_done();
}
