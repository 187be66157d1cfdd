/* faults NAME SECONDS [FILE]: a service with one planted fault, whose guilty thread and function are known:
 *
 *     convoy      request-1..4 queue for a mutex, which each holds for long         price_order
 *     stall       cache-refresher holds it for 150 ms, twice a second               rebuild_index
 *     stolen      request-1 shares its CPU with the thread of another process       crunch_numbers
 *     disk        journal-writer waits for FILE to be on the disk, others for it    write_journal
 *     hot         request-1 spends nearly all of its time in one function           hash_password
 *     pinned      request-1 and request-2 may use one CPU only, the other is idle   price_order
 *     inversion   log-writer, which is not urgent, is kept from the CPU, and holds what request-1 wants
 *     waker       ticker wakes a thread as often as it can                          ring_bell
 *     sleep       request-1 sleeps in the middle of its work, while others wait     back_off
 *     idle        none: a pool without tasks, an event loop without events, a timer
 *     compute     none: request-1 and request-2 do nothing but work
 *
 * All other threads behave: they take orders, price them, and wait for the next one. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 8, MS = 1000000 };

/* Each stack has a function of its own at this place. */
#define FRAME __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static sem_t bell;
static uint64_t end_ns;
static const char *path;
static volatile uint64_t sink;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool is_over(void)
{
	return now_ns() >= end_ns;
}

static void sleep_ms(unsigned ms)
{
	nanosleep(&(struct timespec){ 0, (long)ms * MS }, NULL);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* So much of the thread's own time. */
#define WORK(ms)                                                                 \
	for (uint64_t until = cpu_ns() + (uint64_t)(ms)*MS; cpu_ns() < until;) { \
		for (int i = 0; i < 5000; i++)                                   \
			sink += (uint64_t)i;                                     \
	}

static void use_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("sched_setaffinity");
}

/* ---- what the threads do ------------------------------------------------------------ */

FRAME static void price_order(unsigned ms)
{
	WORK(ms);
}

FRAME static void with_the_book(void (*work)(unsigned), unsigned ms)
{
	pthread_mutex_lock(&book);
	work(ms);
	pthread_mutex_unlock(&book);
}

/* A well-behaved thread: 2 ms of work, of which a moment with the lock. */
FRAME static void take_order(void)
{
	with_the_book(price_order, 1);
	sleep_ms(20);
}

static void *take_orders(void *unused)
{
	while (!is_over())
		take_order();
	return unused;
}

static void *price_at_length(void *unused)
{
	while (!is_over())
		with_the_book(price_order, 30);
	return unused;
}

FRAME static void rebuild_index(unsigned ms)
{
	WORK(ms);
}

static void *refresh_cache(void *unused)
{
	while (!is_over()) {
		sleep_ms(350);
		with_the_book(rebuild_index, 150);
	}
	return unused;
}

static void *price_on_one_cpu(void *unused)
{
	use_cpu(0);
	while (!is_over()) {
		price_order(40);
		sleep_ms(5);
	}
	return unused;
}

FRAME static void crunch_numbers(void)
{
	WORK(300);
}

static void neighbour(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "batch-job");
	use_cpu(0);
	while (!is_over())
		crunch_numbers();
	_exit(0);
}

FRAME static void write_journal(unsigned mb)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	static char block[1 << 20];

	for (unsigned i = 0; fd >= 0 && i < mb; i++) {
		if (write(fd, block, sizeof(block)) < 0)
			perror(path);
	}
	if (fd < 0 || fsync(fd))
		perror(path);
	close(fd);
}

static void *write_journals(void *unused)
{
	while (!is_over()) {
		sleep_ms(50);
		with_the_book(write_journal, 64);
	}
	return unused;
}

FRAME static void hash_password(void)
{
	WORK(20);
}

static void *log_in(void *unused)
{
	while (!is_over()) {
		hash_password();
		price_order(1);
	}
	return unused;
}

static void set_nice(int nice)
{
	if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice))
		perror("setpriority");
}

FRAME static void flush_log(unsigned ms)
{
	WORK(ms);
}

/* A thread with low priority, on the CPU that others want. */
static void *write_log(void *unused)
{
	use_cpu(0);
	set_nice(10);
	while (!is_over()) {
		with_the_book(flush_log, 3);
		sleep_ms(30);
	}
	return unused;
}

FRAME static void draw_reports(void)
{
	WORK(200);
}

static void *report_all(void *unused)
{
	use_cpu(0);
	while (!is_over())
		draw_reports();
	return unused;
}

FRAME static void ring_bell(void)
{
	sem_post(&bell);
	for (int i = 0; i < 20000; i++) /* until it sleeps again */
		sink += (uint64_t)i;
}

static void *ring_bells(void *unused)
{
	while (!is_over())
		ring_bell();
	sem_post(&bell);
	return unused;
}

static void *hear_bells(void *unused)
{
	while (!is_over())
		sem_wait(&bell);
	return unused;
}

FRAME static void back_off(unsigned ms)
{
	sleep_ms(ms);
}

static void *retry(void *unused)
{
	while (!is_over()) {
		with_the_book(back_off, 100);
		price_order(2);
	}
	return unused;
}

static void *wait_for_tasks(void *unused)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t task = PTHREAD_COND_INITIALIZER;
	struct timespec t;

	while (!is_over()) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec++;
		pthread_mutex_lock(&lock);
		pthread_cond_timedwait(&task, &lock, &t);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *wait_for_events(void *unused)
{
	struct epoll_event event;
	int events = epoll_create1(EPOLL_CLOEXEC);

	while (!is_over())
		epoll_wait(events, &event, 1, 500);
	close(events);
	return unused;
}

static void *tick(void *unused)
{
	while (!is_over())
		sleep_ms(200);
	return unused;
}

static void *compute(void *unused)
{
	while (!is_over())
		price_order(10);
	return unused;
}

/* ---- faults -------------------------------------------------------------------------- */

struct job {
	const char *name;
	void *(*run)(void *);
};

struct fault {
	const char *name;
	struct job jobs[THREADS_MAX];
	void (*process)(void); /* of another process */
};

#define REQUESTS                                                    \
	{ "request-1", take_orders }, { "request-2", take_orders }, \
	{                                                           \
		"request-3", take_orders                            \
	}

static const struct fault faults[] = {
	{ "convoy",
	  { { "request-1", price_at_length },
	    { "request-2", price_at_length },
	    { "request-3", price_at_length },
	    { "request-4", price_at_length } },
	  NULL },
	{ "stall", { { "cache-refresher", refresh_cache }, REQUESTS }, NULL },
	{ "stolen", { { "request-1", price_on_one_cpu } }, neighbour },
	{ "disk", { { "journal-writer", write_journals }, REQUESTS }, NULL },
	{ "hot", { { "request-1", log_in }, { "request-2", take_orders } }, NULL },
	{ "pinned", { { "request-1", price_on_one_cpu }, { "request-2", price_on_one_cpu } }, NULL },
	{ "inversion",
	  { { "log-writer", write_log }, { "reporter", report_all }, { "request-1", take_orders } },
	  NULL },
	{ "idle",
	  { { "pool-1", wait_for_tasks },
	    { "pool-2", wait_for_tasks },
	    { "loop", wait_for_events },
	    { "timer", tick } },
	  NULL },
	{ "compute", { { "request-1", compute }, { "request-2", compute } }, NULL },
	{ "waker", { { "ticker", ring_bells }, { "listener", hear_bells } }, NULL },
	{ "sleep", { { "request-1", retry }, { "request-2", take_orders }, { "request-3", take_orders } }, NULL },
};

static void *begin(void *argument)
{
	const struct job *job = argument;

	pthread_setname_np(pthread_self(), job->name);
	return job->run(NULL);
}

static void run(const struct fault *f)
{
	pthread_t threads[THREADS_MAX];
	pid_t other = f->process ? fork() : -1;
	int count = 0;

	if (!other)
		f->process();
	for (; count < THREADS_MAX && f->jobs[count].name; count++)
		pthread_create(&threads[count], NULL, begin, (void *)&f->jobs[count]);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	if (other > 0)
		waitpid(other, NULL, 0);
}

int main(int argc, char **argv)
{
	end_ns = now_ns() + (uint64_t)(atof(argc > 2 ? argv[2] : "5") * 1e9);
	path = argc > 3 ? argv[3] : "/dev/null";
	sem_init(&bell, 0, 0);
	for (size_t i = 0; argc > 1 && i < sizeof(faults) / sizeof(*faults); i++) {
		if (!strcmp(faults[i].name, argv[1])) {
			run(&faults[i]);
			return 0;
		}
	}
	fprintf(stderr, "usage: faults NAME SECONDS [FILE]\n");
	return 2;
}
