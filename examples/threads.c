/* threads: three threads with names, each busy in its own way, for SECONDS.
 *
 *     cc -O2 -g -fno-omit-frame-pointer -pthread -o threads threads.c
 *     ./threads 10
 *
 * The parser works half of the time, the hasher all of it, the writer spends
 * its time in the kernel.  With -DCHANGED it is the next version of the program:
 * the parser reads numbers in another way, the writer fills its block first. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* So that each function has a frame, the smallest too: gcc gives none to a
 * function that calls nothing, whatever -fno-omit-frame-pointer says. */
#define NOINLINE   __attribute__((noinline))
#define KEEP_FRAME __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

static volatile int stop;
static volatile uint64_t result; /* keeps the work from being optimised away */

static NOINLINE uint64_t mix(uint64_t h)
{
	KEEP_FRAME;
	for (int i = 0; i < 2000; i++)
		h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15u;
	return h;
}

static NOINLINE uint64_t hash_block(uint64_t seed)
{
	uint64_t h = seed;

	for (int i = 0; i < 50; i++)
		h = mix(h + (uint64_t)i);
	return h;
}

#ifndef CHANGED
static NOINLINE int parse_number(const char *text)
{
	int n = 0;

	KEEP_FRAME;
	while (*text >= '0' && *text <= '9')
		n = n * 10 + *text++ - '0';
	return n;
}
#else
static NOINLINE int parse_number_by_table(const char *text)
{
	static const signed char digit[256] = { ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	int n = 0;

	KEEP_FRAME;
	for (; digit[(unsigned char)*text]; text++)
		n = n * 10 + digit[(unsigned char)*text] - 1;
	return n;
}
#define parse_number parse_number_by_table
#endif

static NOINLINE int parse_line(const char *line)
{
	int sum = 0;

	for (const char *field = line; field; field = strchr(field, ','))
		sum += parse_number(++field);
	return sum;
}

static void *hasher(void *unused)
{
	(void)unused;
	while (!stop)
		result += hash_block(result);
	return NULL;
}

static void *parser(void *unused)
{
	static const char line[] = ",1234567,89,1011121314,15,161718,1920,2122232425,26,27";
	struct timespec start, now;

	(void)unused;
	while (!stop) {
		clock_gettime(CLOCK_MONOTONIC, &start);
		do {
			for (int i = 0; i < 10000; i++)
				result += (uint64_t)parse_line(line);
			clock_gettime(CLOCK_MONOTONIC, &now);
		} while ((now.tv_sec - start.tv_sec) * 1000 +
				 (now.tv_nsec - start.tv_nsec) / 1000000 < 50);
		usleep(50000);
	}
	return NULL;
}

#ifdef CHANGED
static NOINLINE void fill_block(char *block, size_t size)
{
	KEEP_FRAME;
	for (size_t i = 0; i < size; i++)
		block[i] = (char)(result + i * i);
}
#endif

static NOINLINE void write_block(int fd)
{
	static char block[65536];

#ifdef CHANGED
	fill_block(block, sizeof(block));
#endif
	if (write(fd, block, sizeof(block)) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		stop = 1;
}

static void *writer(void *unused)
{
	int fd = memfd_create("block", 0);

	(void)unused;
	while (!stop)
		write_block(fd);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*work)(void *);
	} threads[] = { { "parser", parser }, { "hasher", hasher }, { "writer", writer } };
	pthread_t ids[3];

	for (int i = 0; i < 3; i++) {
		if (pthread_create(&ids[i], NULL, threads[i].work, NULL))
			return 1;
		pthread_setname_np(ids[i], threads[i].name);
	}
	sleep(argc > 1 ? (unsigned)atoi(argv[1]) : 10);
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	return result == 42;
}
