/* disturbs: disturbs a CPU for known times, and a known number of times.
 *
 *     disturbs CPU bursts COUNT MS    bursts of so much CPU time, SCHED_FIFO, 5 ms apart
 *     disturbs CPU timers COUNT US    a timerfd expires so often, once in so many µs
 *     disturbs CPU packets COUNT      datagrams to itself by loopback: each has the kernel take it in a softirq
 *
 * Prints "tid TID times COUNT ns CPU_TIME bursts CPU_TIME wall WALL_TIME longest WALL_TIME": what it did; the CPU time
 * of the whole program, and of the bursts; the wall time of the bursts, which is longer if a hypervisor takes the CPU,
 * and of the longest burst. */
#include <arpa/inet.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static uint64_t times, bursts_ns, wall_ns, longest_ns;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void bursts(long count, uint64_t ns)
{
	const struct sched_param urgent = { .sched_priority = 50 };
	const struct timespec pause = { .tv_nsec = 5000000 };

	if (sched_setscheduler(0, SCHED_FIFO, &urgent))
		fail("SCHED_FIFO");
	for (; times < (uint64_t)count; times++) {
		uint64_t begin, now, wall;

		nanosleep(&pause, NULL);
		wall = clock_ns(CLOCK_MONOTONIC);
		begin = now = cpu_ns();
		while (now - begin < ns)
			now = cpu_ns();
		wall = clock_ns(CLOCK_MONOTONIC) - wall;
		bursts_ns += now - begin;
		wall_ns += wall;
		longest_ns = wall > longest_ns ? wall : longest_ns;
	}
}

static void timers(long count, uint64_t ns)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	const struct itimerspec every = { .it_interval.tv_nsec = (long)ns, .it_value.tv_nsec = (long)ns };
	uint64_t expired;

	if (fd < 0 || timerfd_settime(fd, 0, &every, NULL))
		fail("timerfd");
	for (; times < (uint64_t)count && read(fd, &expired, sizeof(expired)) == sizeof(expired); times++)
		; /* late, several expire in one call */
}

static void packets(long count)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char byte = 0;

	if (fd < 0 || bind(fd, (struct sockaddr *)&to, len) || getsockname(fd, (struct sockaddr *)&to, &len))
		fail("socket");
	for (; times < (uint64_t)count; times++) {
		if (sendto(fd, &byte, 1, 0, (struct sockaddr *)&to, len) != 1 || recv(fd, &byte, 1, 0) != 1)
			fail("a datagram");
	}
}

int main(int argc, char **argv)
{
	cpu_set_t cpus;

	if (argc < 4)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		fail("the CPU");
	if (!strcmp(argv[2], "bursts"))
		bursts(atol(argv[3]), (uint64_t)atol(argv[4]) * 1000000);
	else if (!strcmp(argv[2], "timers"))
		timers(atol(argv[3]), (uint64_t)atol(argv[4]) * 1000);
	else
		packets(atol(argv[3]));
	printf("tid %d times %llu ns %llu bursts %llu wall %llu longest %llu\n", gettid(), (unsigned long long)times,
	       (unsigned long long)cpu_ns(), (unsigned long long)bursts_ns, (unsigned long long)wall_ns,
	       (unsigned long long)longest_ns);
	return 0;
}
