/* expense: what is counted, and how it is reported. */
#include "collect/run/expense.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/command.h"
#include "core/wallclock.h"

#include "tests/unit/check.h"

enum { WORK_NS = 30000000 };

static void work(void)
{
	uint64_t end = own_cpu_ns() + WORK_NS;

	while (own_cpu_ns() < end)
		;
}

#define S 1000000000ull
#define MS 1000000ull

static const struct targets none = { 0 };

static void test_words(void)
{
	static const struct row {
		struct expense expense;
		const char *says;
	} rows[] = {
		{ { .wall_ns = 0, .cpus = 2 }, "" },
		{ { .wall_ns = 10 * S, .cpus = 2, .took_ns = 160 * MS }, "0.80 % of the machine" },
		{ { .wall_ns = 10 * S,
		    .cpus = 2,
		    .took_ns = 100 * MS,
		    .bpf_ns = 50 * MS,
		    .samples_ns = 10 * MS,
		    .used_ns = 5060 * MS,
		    .targets = &none },
		  "0.80 % of the machine; the targets used 1.2 % more CPU time (estimated)" },
		{ { .wall_ns = 10 * S, .cpus = 1, .bpf_ns = 5 * S, .used_ns = 10 * S, .command = 1 },
		  "50 % of the machine; the targets used 100 % more CPU time (estimated)" },
		{ { .wall_ns = 10 * S, .cpus = 1, .samples_ns = S / 10, .used_ns = 5100 * MS },
		  "1.0 % of the machine; programs used 2.0 % more CPU time (estimated)" },
		{ { .wall_ns = 10 * S, .cpus = 1, .samples_ns = MS, .used_ns = 40 * MS }, "0.01 % of the machine" },
		{ { .wall_ns = 10 * S, .cpus = 1, .took_ns = S, .used_ns = 9 * S, .program_count = 3, .denied = true },
		  "10 % of the machine, without its BPF programs, whose time may only be counted with CAP_SYS_ADMIN" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		expense_say(&rows[i].expense, &out);
		CHECK_TEXT(str_text(&out), rows[i].says);
		str_free(&out);
	}
}

static void test_excess(void)
{
	struct expense e = { .wall_ns = 10 * S, .cpus = 2, .bpf_ns = S };
	struct str out = { 0 };

	expense_say_excess(&e, 0.06, &out);
	expense_say_excess(&e, 0, &out);
	CHECK(!out.len);
	expense_say_excess(&e, 0.03, &out);
	CHECK(!strncmp(str_text(&out), "BPF programs took 5.0 % of the CPUs' time, above the budget of 3.0 %", 68));
	str_free(&out);
}

static void test_section(void)
{
	struct expense e = { .wall_ns = 4, .cpus = 1, .took_ns = 2, .program_count = 1, .denied = true };
	struct str out = { 0 };

	expense_format(&e, &out);
	CHECK(!strstr(str_text(&out), "\nbpf "));
	str_clear(&out);
	e.denied = false;
	e.bpf_ns = 1;
	expense_format(&e, &out);
	CHECK_TEXT(str_text(&out), "wall 4\ncpus 1\nown 2\nsamples 0\nbpf 1\nsays 75 % of the machine\n");
	str_free(&out);
}

/* For the whole machine, our own time does not count as that of others.  For a process: what it used. */
static void test_counting(void)
{
	struct expense e = { 0 };
	struct tally tally = { 0 };
	struct targets self = { 0 };

	pids_add(&self.processes, getpid());
	expense_begin(&e, &self, 0);
	work();
	expense_turn(&e);
	expense_end(&e);
	work(); /* still ours, but not part of what it recorded */
	expense_look(&e, &tally, 0);
	CHECK(e.took_ns >= 2 * WORK_NS);
	CHECK(e.wall_ns >= WORK_NS);
	CHECK(e.used_ns >= WORK_NS / 3 && e.used_ns <= WORK_NS * 5 / 3); /* in ticks of 10 ms */
	CHECK(!e.samples_ns && !e.bpf_ns);
	tally.losses[LOSS_total_samples] = 100;
	tally.samples_of_spans = 90;
	expense_look(&e, &tally, 16384);
	CHECK(e.samples_ns > 10 * (1000 + 1638) && e.samples_ns < 10 * MS * 100);
	expense_begin(&e, NULL, 0);
	work();
	expense_look(&e, &tally, 0);
	CHECK(e.took_ns >= WORK_NS && e.used_ns <= e.wall_ns * e.cpus);
	expense_free(&e);
	CHECK(!e.programs && !e.stats);
	pids_free(&self.processes);
}

/* A command's time is not ours. */
static void test_command(void)
{
	static char *argv[] = { "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done", NULL };
	struct command c = { 0 };
	struct limits limits;
	struct rusage used;
	sigset_t mask;
	uint64_t own_ns;

	limits_raise(&limits);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	CHECK(!command_prepare(&c, argv, &mask, &limits));
	own_ns = own_cpu_ns();
	CHECK(!command_start(&c));
	while (!command_reap(&c))
		usleep(1000);
	own_ns = own_cpu_ns() - own_ns;
	CHECK(!getrusage(RUSAGE_CHILDREN, &used) && commands_cpu_ns() == rusage_cpu_ns(&used));
	CHECK(commands_cpu_ns() > WORK_NS / 3 && own_ns < commands_cpu_ns() / 2);
}

/* Work between two windows is counted in one of the two windows.  The pace is that of the time since the last look. */
static void test_windows(void)
{
	struct expense e = { 0 };
	struct tally tally = { 0 };
	uint64_t first_end;
	double first, own;

	expense_begin(&e, NULL, 0);
	work();
	expense_look(&e, &tally, 0);
	CHECK(e.took_ns >= WORK_NS && e.took_ns < 2 * WORK_NS);
	first_end = e.begin_ns + e.wall_ns;
	first = expense_share(&e);
	CHECK(first > 0.99 * WORK_NS / (double)e.wall_ns && first < 1.01);
	work(); /* completes the first window, begins the second */
	expense_begin(&e, NULL, 0);
	CHECK(e.begin_ns == first_end && !e.counted_ns);
	work();
	own = expense_pace(&e).own;
	CHECK(own > 0.01 && own < 1.01); /* only of a while: our CPU time is in whole microseconds */
	expense_look(&e, &tally, 0);
	CHECK(e.took_ns >= 2 * WORK_NS && e.took_ns < 3 * WORK_NS);
	CHECK(expense_wait_ns(&e, 123) == 123); /* no programs: nothing is due */
	e.program_count = 1;
	e.always = e.denied = false;
	e.next_ns = monotonic_ns() + S;
	CHECK(expense_wait_ns(&e, 2 * S) > S / 2 && expense_wait_ns(&e, 2 * S) <= S);
	e.program_count = 0;
	expense_free(&e);
}

int main(void)
{
	test_excess();
	test_windows();
	test_command();
	test_words();
	test_section();
	test_counting();
	return check_done();
}
