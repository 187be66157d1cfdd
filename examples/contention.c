/* contention: threads that want a CPU and do not get it, and threads that wait for
 * something else.  All of them but the workers are pinned to one CPU.
 *
 *     matcher      always has something to do, and gets half of its CPU
 *     reporter     takes the other half, a quarter of a second at a time
 *     journal      writes to the disk and waits for it
 *     dispatcher   wakes the workers, one after the other
 *     worker-1..3  wait for the dispatcher
 *
 * Usage: contention [SECONDS] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3, BLOCK = 64 << 10 };

/* The caller stays in the chain of frame pointers. */
#define KEEP_FRAME __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int orders;
static atomic_bool over;
static cpu_set_t one_cpu;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void spin(double seconds)
{
	for (double end = now() + seconds; now() < end && !over;)
		;
}

static void rest(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static void begin(const char *name)
{
	pthread_setname_np(pthread_self(), name);
	pthread_setaffinity_np(pthread_self(), sizeof(one_cpu), &one_cpu);
}

KEEP_FRAME static void match_orders(void)
{
	spin(1);
}

static void *matcher(void *unused)
{
	begin("matcher");
	while (!over)
		match_orders();
	return unused;
}

KEEP_FRAME static void make_report(void)
{
	spin(0.25);
}

static void *reporter(void *unused)
{
	begin("reporter");
	while (!over)
		make_report();
	return unused;
}

KEEP_FRAME static void write_block(int fd)
{
	static char block[BLOCK];

	if (pwrite(fd, block, sizeof(block), 0) < 0 || fdatasync(fd))
		exit(1);
}

static void *journal(void *unused)
{
	int fd = open("contention.journal", O_RDWR | O_CREAT | O_TRUNC, 0600);

	begin("journal");
	while (fd >= 0 && !over)
		write_block(fd);
	close(fd);
	unlink("contention.journal");
	return unused;
}

KEEP_FRAME static void hand_out_order(void)
{
	pthread_mutex_lock(&lock);
	orders++;
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&lock);
}

static void *dispatcher(void *unused)
{
	pthread_setname_np(pthread_self(), "dispatcher");
	while (!over) {
		rest(5);
		hand_out_order();
	}
	return unused;
}

KEEP_FRAME static void take_order(void)
{
	pthread_mutex_lock(&lock);
	while (!orders && !over)
		pthread_cond_wait(&work, &lock);
	orders -= orders > 0;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *number)
{
	char name[16];

	snprintf(name, sizeof(name), "worker-%d", *(int *)number);
	pthread_setname_np(pthread_self(), name);
	while (!over) {
		take_order();
		spin(0.001);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static void *(*const roles[])(void *) = { matcher, reporter, journal, dispatcher };
	enum { ROLES = sizeof(roles) / sizeof(*roles) };
	pthread_t threads[ROLES + WORKERS];
	int numbers[WORKERS];
	double end = now() + (argc > 1 ? atof(argv[1]) : 5);

	CPU_SET(0, &one_cpu);
	for (int i = 0; i < ROLES; i++)
		pthread_create(&threads[i], NULL, roles[i], NULL);
	for (int i = 0; i < WORKERS; i++) {
		numbers[i] = i + 1;
		pthread_create(&threads[ROLES + i], NULL, worker, &numbers[i]);
	}
	while (now() < end)
		rest(20);
	over = true;
	pthread_mutex_lock(&lock);
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < ROLES + WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
