/* Many threads that live at the same time, each with a few page faults, calls, waits and reads, which the program
 * counts itself.
 *
 *     many_threads THREADS FILE [FIFO]
 *
 * As soon as all THREADS are there, each touches PAGES new pages, makes CALLS calls of getppid(2), every READERSth one
 * reads a block of FILE past the cache, and each waits for a futex of its own until the thread before wakes it.  With FIFO
 * they wait for a writer of it before they begin, and for another one before they end.
 *
 * It says "there" when all threads are, "done" when they have done it, and at last "threads N", "pages N", "calls N",
 * "reads N", "waits N" (those in which a thread slept) and "words FROM TO", the addresses of these futexes. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 20000, PAGE = 4096, PAGES = 3, CALLS = 10, READERS = 20, STACK = 64 << 10 };

static atomic_int there, begun, done, at_futex[THREADS_MAX], woken[THREADS_MAX];
static atomic_long waits, reads;
static unsigned char *pages;
static int count, file = -1;
static pthread_barrier_t end;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void futex_wait(atomic_int *word, int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

/* A wait that ends at once because the word has changed does not count. */
__attribute__((noinline)) static void wait_for_turn(int i)
{
	at_futex[i] = 1;
	while (!woken[i])
		if (!syscall(SYS_futex, &woken[i], FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0))
			waits++;
}

/* Wait for a thread that is about to wait, but does not sleep yet. */
static void wake(int i)
{
	struct timespec soon = { 0, 1000000 };

	while (!at_futex[i])
		nanosleep(&soon, NULL);
	woken[i] = 1;
	syscall(SYS_futex, &woken[i], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

__attribute__((noinline)) static void touch_pages(int i)
{
	for (int k = 0; k < PAGES; k++)
		pages[((size_t)i * PAGES + (size_t)k) * PAGE] = 1;
}

__attribute__((noinline)) static void make_calls(void)
{
	for (int k = 0; k < CALLS; k++)
		syscall(SYS_getppid);
}

static void read_block(int i)
{
	void *block = pages + (size_t)count * PAGES * PAGE + (size_t)(i / READERS) * PAGE;

	if (i % READERS == 0)
		reads += pread(file, block, PAGE, i / READERS * 2 * PAGE) == PAGE;
}

static void *thread(void *number)
{
	int i = (int)(intptr_t)number;

	there++;
	while (!begun)
		futex_wait(&begun, 0);
	touch_pages(i);
	make_calls();
	read_block(i);
	wait_for_turn(i);
	if (i + 1 < count)
		wake(i + 1);
	done++;
	pthread_barrier_wait(&end);
	return NULL;
}

static void wait_for_writer(const char *fifo)
{
	int fd = open(fifo, O_RDONLY);

	if (fd < 0)
		die(fifo);
	close(fd);
}

static void start_threads(void)
{
	struct timespec soon = { 0, 1000000 };
	pthread_attr_t attr;
	pthread_t last;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_barrier_init(&end, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		if ((errno = pthread_create(&last, &attr, thread, (void *)(intptr_t)i)))
			die("pthread_create");
	while (there < count)
		nanosleep(&soon, NULL);
}

static void say(const char *what)
{
	puts(what);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *fifo = argc > 3 ? argv[3] : NULL;
	size_t size;

	count = argc > 2 ? atoi(argv[1]) : 0;
	if (count < 1 || count > THREADS_MAX)
		return 2;
	if ((file = open(argv[2], O_RDONLY | O_DIRECT)) < 0)
		die(argv[2]);
	size = (size_t)count * (PAGES + 1) * PAGE;
	pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || madvise(pages, size, MADV_NOHUGEPAGE))
		die("mmap");
	start_threads();
	say("there");
	if (fifo)
		wait_for_writer(fifo);
	begun = 1;
	syscall(SYS_futex, &begun, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	wake(0);
	while (done < count)
		usleep(1000);
	say("done");
	if (fifo)
		wait_for_writer(fifo);
	pthread_barrier_wait(&end);
	printf("threads %d\npages %d\ncalls %d\nreads %ld\nwaits %ld\nwords %p %p\n", count, count * PAGES,
	       count * CALLS, (long)reads, (long)waits, (void *)woken, (void *)(woken + count));
	return 0;
}
