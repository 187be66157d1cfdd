/* Threads that are blocked for known reasons and times.
 *
 *     blocks nap COUNT MS        sleeps; prints the ns that it took, and of which it ran,
 *                                and how often it was switched away before and after
 *     blocks pair COUNT MS       thread "waiter" waits for main, which comes every MS
 *     blocks chain COUNT MS      "first" waits for "second", which waits for "third"
 *     blocks read FILE COUNT     reads past the page cache
 *     blocks touch FILE          touches the pages of a file that is not in memory
 *     blocks hold MS             thread "holder" waits for what never comes; "done"; with
 *                                0 ms, until stdin ends
 *     blocks spin MS             runs all the time, twice, on one CPU; prints "waited NS
 *                                earlier NS", the times that the first one waited for it,
 *                                and before it began to run all the time
 *     blocks yield MS            the same, and each calls sched_yield(2) all the time
 *
 * Prints "tid NAME TID" for each thread first. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/futex.h>
#include <time.h>
#include <unistd.h>

static int count, ms;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void say_tid(const char *name)
{
	printf("tid %s %ld\n", name, syscall(SYS_gettid));
	fflush(stdout);
}

__attribute__((noinline)) void take_a_nap(int naps_ms)
{
	struct timespec t = { naps_ms / 1000, naps_ms % 1000 * 1000000l };

	while (nanosleep(&t, &t))
		;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static int nap(void)
{
	long before = switches();
	uint64_t start = now_ns(CLOCK_MONOTONIC), ran = now_ns(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < count; i++)
		take_a_nap(ms);
	printf("took %llu ran %llu\n", (unsigned long long)(now_ns(CLOCK_MONOTONIC) - start),
	       (unsigned long long)(now_ns(CLOCK_THREAD_CPUTIME_ID) - ran));
	printf("switched %ld %ld\n", before, switches());
	return 0;
}

/* syscall(3) has no frame, so its caller, this function, is missing from stacks. */
__attribute__((noinline)) static void futex(volatile uint32_t *word, int what, uint32_t value)
{
	syscall(SYS_futex, word, what, value, NULL, NULL, 0);
}

/* A word that counts how often it was signalled. */
__attribute__((noinline)) void wait_for_word(volatile uint32_t *word, uint32_t old)
{
	while (*word == old)
		futex(word, FUTEX_WAIT, old);
}

__attribute__((noinline)) void signal_word(volatile uint32_t *word)
{
	(*word)++;
	futex(word, FUTEX_WAKE, 1);
}

static volatile uint32_t words[3];

static void *waiter(void *arg)
{
	say_tid("waiter");
	for (int i = 0; i < count; i++)
		wait_for_word(&words[0], (uint32_t)i);
	return arg;
}

/* Is the thread in futex(2)?  Before that, it cannot be woken.  tid may be 0. */
static int is_waiting(long tid)
{
	char path[64], text[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/syscall", tid);
	f = fopen(path, "r");
	if (!f || !fgets(text, sizeof(text), f))
		text[0] = '\0';
	if (f)
		fclose(f);
	return atoi(text) == SYS_futex && text[0] != 'r';
}

static volatile long other_tid, second_tid;

static void *waiter_known(void *arg)
{
	other_tid = syscall(SYS_gettid);
	return waiter(arg);
}

static int pair(void)
{
	pthread_t thread;

	say_tid("main");
	pthread_create(&thread, NULL, waiter_known, NULL);
	for (int i = 0; i < count; i++) {
		do
			take_a_nap(ms);
		while (!is_waiting(other_tid));
		signal_word(&words[0]);
	}
	pthread_join(thread, NULL);
	return 0;
}

static void *second(void *arg)
{
	second_tid = syscall(SYS_gettid);
	say_tid("second");
	for (int i = 0; i < count; i++) {
		wait_for_word(&words[1], (uint32_t)i);
		signal_word(&words[0]);
	}
	return arg;
}

static int chain(void)
{
	pthread_t a, b;

	say_tid("third");
	pthread_create(&a, NULL, waiter_known, NULL);
	pthread_create(&b, NULL, second, NULL);
	for (int i = 0; i < count; i++) {
		do
			take_a_nap(ms);
		while (!is_waiting(other_tid) || !is_waiting(second_tid));
		signal_word(&words[1]);
	}
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return 0;
}

__attribute__((noinline)) void read_a_block(int fd, void *block, off_t at)
{
	if (pread(fd, block, 4096, at) != 4096)
		exit(3);
}

static int read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECT);
	struct stat st;
	void *block;

	if (fd < 0 || fstat(fd, &st) || posix_memalign(&block, 4096, 4096))
		return 3;
	for (int i = 0; i < count; i++)
		read_a_block(fd, block, (off_t)(i * 7919ll % (st.st_size / 4096) * 4096));
	return 0;
}

__attribute__((noinline)) int touch_pages(const volatile char *bytes, size_t size)
{
	int sum = 0;

	for (size_t i = 0; i < size; i += 64 * 4096)
		sum += bytes[i];
	return sum;
}

static int touch(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	char *bytes;

	if (fd < 0 || fstat(fd, &st) || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		return 3;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED || madvise(bytes, (size_t)st.st_size, MADV_RANDOM))
		return 3;
	return touch_pages(bytes, (size_t)st.st_size) == -1;
}

__attribute__((noinline)) void hold_on(int fd)
{
	char c;

	if (read(fd, &c, 1) < 0)
		exit(3);
}

static void *holder(void *fd)
{
	say_tid("holder");
	hold_on(*(int *)fd);
	return fd;
}

static int hold(void)
{
	pthread_t thread;
	int fds[2];

	if (pipe(fds))
		return 3;
	pthread_create(&thread, NULL, holder, &fds[0]);
	if (ms)
		take_a_nap(ms);
	else
		hold_on(0);
	puts("done");
	fflush(stdout);
	close(fds[1]);
	pthread_join(thread, NULL);
	return 0;
}

/* The kernel's count in /proc/PID/schedstat: ns that the thread ran, and that it waited. */
static unsigned long long waited_ns(void)
{
	unsigned long long ns = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (!f || fscanf(f, "%*u %llu", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns;
}

static int spin(int yields)
{
	unsigned long long before;
	uint64_t end = now_ns(CLOCK_MONOTONIC) + (uint64_t)ms * 1000000u;
	cpu_set_t one;
	pid_t child;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	child = fork();
	say_tid(child ? "parent" : "child");
	before = waited_ns(); /* from here on, it is only put off the CPU */
	while (now_ns(CLOCK_MONOTONIC) < end) {
		if (yields)
			sched_yield();
	}
	if (!child)
		_exit(0);
	printf("waited %llu earlier %llu\n", waited_ns() - before, before);
	waitpid(child, NULL, 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	count = argc > 2 ? atoi(argv[2]) : 1;
	ms = argc > 3 ? atoi(argv[3]) : count;
	if (!strcmp(what, "read") || !strcmp(what, "touch"))
		count = argc > 3 ? atoi(argv[3]) : 1;
	if (!strcmp(what, "nap")) {
		say_tid("main");
		return nap();
	}
	if (!strcmp(what, "pair"))
		return pair();
	if (!strcmp(what, "chain"))
		return chain();
	if (!strcmp(what, "read"))
		return read_file(argv[2]);
	if (!strcmp(what, "touch"))
		return touch(argv[2]);
	if (!strcmp(what, "hold"))
		return hold();
	if (!strcmp(what, "yield"))
		return spin(1);
	return strcmp(what, "spin") ? 2 : spin(0);
}
