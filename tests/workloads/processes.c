/* processes HOW: begins and ends processes, and prints what it did: the truth, a line "PID WHAT" for each.
 *
 *     ends         exit statuses, signals, an exec that fails, CPU time (ns) and memory (bytes) as wait4(2) tells them
 *     burst N M    N processes that execute something which ends at once, M at a time; prints how many a second
 *     chain N M    M processes that execute themselves N times each, with long arguments; prints how many a second
 *     thread       a thread that is not the first one executes another program
 *     bytes        arguments of 2 MB, with bytes that hurt
 *     reuse        two processes with one pid, one after the other (clone3(2), set_tid: needs rights)
 *     wait         forks before it reads a line, and execs after that
 *     headless     its first thread ends; another one waits for a line
 *     argues       an exec that fails, with 300 arguments
 *     nothing      ends at once */
#include <errno.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char self[4096];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void burn(long ms)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static void fill(size_t bytes)
{
	char *memory = malloc(bytes);

	if (memory)
		memset(memory, 1, bytes);
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static void run_nothing(void)
{
	execl(self, "nothing", "nothing", (char *)NULL);
	_exit(127);
}

static void *burn_in_thread(void *ms)
{
	burn((long)ms);
	return NULL;
}

static void do_kind(const char *kind)
{
	pthread_t thread;

	if (!strcmp(kind, "exit7"))
		_exit(7);
	if (!strcmp(kind, "kill"))
		raise(SIGKILL);
	if (!strcmp(kind, "segv"))
		raise(SIGSEGV);
	if (!strcmp(kind, "cpu"))
		burn(300);
	if (!strcmp(kind, "memory"))
		fill(100 << 20);
	if (!strcmp(kind, "threads") && !pthread_create(&thread, NULL, burn_in_thread, (void *)200L))
		pthread_exit(NULL); /* the first thread ends before the other one */
	if (!strcmp(kind, "failing")) {
		execl("/nowhere/to be found", "ignored", "an argument", "", (char *)NULL);
		execl("/", "/", (char *)NULL);
		run_nothing();
	}
	exit(0);
}

/* Until then, the process may have been put off the CPU on its way to wait4(2). */
static void wait_until_parent_sleeps(void)
{
	char path[64], line[512] = "", *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", getppid());
	do {
		FILE *f = fopen(path, "r");

		if (!f || !fgets(line, sizeof(line), f))
			fail(path);
		fclose(f);
		end = strrchr(line, ')');
	} while (end && end[1] == ' ' && end[2] != 'S');
}

static void ends(void)
{
	static const char *const kinds[] = { "exit0", "exit7", "kill", "segv", "cpu", "memory", "threads", "failing" };
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct rusage usage;
		pid_t pid = fork();
		int status;

		if (!pid) {
			wait_until_parent_sleeps();
			do_kind(kinds[i]);
		}
		if (wait4(pid, &status, 0, &usage) != pid)
			fail("wait4");
		printf("%d %s %d %" PRIu64 " %" PRIu64 "\n", pid, kinds[i], status,
		       ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000000000 +
			       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000,
		       (uint64_t)usage.ru_maxrss * 1024);
		fflush(stdout);
	}
}

static void burst(long count, long at_once)
{
	char *arguments[] = { (char *)"nothing", (char *)"nothing", NULL };
	struct timespec begin, end;
	long running = 0;
	double s;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < count; i++) {
		if (posix_spawn(&pid, self, NULL, NULL, arguments, environ))
			fail("posix_spawn");
		if (++running >= at_once && wait(NULL) > 0)
			running--;
	}
	while (wait(NULL) > 0)
		;
	clock_gettime(CLOCK_MONOTONIC, &end);
	s = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%ld processes, %.0f a second\n", count, (double)count / s);
}

static void chain_on(long left)
{
	char number[24], filler[768] = "";

	if (!left)
		exit(0);
	snprintf(number, sizeof(number), "%ld", left - 1);
	memset(filler, 'x', sizeof(filler) - 1);
	execl("/proc/self/exe", "processes", "chained", number, filler, (char *)NULL);
	fail("execl");
}

static void chain(long count, long processes)
{
	struct timespec begin, end;
	double s;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < processes; i++) {
		if (!fork())
			chain_on(count);
	}
	while (wait(NULL) > 0)
		;
	clock_gettime(CLOCK_MONOTONIC, &end);
	s = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%ld execs, %.0f a second\n", count * processes, (double)(count * processes) / s);
}

static void *exec_in_thread(void *none)
{
	(void)none;
	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	fflush(stdout);
	execl(self, "in-thread", "nothing", (char *)NULL);
	return NULL;
}

static void thread(void)
{
	pthread_t id;

	pthread_create(&id, NULL, exec_in_thread, NULL);
	pause();
}

static void bytes(void)
{
	enum { COUNT = 32, LEN = 64 << 10 };
	static const char hurts[] = "\x1b[31m;<b>&\"'\n\t\r\\ \xff\xfe\xe2\x80\xae 42";
	char *arguments[COUNT + 3] = { (char *)"nothing", (char *)"nothing" };
	struct rlimit stack = { 64 << 20, 64 << 20 };

	setrlimit(RLIMIT_STACK, &stack);
	for (int i = 0; i < COUNT; i++) {
		arguments[2 + i] = malloc(LEN + 1);
		for (size_t k = 0; k < LEN; k++)
			arguments[2 + i][k] = hurts[k % (sizeof(hurts) - 1)];
		arguments[2 + i][LEN] = '\0';
	}
	printf("%d\n", getpid());
	fflush(stdout);
	execv(self, arguments);
	fail("execv");
}

static void reuse(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		pid_t wanted[] = { pid };
		struct clone_args args = { .exit_signal = SIGCHLD, .set_tid = (uintptr_t)wanted, .set_tid_size = 1 };
		pid_t child = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

		if (child < 0)
			fail("clone3");
		if (!child)
			_exit(4 + i);
		waitpid(child, NULL, 0);
		printf("%d\n", child);
	}
}

static void wait_for_line(void)
{
	pid_t pid = fork();
	char line[16];

	if (!pid) {
		pause();
		_exit(0);
	}
	printf("%d %d\n", getpid(), pid);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		fail("fgets");
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	run_nothing();
}

static void *wait_without_first(void *first)
{
	char line[16];

	pthread_join(*(pthread_t *)first, NULL);
	printf("%d\n", getpid());
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		fail("fgets");
	exit(0);
}

static void headless(void)
{
	static pthread_t first, other;

	first = pthread_self();
	if (pthread_create(&other, NULL, wait_without_first, &first))
		fail("pthread_create");
	pthread_exit(NULL);
}

static void argue(void)
{
	enum { COUNT = 300 };
	char *arguments[COUNT + 1] = { 0 };

	for (int i = 0; i < COUNT; i++)
		arguments[i] = self;
	for (int i = 1; i < COUNT; i++)
		arguments[i] = strrchr(self, '\0') - 1; /* one letter each */
	execv("/nowhere", arguments);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "nothing"))
		return 0;
	if (!strcmp(how, "chained") && argc == 4)
		chain_on(atol(argv[2]));
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		fail("/proc/self/exe");
	if (!strcmp(how, "ends"))
		ends();
	else if (!strcmp(how, "burst") && argc == 4)
		burst(atol(argv[2]), atol(argv[3]));
	else if (!strcmp(how, "chain") && argc == 4)
		chain(atol(argv[2]), atol(argv[3]));
	else if (!strcmp(how, "thread"))
		thread();
	else if (!strcmp(how, "bytes"))
		bytes();
	else if (!strcmp(how, "reuse"))
		reuse();
	else if (!strcmp(how, "wait"))
		wait_for_line();
	else if (!strcmp(how, "headless"))
		headless();
	else if (!strcmp(how, "argues"))
		argue();
	else
		return 2;
	return 0;
}
