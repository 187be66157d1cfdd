/* states: threads whose scheduler states are known, because they report them themselves.
 *
 *     states spin SECONDS CPU      two threads that want the same CPU all the time
 *     states starve SECONDS CPU    one that is urgent and one that is not, both want that
 *                                  CPU; others that come there often, for a moment
 *     states mixed SECONDS FILE    a sleeper, a blocked one, a reader past the page cache,
 *                                  one that ends early, one that changes CPUs
 *     states stopped SECONDS       a process that is stopped, one that is traced
 *     states short COUNT           threads that end at once, one after the other
 *     states many COUNT            threads that sleep until stdin ends
 *     states restless COUNT        ... 20 ms at a time
 *     states growing COUNT         ... a new one each 0.1 ms
 *     states replaced SECONDS      a thread that is not the first one sleeps, and then executes sleep(1)
 *
 * At the end a line for each thread of known truth: "name tid lived_ns cpu_ns count",
 * where count is of reads, sleeps or moves. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct job {
	const char *name;
	void (*run)(struct job *job);
	uint64_t until_ns; /* CLOCK_MONOTONIC */
	const char *file;
	int cpu; /* -1: any */
	int nice;
	pid_t tid;
	uint64_t lived_ns, cpu_ns, count;
	pthread_t thread;
};

static volatile uint64_t sink;
static sem_t never;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	nanosleep(&t, NULL);
}

static void use_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("sched_setaffinity");
}

static void spin_until(uint64_t ns)
{
	while (now_ns() < ns) {
		for (int i = 0; i < 10000; i++)
			sink += (uint64_t)i;
	}
}

static void spin(struct job *job)
{
	spin_until(job->until_ns);
}

static void doze(struct job *job)
{
	for (; now_ns() < job->until_ns; job->count++)
		sleep_ns(5000000);
}

static void wait_all_the_time(struct job *job)
{
	struct timespec at = { (time_t)(job->until_ns / 1000000000), (long)(job->until_ns % 1000000000) };

	sem_clockwait(&never, CLOCK_MONOTONIC, &at);
}

static void read_directly(struct job *job)
{
	int fd = open(job->file, O_RDONLY | O_DIRECT);
	void *page = aligned_alloc(4096, 65536);
	off_t at = 0;

	if (fd < 0) {
		perror(job->file);
		return;
	}
	for (; now_ns() < job->until_ns; job->count++) {
		if (pread(fd, page, 65536, at) <= 0)
			at = -65536;
		at += 65536;
	}
	close(fd);
	free(page);
}

static void end_early(struct job *job)
{
	spin_until(now_ns() + 20000000);
	(void)job;
}

/* Each turn is on the other CPU, if there are two. */
static void change_cpus(struct job *job)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (int cpu = 0; now_ns() < job->until_ns; cpu = (cpu + 1) % 2) {
		use_cpu(cpus > 1 ? cpu : 0);
		job->count++;
		spin_until(now_ns() + 1000000);
		sleep_ns(10000000);
	}
}

static void *run(void *argument)
{
	struct job *job = argument;
	uint64_t start_ns = now_ns();

	job->tid = (pid_t)syscall(SYS_gettid);
	pthread_setname_np(pthread_self(), job->name);
	if (job->cpu >= 0)
		use_cpu(job->cpu);
	if (job->nice && setpriority(PRIO_PROCESS, (id_t)job->tid, job->nice))
		perror("setpriority");
	job->run(job);
	job->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	job->lived_ns = now_ns() - start_ns;
	return NULL;
}

static void run_jobs(struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pthread_create(&jobs[i].thread, NULL, run, &jobs[i]);
	for (size_t i = 0; i < count; i++) {
		pthread_join(jobs[i].thread, NULL);
		printf("%s %d %llu %llu %llu\n", jobs[i].name, (int)jobs[i].tid, (unsigned long long)jobs[i].lived_ns,
		       (unsigned long long)jobs[i].cpu_ns, (unsigned long long)jobs[i].count);
	}
}

static void spinners(uint64_t until_ns, int cpu)
{
	struct job jobs[] = {
		{ .name = "spin-a", .run = spin, .until_ns = until_ns, .cpu = cpu },
		{ .name = "spin-b", .run = spin, .until_ns = until_ns, .cpu = cpu },
	};

	run_jobs(jobs, 2);
}

static void come_often(struct job *job)
{
	for (; now_ns() < job->until_ns; job->count++)
		sleep_ns(200000);
}

static void starve(uint64_t until_ns, int cpu)
{
	struct job jobs[] = {
		{ .name = "bully", .run = spin, .until_ns = until_ns, .cpu = cpu, .nice = -15 },
		{ .name = "victim", .run = spin, .until_ns = until_ns, .cpu = cpu, .nice = 15 },
		{ .name = "fly-a", .run = come_often, .until_ns = until_ns, .cpu = cpu, .nice = -20 },
		{ .name = "fly-b", .run = come_often, .until_ns = until_ns, .cpu = cpu, .nice = -20 },
	};

	run_jobs(jobs, sizeof(jobs) / sizeof(*jobs));
}

static void mixed(uint64_t until_ns, const char *file)
{
	struct job jobs[] = {
		{ .name = "sleeper", .run = doze, .until_ns = until_ns, .cpu = -1 },
		{ .name = "waiter", .run = wait_all_the_time, .until_ns = until_ns, .cpu = -1 },
		{ .name = "reader", .run = read_directly, .until_ns = until_ns, .file = file, .cpu = -1 },
		{ .name = "early", .run = end_early, .cpu = -1 },
		{ .name = "migrant", .run = change_cpus, .until_ns = until_ns, .cpu = -1 },
	};

	run_jobs(jobs, sizeof(jobs) / sizeof(*jobs));
}

static void named_child(const char *name, int traced)
{
	pthread_setname_np(pthread_self(), name);
	if (traced)
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	_exit(0);
}

static void stop_and_trace(uint64_t ns)
{
	pid_t stopped, traced;
	uint64_t start_ns;

	if (!(stopped = fork()))
		named_child("stopped", 0);
	if (!(traced = fork()))
		named_child("traced", 1);
	waitpid(stopped, NULL, WUNTRACED);
	waitpid(traced, NULL, WUNTRACED);
	start_ns = now_ns();
	sleep_ns(ns);
	ns = now_ns() - start_ns;
	kill(stopped, SIGCONT);
	ptrace(PTRACE_CONT, traced, NULL, NULL);
	waitpid(stopped, NULL, 0);
	waitpid(traced, NULL, 0);
	printf("stopped %d %llu 0 0\ntraced %d %llu 0 0\n", (int)stopped, (unsigned long long)ns, (int)traced,
	       (unsigned long long)ns);
}

static void *end_at_once(void *unused)
{
	pthread_setname_np(pthread_self(), "short");
	return unused;
}

static void short_threads(long count)
{
	pthread_t thread;

	for (long i = 0; i < count; i++) {
		pthread_create(&thread, NULL, end_at_once, NULL);
		pthread_join(thread, NULL);
	}
}

static void *sleep_long(void *unused)
{
	sem_wait(&never);
	return unused;
}

static void *sleep_often(void *unused)
{
	for (;;)
		sleep_ns(20000000);
	return unused;
}

static void many_threads(long count, void *run(void *), uint64_t pause_ns)
{
	enum { STACK = 16384 };
	char *stacks = mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_t small;
	pthread_t thread;
	char c;
	long made = 0;

	pthread_attr_init(&small);
	while (made < count) { /* one mapping for all: vm.max_map_count */
		pthread_attr_setstack(&small, stacks + made * STACK, STACK);
		if (pthread_create(&thread, &small, run, NULL))
			break;
		made++;
		if (pause_ns)
			sleep_ns(pause_ns);
	}
	printf("made %ld\n", made);
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	_exit(0);
}

static void *sleep_and_execute(void *seconds)
{
	sleep_ns((uint64_t)(atof(seconds) * 1e9));
	execlp("sleep", "sleep", (char *)seconds, (char *)NULL);
	return NULL;
}

static void replaced(char *seconds)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_and_execute, seconds);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	double number = argc > 2 ? atof(argv[2]) : 1;
	uint64_t ns = (uint64_t)(number * 1e9), until_ns = now_ns() + ns;
	const char *mode = argc > 1 ? argv[1] : "";

	sem_init(&never, 0, 0);
	if (!strcmp(mode, "spin"))
		spinners(until_ns, argc > 3 ? atoi(argv[3]) : 0);
	else if (!strcmp(mode, "starve"))
		starve(until_ns, argc > 3 ? atoi(argv[3]) : 0);
	else if (!strcmp(mode, "mixed"))
		mixed(until_ns, argc > 3 ? argv[3] : argv[0]);
	else if (!strcmp(mode, "stopped"))
		stop_and_trace(ns);
	else if (!strcmp(mode, "short"))
		short_threads((long)number);
	else if (!strcmp(mode, "many"))
		many_threads((long)number, sleep_long, 0);
	else if (!strcmp(mode, "restless"))
		many_threads((long)number, sleep_often, 0);
	else if (!strcmp(mode, "growing"))
		many_threads((long)number, sleep_long, 100000);
	else if (!strcmp(mode, "replaced") && argc > 2)
		replaced(argv[2]);
	else
		return 2;
	return 0;
}
