/* Block I/O of known kinds.  It prints what it saw itself.
 *
 *     block_io read FILE COUNT SIZE      reads COUNT pieces of SIZE bytes, directly from the device, at places that are
 *                                        spread over FILE: a line "io SECTOR NS" for each, with the time that it took
 *     block_io write FILE COUNT SIZE     writes such pieces
 *     block_io cached FILE               reads the whole FILE, which it drops from the cache before
 *     block_io pages FILE COUNT          writes COUNT pages of 4 kB one after the other, and waits until they are written
 *     block_io journal FILE COUNT        a thread called "journaller" makes COUNT pages of 4 kB dirty; then the whole
 *                                        filesystem is written back, by a thread of the kernel
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
#include <sys/prctl.h>
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

/* Piece i of count: every third one first, so that no two neighbours follow each other. */
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
	else if (!strcmp(what, "hang"))
		hang(argv[2]);
	else
		return 2;
	return 0;
}
