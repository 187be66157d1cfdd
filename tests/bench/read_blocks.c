/* read_blocks FILE THREADS COUNT: THREADS threads read COUNT random blocks of 4 kB of a large FILE directly from the
 * device, each thread its share; prints the time that this took.  FILE is created if it does not exist. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 65536, THREADS = 64 };

static int fd;
static long count;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void make_file(const char *path)
{
	static char block[16 * BLOCK];
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (to < 0)
		return;
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < BLOCKS / 16; i++) {
		if (write(to, block, sizeof(block)) != sizeof(block))
			die(path);
	}
	if (fsync(to) || close(to))
		die(path);
}

static void *read_blocks(void *number)
{
	uint64_t at = (uintptr_t)number * 0x9e3779b97f4a7c15u + 1;
	void *block;

	if (posix_memalign(&block, BLOCK, BLOCK))
		die("memory");
	for (long i = 0; i < count; i++) {
		at = at * 6364136223846793005u + 1442695040888963407u;
		if (pread(fd, block, BLOCK, (off_t)((at >> 33) % BLOCKS * BLOCK)) != BLOCK)
			die("pread");
	}
	free(block);
	return NULL;
}

int main(int argc, char **argv)
{
	uintptr_t threads = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
	pthread_t started[THREADS];
	double start;

	if (!threads || threads > THREADS)
		return 2;
	count = strtol(argv[3], NULL, 10) / (long)threads;
	make_file(argv[1]);
	fd = open(argv[1], O_RDONLY | O_DIRECT);
	if (fd < 0)
		die(argv[1]);
	start = now();
	for (uintptr_t i = 0; i < threads; i++) {
		if (pthread_create(&started[i], NULL, read_blocks, (void *)i))
			die("pthread_create");
	}
	for (uintptr_t i = 0; i < threads; i++)
		pthread_join(started[i], NULL);
	printf("Total time: %.6f [sec]\n", now() - start);
	return 0;
}
