/* requests: threads that answer requests, between begin_request() and end_request(), and work between them, too.
 *
 *     requests plain THREADS COUNT    each thread answers COUNT requests; every tenth is slow
 *     requests recursive COUNT        handle() calls itself twice
 *     requests forgets COUNT          every fourth request has no end, but the last one
 *     requests ends THREADS           threads that end inside a request
 *     requests executes               a process that executes another program inside a request
 *     requests hands COUNT            one thread begins a request, another one ends it
 *     requests hangs                  a request that does not end
 *     requests tight                  requests one after the other, without work, until it is killed
 *
 * At the end, it prints what it did: "requests N slow N inside_ns N inside_cpu_ns N outside_cpu_ns N slow_ns N". */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SLOW = 10 };

static atomic_uint_fast64_t requests, slow, inside_ns, inside_cpu_ns, outside_cpu_ns, slow_ns;
static volatile uint64_t sink;
static int count;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void spin(uint64_t ns)
{
	uint64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until) {
		for (int i = 0; i < 1000; i++)
			sink += (uint64_t)i;
	}
}

/* A USDT probe without arguments: a nop, and a note on where it is
 * (https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation). */
#define PROBE(name)                                                     \
	__asm__ volatile("990: nop\n"                                   \
			 ".pushsection .note.stapsdt, \"\", \"note\"\n" \
			 ".balign 4\n"                                  \
			 ".4byte 992f - 991f, 994f - 993f, 3\n"         \
			 "991: .asciz \"stapsdt\"\n"                    \
			 "992: .balign 4\n"                             \
			 "993: .8byte 990b, 0, 0\n"                     \
			 ".asciz \"requests\", \"" name "\", \"\"\n"    \
			 "994: .balign 4\n"                             \
			 ".popsection\n" ::                             \
				 : "memory")

__attribute__((noinline)) static void begin_request(void)
{
	PROBE("begin");
}

__attribute__((noinline)) static void end_request(void)
{
	PROBE("end");
}

__attribute__((noinline)) static void parse(void)
{
	spin(2 * MS);
	__asm__ volatile("");
}

__attribute__((noinline)) static void sort_everything(void)
{
	spin(8 * MS);
	__asm__ volatile("");
}

__attribute__((noinline)) static void wait_for_answer(void)
{
	usleep(3000);
	__asm__ volatile("");
}

__attribute__((noinline)) static void wait_for_lock(void)
{
	usleep(10000);
	__asm__ volatile("");
}

__attribute__((noinline)) static void keep_house(void)
{
	spin(4 * MS);
	__asm__ volatile("");
}

__attribute__((noinline)) static void rest(void)
{
	usleep(4000);
	__asm__ volatile("");
}

__attribute__((noinline)) static void answer(int number)
{
	uint64_t begin_ns, cpu_ns, ns;
	int is_slow = number % SLOW == SLOW - 1;

	begin_request();
	begin_ns = now_ns(CLOCK_MONOTONIC);
	cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	parse();
	wait_for_answer();
	if (is_slow) {
		sort_everything();
		wait_for_lock();
	}
	ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
	cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	end_request();
	atomic_fetch_add(&requests, 1);
	atomic_fetch_add(&inside_ns, ns);
	atomic_fetch_add(&inside_cpu_ns, cpu_ns);
	if (!is_slow)
		return;
	atomic_fetch_add(&slow, 1);
	atomic_fetch_add(&slow_ns, ns);
}

static void *serve(void *unused)
{
	prctl(PR_SET_NAME, "server");
	for (int i = 0; i < count; i++) {
		uint64_t cpu_ns;

		answer(i);
		cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		keep_house();
		atomic_fetch_add(&outside_cpu_ns, now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
		rest();
	}
	return unused;
}

/* ---- other ways ---- */

__attribute__((noinline)) static int handle(int depth)
{
	spin(MS);
	return depth ? handle(depth - 1) + 1 : 0;
}

static void recurse(void)
{
	for (int i = 0; i < count; i++) {
		sink += (uint64_t)handle(2);
		rest();
		atomic_fetch_add(&requests, 1);
	}
}

static void forget(void)
{
	for (int i = 0; i < count; i++) {
		begin_request();
		usleep(2000);
		if (i % 4 == 3 && i < count - 1)
			continue;
		end_request();
		atomic_fetch_add(&requests, 1);
	}
}

static void *end_inside(void *unused)
{
	begin_request();
	usleep(20000);
	atomic_fetch_add(&requests, 1);
	return unused;
}

static int turns[2][2]; /* pipes */

static void *end_for_other(void *unused)
{
	char byte;

	while (read(turns[0][0], &byte, 1) == 1) {
		usleep(5000);
		end_request();
		if (write(turns[1][1], "x", 1) != 1)
			break;
	}
	return unused;
}

static void hand_over(void)
{
	pthread_t other;
	char byte;

	if (pipe(turns[0]) || pipe(turns[1]) || pthread_create(&other, NULL, end_for_other, NULL))
		return;
	for (int i = 0; i < count; i++) {
		begin_request();
		if (write(turns[0][1], "x", 1) != 1 || read(turns[1][0], &byte, 1) != 1)
			return;
		usleep(2000);
		atomic_fetch_add(&requests, 1);
	}
	close(turns[0][1]);
	pthread_join(other, NULL);
}

static int run_threads(int threads, void *(*body)(void *))
{
	pthread_t *all = calloc((size_t)threads, sizeof(*all));

	for (int i = 0; i < threads; i++) {
		if (pthread_create(&all[i], NULL, body, NULL))
			return perror("requests"), 1;
	}
	for (int i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	free(all);
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 1;

	count = argc > 3 ? atoi(argv[3]) : number;
	if (!strcmp(way, "plain")) {
		if (run_threads(number, serve))
			return 1;
	} else if (!strcmp(way, "recursive")) {
		recurse();
	} else if (!strcmp(way, "forgets")) {
		forget();
	} else if (!strcmp(way, "ends")) {
		if (run_threads(number, end_inside))
			return 1;
	} else if (!strcmp(way, "hands")) {
		hand_over();
	} else if (!strcmp(way, "executes")) {
		begin_request();
		usleep(20000);
		execlp("true", "true", (char *)NULL);
	} else if (!strcmp(way, "hangs")) {
		begin_request();
		puts("hangs");
		fflush(stdout);
		pause();
	} else if (!strcmp(way, "tight")) {
		puts("tight");
		fflush(stdout);
		for (;;) {
			begin_request();
			end_request();
		}
	} else {
		return fprintf(stderr,
			       "usage: requests plain|recursive|forgets|ends|executes|hands|hangs|tight [N [COUNT]]\n"),
		       2;
	}
	printf("requests %llu slow %llu inside_ns %llu inside_cpu_ns %llu outside_cpu_ns %llu slow_ns %llu\n",
	       (unsigned long long)requests, (unsigned long long)slow, (unsigned long long)inside_ns,
	       (unsigned long long)inside_cpu_ns, (unsigned long long)outside_cpu_ns, (unsigned long long)slow_ns);
	return 0;
}
