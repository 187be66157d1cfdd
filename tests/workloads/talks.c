/* Threads that wait very often, and count how often (getrusage(2)): what a recording with a budget must not lose.
 *
 *     talks talk TRIPS        "asks" and "answers" pass a byte TRIPS times; "leaves" and its partner do a third of it, and end
 *                             while the first two go on; "naps" sleeps 30 ms again and again, in nap_long(), until all is over
 *     talks naps THREADS N    so many threads sleep 1.5 ms N times, in nap_often()
 *     talks long THREADS N    "asks" and "answers" pass bytes while so many threads sleep 10 to 29 ms N times, in nap_long()
 *
 * prints, for each thread as it ends: its name, tid, how often it waited, and how many ns its naps took. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

struct talk {
	const char *name;
	int from, to;
	long trips;
	int begins;
};

static volatile int over;
static long naps;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void begin_as(const char *name)
{
	prctl(PR_SET_NAME, name);
}

static void end_as(const char *name, long long napped_ns)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	printf("%s %d %ld %lld\n", name, gettid(), used.ru_nvcsw, napped_ns);
	fflush(stdout);
}

__attribute__((noinline)) void pass_bytes(struct talk *t)
{
	char byte = 'x';

	for (long i = 0; i < t->trips; i++) {
		if (t->begins && write(t->to, &byte, 1) != 1)
			break;
		if (read(t->from, &byte, 1) != 1)
			break;
		if (!t->begins && write(t->to, &byte, 1) != 1)
			break;
	}
}

static void *talk(void *argument)
{
	struct talk *t = argument;

	begin_as(t->name);
	pass_bytes(t);
	end_as(t->name, 0);
	return NULL;
}

__attribute__((noinline)) void nap_long(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void *nap(void *unused)
{
	begin_as("naps");
	while (!over)
		nap_long(30);
	end_as("naps", 0);
	return unused;
}

static void *nap_times(void *number)
{
	begin_as("naps");
	for (long i = 0; i < naps; i++)
		nap_long(10 + (i + (long)number) % 20);
	end_as("naps", 0);
	return NULL;
}

__attribute__((noinline)) void nap_often(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1500000 }, NULL);
}

static void *nap_many(void *unused)
{
	long long ns = 0;

	begin_as("often");
	for (long i = 0; i < naps; i++) {
		long long begin = now_ns();

		nap_often();
		ns += now_ns() - begin;
	}
	end_as("often", ns);
	return unused;
}

static void naps_beside_talk(int count)
{
	int a[2];
	pthread_t talkers[2], threads[MAX_THREADS];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, a))
		exit(1);
	struct talk all[] = { { "asks", a[0], a[0], 1 << 30, 1 }, { "answers", a[1], a[1], 1 << 30, 0 } };

	for (int i = 0; i < 2; i++)
		pthread_create(&talkers[i], NULL, talk, &all[i]);
	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, nap_times, (void *)i);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	shutdown(a[0], SHUT_RDWR);
	for (int i = 0; i < 2; i++)
		pthread_join(talkers[i], NULL);
}

static void talks(long trips)
{
	int a[2], b[2];
	pthread_t threads[4], napper;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, a) || socketpair(AF_UNIX, SOCK_STREAM, 0, b))
		exit(1);
	struct talk all[] = { { "asks", a[0], a[0], trips, 1 },
			      { "answers", a[1], a[1], trips, 0 },
			      { "leaves", b[0], b[0], trips / 3, 1 },
			      { "partner", b[1], b[1], trips / 3, 0 } };

	pthread_create(&napper, NULL, nap, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, talk, &all[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	over = 1;
	pthread_join(napper, NULL);
}

int main(int argc, char **argv)
{
	pthread_t threads[MAX_THREADS];
	int count = argc > 3 ? atoi(argv[2]) : 0;

	if (argc == 3 && !strcmp(argv[1], "talk")) {
		talks(atol(argv[2]));
		return 0;
	}
	if (count < 1 || count > MAX_THREADS || (strcmp(argv[1], "naps") != 0 && strcmp(argv[1], "long") != 0))
		return 2;
	naps = atol(argv[3]);
	if (!strcmp(argv[1], "long")) {
		signal(SIGPIPE, SIG_IGN);
		naps_beside_talk(count);
		return 0;
	}
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, nap_many, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
