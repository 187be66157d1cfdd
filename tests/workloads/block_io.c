/* Does block I/O of known kinds, and prints what it measured itself.
 *
 *     block_io read FILE COUNT SIZE      reads COUNT pieces of SIZE bytes, directly from the device, at places that are
 *                                        spread over FILE: a line "io SECTOR NS" for each, with the time that it took
 *     block_io write FILE COUNT SIZE     writes such pieces
 *     block_io cached FILE               reads the whole FILE, which it drops from the cache before
 *     block_io pages FILE COUNT          writes COUNT pages of 4 kB one after the other, and waits until they are written
 *     block_io journal FILE COUNT        a thread called "journaller" makes COUNT pages of 4 kB dirty; then the whole
 *                                        filesystem is written back, by a thread of the kernel
 *     block_io scattered FILE THREADS COUNT  THREADS threads read COUNT pieces of 64 pages each, directly into every other
 *                                        page of their memory: more parts than the queues of some devices take at once
 *     block_io swap PAGES                has the kernel write PAGES pages of its memory to swap, and reads them again
 *     block_io hang FILE                 begins to write 4 kB directly, and says "writing"
 *
 * Each function below is on the stack of its I/O.  The last line is "all COUNT BYTES". */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, LARGEST = 1 << 20, SECTOR = 512 };

static char *buffer;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int open_file(const char *path, int how)
{
	int fd = open(path, how, 0600);

	if (fd < 0)
		die(path);
	return fd;
}

/* Piece i of count: the order is by thirds, so that no two consecutive pieces are neighbours. */
static off_t place_of(size_t i, size_t count, size_t size)
{
	size_t third = (count + 2) / 3, row = i / third, column = i % third;

	return (off_t)((column * 3 + row) * size);
}

__attribute__((noinline)) static ssize_t read_piece(int fd, size_t size, off_t at)
{
	ssize_t done = pread(fd, buffer, size, at);

	return done < 0 ? -errno : done;
}

__attribute__((noinline)) static ssize_t write_piece(int fd, size_t size, off_t at)
{
	ssize_t done = pwrite(fd, buffer, size, at);

	return done < 0 ? -errno : done;
}

static void pieces(const char *path, size_t count, size_t size, int is_write)
{
	int fd = open_file(path, O_DIRECT | (is_write ? O_WRONLY : O_RDONLY));

	for (size_t i = 0; i < count; i++) {
		off_t at = place_of(i, count, size);
		uint64_t begin = now();

		if ((is_write ? write_piece(fd, size, at) : read_piece(fd, size, at)) != (ssize_t)size)
			die("a piece of the file");
		printf("io %" PRIu64 " %" PRIu64 "\n", (uint64_t)at / SECTOR, now() - begin);
	}
	printf("all %zu %zu\n", count, count * size);
}

__attribute__((noinline)) static size_t read_cached(int fd)
{
	size_t all = 0;
	ssize_t got;

	while ((got = read(fd, buffer, LARGEST)) > 0)
		all += (size_t)got;
	return all;
}

static void cached(const char *path)
{
	int fd = open_file(path, O_RDONLY);

	if (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		die(path);
	printf("all 1 %zu\n", read_cached(fd));
}

__attribute__((noinline)) static void make_dirty(int fd, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (write(fd, buffer, PAGE) != PAGE)
			die("write");
	}
}

static void pages(const char *path, size_t count)
{
	int fd = open_file(path, O_WRONLY | O_CREAT);

	make_dirty(fd, count);
	if (fsync(fd))
		die("fsync");
	printf("all %zu %zu\n", count, count * PAGE);
}

struct journal {
	int fd;
	size_t count;
};

static void *write_journal(void *argument)
{
	struct journal *j = argument;

	prctl(PR_SET_NAME, "journaller");
	make_dirty(j->fd, j->count);
	return NULL;
}

static void journal(const char *path, size_t count)
{
	struct journal j = { open_file(path, O_WRONLY | O_CREAT | O_TRUNC), count };
	pthread_t thread;

	if (pthread_create(&thread, NULL, write_journal, &j))
		die("pthread_create");
	pthread_join(thread, NULL);
	if (syncfs(j.fd))
		die("syncfs");
	printf("all %zu %zu\n", count, count * PAGE);
}

enum { PARTS = 64, THREADS = 64 };

static struct {
	int fd;
	size_t count;
} scatter;

__attribute__((noinline)) static ssize_t read_scattered(const struct iovec *parts, off_t at)
{
	return preadv(scatter.fd, parts, PARTS, at);
}

static void *scatter_pieces(void *number)
{
	size_t n = *(size_t *)number;
	struct iovec parts[PARTS];
	char *memory;

	if (posix_memalign((void **)&memory, PAGE, (size_t)2 * PARTS * PAGE))
		die("memory");
	memset(memory, 'x', (size_t)2 * PARTS * PAGE);
	for (size_t i = 0; i < PARTS; i++)
		parts[i] = (struct iovec){ memory + 2 * i * PAGE, PAGE };
	for (size_t i = 0; i < scatter.count; i++) {
		if (read_scattered(parts, (off_t)((n * scatter.count + i) * PARTS * PAGE)) != PARTS * PAGE)
			die("a piece of the file");
	}
	free(memory);
	return NULL;
}

static void scattered(const char *path, size_t threads, size_t count)
{
	pthread_t thread[THREADS];
	size_t number[THREADS];

	scatter.fd = open_file(path, O_DIRECT | O_RDONLY);
	scatter.count = count;
	for (size_t i = 0; i < threads && i < THREADS; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, scatter_pieces, &number[i]))
			die("pthread_create");
	}
	for (size_t i = 0; i < threads && i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("all %zu %zu\n", threads * count, threads * count * PARTS * PAGE);
}

__attribute__((noinline)) static int is_as_before(const volatile uint32_t *memory, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (memory[i * PAGE / sizeof(*memory)] != i)
			return 0;
	}
	return 1;
}

static void swap(size_t count)
{
	struct timespec while_written = { 0, 300000000 };
	uint32_t *memory = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	for (size_t i = 0; i < count; i++)
		memory[i * PAGE / sizeof(*memory)] = (uint32_t)i;
	if (madvise(memory, count * PAGE, MADV_PAGEOUT))
		die("MADV_PAGEOUT");
	nanosleep(&while_written, NULL);
	/* The pages are still in the swap cache.  Written pages that are mapped again leave it at once. */
	if (!is_as_before(memory, count) || madvise(memory, count * PAGE, MADV_PAGEOUT))
		die("MADV_PAGEOUT");
	if (!is_as_before(memory, count))
		die("memory has changed");
	printf("all %zu %zu\n", count, count * PAGE);
}

static void hang(const char *path)
{
	int fd = open_file(path, O_DIRECT | O_WRONLY);

	puts("writing");
	fflush(stdout);
	write_piece(fd, PAGE, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 0, size = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;

	if (posix_memalign((void **)&buffer, PAGE, LARGEST) || size > LARGEST)
		die("memory");
	memset(buffer, 'x', LARGEST);
	if (!strcmp(what, "read") || !strcmp(what, "write"))
		pieces(argv[2], count, size, *what == 'w');
	else if (!strcmp(what, "cached"))
		cached(argv[2]);
	else if (!strcmp(what, "pages"))
		pages(argv[2], count);
	else if (!strcmp(what, "journal"))
		journal(argv[2], count);
	else if (!strcmp(what, "scattered"))
		scattered(argv[2], count, size);
	else if (!strcmp(what, "swap"))
		swap(strtoul(argv[2], NULL, 10));
	else if (!strcmp(what, "hang"))
		hang(argv[2]);
	else
		return 2;
	return 0;
}
