/* The cost of creating and ending a thread, or a process, that inherits events as "collect cpu -p" opens them: two for
 * each CPU, one to sample and one for mappings.  Larger machines are simulated: this program runs on one CPU, and the
 * events of all other CPUs are opened on a second CPU, as many times as needed.  They are inherited but never run, as
 * on a machine with that many CPUs.
 *
 *     creation CPU OTHER_CPU
 *
 * prints, for each number of CPUs, the CPU time of one thread and of one process in us (the median of 9 turns), and the
 * ratio to the time without events; then the same for events of all processes on that CPU, which are not inherited. */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 9, EACH = 300, SETS_MAX = 512 };

static int fds[2 * SETS_MAX];
static int fd_count;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void open_one(uint64_t config, bool inherited, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.inherit = inherited,
		.exclude_kernel = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
	};

	if (config == PERF_COUNT_SW_DUMMY) {
		attr.mmap = attr.mmap2 = attr.comm = attr.task = 1;
	} else {
		attr.freq = 1;
		attr.sample_freq = 99;
	}
	fds[fd_count] = (int)syscall(SYS_perf_event_open, &attr, inherited ? 0 : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fds[fd_count++] < 0)
		die("perf_event_open");
}

static void open_sets(int sets, bool inherited, int cpu, int other)
{
	for (int i = 0; i < sets; i++) {
		int on = !i || !inherited ? cpu : other;

		if (i && !inherited) /* events of all processes: one set for each CPU, and the other CPUs' sets do not
				      * concern this CPU */
			return;
		open_one(PERF_COUNT_SW_CPU_CLOCK, inherited, on);
		open_one(PERF_COUNT_SW_DUMMY, inherited, on);
	}
}

static void close_sets(void)
{
	while (fd_count)
		close(fds[--fd_count]);
}

static double cpu_us(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
			children.ru_stime.tv_sec) *
		       1e6 +
	       (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
			children.ru_stime.tv_usec);
}

static void *nothing(void *unused)
{
	return unused;
}

static void make_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
		die("pthread_create");
}

static void make_process(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		die("fork");
}

static double measure(void (*make)(void))
{
	double begin = cpu_us();

	for (int i = 0; i < EACH; i++)
		make();
	return (cpu_us() - begin) / EACH;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct row {
	int sets;
	bool inherited;
	double thread[ROUNDS], process[ROUNDS];
};

static struct row rows[] = { { 0, true, { 0 }, { 0 } },   { 2, true, { 0 }, { 0 } },   { 16, true, { 0 }, { 0 } },
			     { 96, true, { 0 }, { 0 } },  { 256, true, { 0 }, { 0 } }, { 512, true, { 0 }, { 0 } },
			     { 256, false, { 0 }, { 0 } } };

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

int main(int argc, char **argv)
{
	struct rlimit limit = { 4096, 4096 };

	if (argc != 3) {
		fputs("usage: creation CPU OTHER_CPU\n", stderr);
		return 2;
	}
	setrlimit(RLIMIT_NOFILE, &limit);
	pin(atoi(argv[1]));
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < ROWS; i++) {
			open_sets(rows[i].sets, rows[i].inherited, atoi(argv[1]), atoi(argv[2]));
			rows[i].thread[round] = measure(make_thread);
			rows[i].process[round] = measure(make_process);
			close_sets();
		}
	}
	for (int i = 0; i < ROWS; i++) {
		qsort(rows[i].thread, ROUNDS, sizeof(double), compare);
		qsort(rows[i].process, ROUNDS, sizeof(double), compare);
	}
	printf("%-34s %10s %6s %10s %6s\n", "events", "thread, us", "times", "process", "times");
	for (int i = 0; i < ROWS; i++)
		printf("%-17s of %4d CPUs     %10.1f %6.2f %10.1f %6.2f\n",
		       rows[i].inherited ? "inherited," : "of all processes,", rows[i].sets, rows[i].thread[ROUNDS / 2],
		       rows[i].thread[ROUNDS / 2] / rows[0].thread[ROUNDS / 2], rows[i].process[ROUNDS / 2],
		       rows[i].process[ROUNDS / 2] / rows[0].process[ROUNDS / 2]);
	return 0;
}
