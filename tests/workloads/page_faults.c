/* Causes page faults of known kinds, and prints what it measured itself.
 *
 *     page_faults read FILE COUNT       reads COUNT pages of FILE, which it drops from the cache before: a line
 *                                       "page OFFSET NS SWITCHES" for each, with the time that its access took, and
 *                                       how often another thread took the CPU away meanwhile; then a line "again NS"
 *                                       for each that a second mapping had to be given, of those now in the cache
 *     page_faults write FILE COUNT      writes to COUNT pages of a private mapping of FILE
 *     page_faults fork COUNT            writes to COUNT pages that it shares with its child
 *     page_faults anonymous COUNT       touches COUNT new pages
 *     page_faults turns COUNT           two functions in turns have memset(3) touch COUNT new pages
 *     page_faults threads COUNT         COUNT threads, one after the other on one CPU, touch 50 new pages each: a line
 *                                       "thread TID MINOR" for each
 *     page_faults bus FILE COUNT        reads COUNT pages behind the end of FILE: SIGBUS each time
 *     page_faults call FILE COUNT       has read(2) write to COUNT new pages
 *     page_faults lock COUNT            touches COUNT new pages of a mapping whose rights another thread changes all the
 *                                       time, with the lock of the process's mappings
 *
 * Each function below is on the stack of its faults.  The last line is "faults MINOR MAJOR": how many
 * faults of this kind there were, as getrusage(2) counts them. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 100000 };

static struct rusage before;
static volatile unsigned char sink;
static struct {
	uint64_t page, ns;
	long switches;
} seen[MOST];

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

static void begin(void)
{
	getrusage(RUSAGE_SELF, &before);
}

static void end(void)
{
	struct rusage after;

	getrusage(RUSAGE_SELF, &after);
	printf("faults %ld %ld\n", after.ru_minflt - before.ru_minflt, after.ru_majflt - before.ru_majflt);
}

static unsigned char *map(const char *path, size_t size, int how)
{
	int fd = path ? open(path, O_RDONLY) : -1;
	unsigned char *at;

	if (path && (fd < 0 || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)))
		die(path);
	at = mmap(NULL, size, PROT_READ | (how == MAP_PRIVATE ? PROT_WRITE : 0), path ? how : MAP_PRIVATE | MAP_ANONYMOUS,
		  fd, 0);
	if (at == MAP_FAILED)
		die("mmap");
	madvise(at, size, MADV_NOHUGEPAGE);
	madvise(at, size, MADV_RANDOM);
	return at;
}

static long switches(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_nivcsw;
}

static size_t size_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		die(path);
	return (size_t)st.st_size;
}

/* The time of the way to the kernel and back, on this machine and while it is recorded: these faults wait for
 * nothing. */
static void read_again(const char *path, size_t size, unsigned count)
{
	int fd = open(path, O_RDONLY);
	unsigned char *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		die("mmap");
	madvise(at, size, MADV_RANDOM);
	for (unsigned i = 0; i < count; i++) {
		struct rusage first, last;
		uint64_t start, ns;

		getrusage(RUSAGE_SELF, &first);
		start = now();
		sink += at[seen[i].page * PAGE];
		ns = now() - start;
		getrusage(RUSAGE_SELF, &last);
		if (last.ru_minflt > first.ru_minflt)
			printf("again %" PRIu64 "\n", ns);
	}
}

__attribute__((noinline)) static void read_pages(const char *path, unsigned count)
{
	size_t size = size_of(path), pages = size / PAGE;
	unsigned char *at = map(path, size, MAP_SHARED);
	uint64_t random = 1;

	memset(seen, 1, sizeof(seen[0]) * count); /* so that its own pages are there */
	begin();
	for (unsigned i = 0; i < count; i++) {
		uint64_t start, page;
		long before_it = switches();

		random = random * 6364136223846793005u + 1442695040888963407u;
		page = (random >> 33) % pages;
		start = now();
		sink += at[page * PAGE];
		seen[i].ns = now() - start;
		seen[i].page = page;
		seen[i].switches = switches() - before_it;
	}
	end();
	for (unsigned i = 0; i < count; i++)
		printf("page %#" PRIx64 " %" PRIu64 " %ld\n", seen[i].page * PAGE, seen[i].ns, seen[i].switches);
	read_again(path, size, count);
}

__attribute__((noinline)) static void write_pages(unsigned char *at, unsigned count)
{
	begin();
	for (unsigned i = 0; i < count; i++)
		at[(size_t)i * PAGE] = 1;
	end();
}

static void *(*volatile fill)(void *, int, size_t) = memset; /* not inlined */

__attribute__((noinline)) static void fill_even(unsigned char *at)
{
	fill(at, 2, PAGE);
	sink = 2;
}

__attribute__((noinline)) static void fill_odd(unsigned char *at)
{
	fill(at, 1, PAGE);
	sink = 1;
}

__attribute__((noinline)) static void fill_in_turns(unsigned char *at, unsigned count)
{
	begin();
	for (unsigned i = 0; i < count; i++)
		(i % 2 ? fill_odd : fill_even)(at + (size_t)i * PAGE);
	end();
}

__attribute__((noinline)) static void write_shared(unsigned count)
{
	unsigned char *at = map(NULL, (size_t)count * PAGE, MAP_PRIVATE);
	int pipe_of[2];
	pid_t child;

	for (unsigned i = 0; i < count; i++)
		at[(size_t)i * PAGE] = 1;
	if (pipe(pipe_of) || (child = fork()) < 0)
		die("fork");
	if (!child) { /* the child has the pages, too, until it is told to end */
		close(pipe_of[1]);
		_exit(read(pipe_of[0], &child, 1) != 0);
	}
	write_pages(at, count);
	close(pipe_of[1]);
	waitpid(child, NULL, 0);
}

enum { PAGES_EACH = 50 };

static void *touch_some(void *at)
{
	struct rusage its;

	for (size_t i = 0; i < PAGES_EACH; i++)
		((volatile unsigned char *)at)[i * PAGE] = 1;
	getrusage(RUSAGE_THREAD, &its);
	printf("thread %d %ld\n", gettid(), its.ru_minflt);
	return NULL;
}

static void touch_one_by_one(unsigned count)
{
	unsigned char *at = map(NULL, (size_t)count * PAGES_EACH * PAGE, MAP_PRIVATE);
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	begin();
	for (unsigned i = 0; i < count; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, touch_some, at + (size_t)i * PAGES_EACH * PAGE))
			die("pthread_create");
		pthread_join(thread, NULL);
	}
	end();
}

static sigjmp_buf back;

static void on_bus(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

__attribute__((noinline)) static void read_behind(const char *path, unsigned count)
{
	size_t size = (size_of(path) + PAGE - 1) / PAGE * PAGE;
	unsigned char *at = map(path, size + (size_t)count * PAGE, MAP_SHARED);
	volatile unsigned done = 0;

	signal(SIGBUS, on_bus);
	begin();
	while (done < count) {
		if (!sigsetjmp(back, 1))
			sink += at[size + (size_t)done++ * PAGE];
	}
	end();
}

__attribute__((noinline)) static void let_kernel_write(const char *path, unsigned count)
{
	unsigned char *at = map(NULL, (size_t)count * PAGE, MAP_PRIVATE);
	int fd = open(path, O_RDONLY);

	begin();
	for (unsigned i = 0; i < count; i++) {
		if (pread(fd, at + (size_t)i * PAGE, 100, 0) != 100)
			die("pread");
	}
	end();
}

/* So many pages that changing their rights takes a while. */
enum { LOCKED = 128 << 20 };

static volatile int touched_all, rounds;

static void *change_rights(void *at)
{
	for (; !touched_all; rounds++)
		mprotect(at, 2 * LOCKED, PROT_READ | PROT_WRITE | (rounds % 2 ? PROT_EXEC : 0));
	return NULL;
}

__attribute__((noinline)) static void touch_locked(unsigned count)
{
	unsigned char *at = map(NULL, 2 * LOCKED, MAP_PRIVATE);
	pthread_t other;

	for (size_t i = 0; i < LOCKED; i += PAGE)
		at[i] = 1;
	pthread_create(&other, NULL, change_rights, at);
	begin();
	for (unsigned i = 0; i < count && i < LOCKED / PAGE; i++) {
		for (int now = rounds; rounds == now;) /* the other thread has just released the lock, and will take it
						        * again */
			sched_yield();
		at[LOCKED + (size_t)i * PAGE] = 1;
	}
	end();
	touched_all = 1;
	pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "", *path = argc > 3 ? argv[2] : NULL;
	unsigned count = argc > 2 ? (unsigned)atoi(argv[argc - 1]) : 0;

	if (count > MOST)
		count = MOST;
	if (!strcmp(what, "read") && path)
		read_pages(path, count);
	else if (!strcmp(what, "write") && path)
		write_pages(map(path, size_of(path), MAP_PRIVATE), count);
	else if (!strcmp(what, "fork"))
		write_shared(count);
	else if (!strcmp(what, "anonymous"))
		write_pages(map(NULL, (size_t)count * PAGE, MAP_PRIVATE), count);
	else if (!strcmp(what, "turns"))
		fill_in_turns(map(NULL, (size_t)count * PAGE, MAP_PRIVATE), count);
	else if (!strcmp(what, "threads"))
		touch_one_by_one(count);
	else if (!strcmp(what, "lock"))
		touch_locked(count);
	else if (!strcmp(what, "bus") && path)
		read_behind(path, count);
	else if (!strcmp(what, "call") && path)
		let_kernel_write(path, count);
	else
		return 2;
	return 0;
}
