/* Two processes that pass one byte back and forth until their output is closed.  Each is pinned to a CPU, which may be
 * the same one.
 *
 *     pingpong pipe|unix CPU CPU
 *
 * First prints both pids; then, 50 times a second, the time (CLOCK_MONOTONIC, in ns) and the number of round trips so
 * far. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_NS = 20000000 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void pin(const char *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)atoi(cpu), &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(1);
	}
}

static void answer(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
}

static void ask(int from, int to)
{
	uint64_t trips = 0, told_ns = 0, now;
	char byte = 'x';

	while (write(to, &byte, 1) == 1 && read(from, &byte, 1) == 1) {
		trips++;
		now = now_ns();
		if (now - told_ns < EVERY_NS)
			continue;
		printf("%llu %llu\n", (unsigned long long)now, (unsigned long long)trips);
		if (fflush(stdout))
			return;
		told_ns = now;
	}
}

/* there: the descriptor to which the first process writes; back: the one from which it reads. */
static int open_ends(const char *kind, int there[2], int back[2])
{
	if (!strcmp(kind, "pipe"))
		return pipe(there) || pipe(back);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, there))
		return -1;
	back[0] = there[1]; /* the first process reads it, since that process writes there[1] */
	back[1] = there[0];
	return 0;
}

int main(int argc, char **argv)
{
	int there[2], back[2];
	pid_t child;

	if (argc != 4 || (strcmp(argv[1], "pipe") && strcmp(argv[1], "unix"))) {
		fputs("usage: pingpong pipe|unix CPU CPU\n", stderr);
		return 2;
	}
	if (open_ends(argv[1], there, back)) {
		perror(argv[1]);
		return 1;
	}
	child = fork();
	if (!child) {
		close(there[1]); /* or there were no end of file */
		close(back[0]);
		pin(argv[3]);
		answer(there[0], back[1]);
		return 0;
	}
	pin(argv[2]);
	printf("%d %d\n", (int)getpid(), (int)child);
	fflush(stdout);
	ask(back[0], there[1]);
	return 0;
}
