/* Waits for locks of known kinds, and prints what it measured itself.
 *
 *     contended_locks KIND PAIRS COUNT    KIND: mutex condition rwlock-read rwlock-write semaphore pi
 *     contended_locks shared PAIRS COUNT  a mutex between processes
 *     contended_locks busy PAIRS COUNT    a mutex whose holder does not sleep, but computes
 *     contended_locks inode PAIRS COUNT   the kernel's lock of a file, which the holder has in write(2) while it waits for the
 *                                         memory that it writes; status 77 if that is forbidden (userfaultfd(2))
 *     contended_locks killed PAIRS 1      ... those that wait are killed
 *     contended_locks held PAIRS 1        a mutex that stays held; says "held" when all waiters come to it
 *     contended_locks free COUNT          takes a mutex that is free COUNT times
 *     contended_locks turns COUNT         two threads give each other COUNT turns as fast as they can, with futexes
 *
 * Each pair has its own lock, which "holder-N" has for 10 ms, in hold_on() or compute(), while "waiter-N" waits for it;
 * neither waits for anything else, apart from sleeps.  Each wait has a line "wait N NS SWITCHES": how long it took, and
 * how often another thread took the CPU away during it.  "waiter N TID" and "holder N TID" say who is who.  The last
 * line of free and of turns is "Total time: S [sec]". */
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS_MAX = 16, COUNT_MAX = 10000, HOLD_NS = 10000000, POLL_NS = 50000, SELDOM_NS = 1000000 };

static struct pair {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_rwlock_t rwlock;
	sem_t semaphore;
	atomic_int held, done; /* rounds: the holder has the lock; the waiter had it */
	atomic_int waits;      /* its wait begins now */
	uint64_t ns[COUNT_MAX];
	long switches[COUNT_MAX];
	int number, waiter_tid, holder_tid;
	int file, memory_fd; /* "inode": the file, and the descriptor that tells of faults in memory */
	char *memory;
} * pairs;

static const char *kind;
static int count;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pass(long ns)
{
	struct timespec t = { 0, ns };

	nanosleep(&t, NULL);
}

static void await(atomic_int *what, int value, long every_ns)
{
	while (atomic_load(what) < value)
		pass(every_ns);
}

static bool is(const char *word)
{
	return !strcmp(kind, word);
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/* ---- a lock of the kernel ---- */

enum { PAGE = 4096, FORBIDDEN = 77 };

static void write_byte(const struct pair *p, const char *byte)
{
	if (pwrite(p->file, byte, 1, 0) != 1)
		perror("contended_locks: pwrite");
}

/* A fault is reported before its thread sleeps, which may take long on a busy machine. */
static void await_sleep(int tid)
{
	char path[64], where[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/wchan", tid);
	do {
		FILE *file = fopen(path, "r"); /* "0" of one that does not sleep */

		pass(POLL_NS);
		if (!file)
			return;
		if (!fgets(where, sizeof(where), file))
			where[0] = '\0';
		fclose(file);
	} while (!strcmp(where, "0"));
}

/* Gives the holder its page, 10 ms after the waiter has come. */
static void *memory_giver(void *argument)
{
	struct pair *p = argument;
	struct uffd_msg fault;

	for (int i = 1; i <= count && read(p->memory_fd, &fault, sizeof(fault)) == sizeof(fault); i++) {
		struct uffdio_zeropage page = { .range = { (uintptr_t)p->memory, PAGE } };

		await_sleep(p->holder_tid);
		atomic_store(&p->held, i);
		await(&p->waits, i, POLL_NS);
		pass(HOLD_NS);
		ioctl(p->memory_fd, UFFDIO_ZEROPAGE, &page);
	}
	return NULL;
}

static void init_memory(struct pair *p)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register pages = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char path[] = "/tmp/contended_locks.XXXXXX";
	pthread_t thread;

	p->file = mkstemp(path);
	unlink(path);
	p->memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p->memory_fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	pages.range = (struct uffdio_range){ (uintptr_t)p->memory, PAGE };
	if (p->memory_fd < 0 || ioctl(p->memory_fd, UFFDIO_API, &api) || ioctl(p->memory_fd, UFFDIO_REGISTER, &pages))
		exit(FORBIDDEN);
	pthread_create(&thread, NULL, memory_giver, p);
	pthread_detach(thread);
}

__attribute__((noinline)) static void hold_file(struct pair *p)
{
	madvise(p->memory, PAGE, MADV_DONTNEED);
	write_byte(p, p->memory);
	__asm__ volatile("");
}

/* ---- the locks ---- */

static void hold(struct pair *p)
{
	if (is("rwlock-read") || is("rwlock-write"))
		pthread_rwlock_wrlock(&p->rwlock);
	else if (!is("condition") && !is("semaphore"))
		pthread_mutex_lock(&p->mutex);
}

__attribute__((noinline)) static void hold_on(void)
{
	pass(HOLD_NS);
	__asm__ volatile("");
}

__attribute__((noinline)) static void compute(void)
{
	uint64_t end = now() + HOLD_NS;

	while (now() < end)
		;
	__asm__ volatile("");
}

__attribute__((noinline)) static void let_go(struct pair *p)
{
	if (is("rwlock-read") || is("rwlock-write")) {
		pthread_rwlock_unlock(&p->rwlock);
	} else if (is("semaphore")) {
		sem_post(&p->semaphore);
	} else if (is("condition")) {
		pthread_mutex_lock(&p->mutex); /* which is free: the waiter waits */
		pthread_cond_signal(&p->condition);
		pthread_mutex_unlock(&p->mutex);
	} else {
		pthread_mutex_unlock(&p->mutex);
	}
	__asm__ volatile("");
}

__attribute__((noinline)) static void wait_for_it(struct pair *p)
{
	if (is("rwlock-read")) {
		pthread_rwlock_rdlock(&p->rwlock);
	} else if (is("rwlock-write")) {
		pthread_rwlock_wrlock(&p->rwlock);
	} else if (is("semaphore")) {
		sem_wait(&p->semaphore);
	} else if (is("condition")) {
		pthread_mutex_lock(&p->mutex);
		atomic_fetch_add(&p->waits, 1);
		pthread_cond_wait(&p->condition, &p->mutex);
		pthread_mutex_unlock(&p->mutex);
	} else if (is("inode")) {
		write_byte(p, "x");
	} else {
		pthread_mutex_lock(&p->mutex);
	}
	__asm__ volatile("");
}

static void give_back(struct pair *p)
{
	if (is("rwlock-read") || is("rwlock-write"))
		pthread_rwlock_unlock(&p->rwlock);
	else if (!is("condition") && !is("semaphore") && !is("inode"))
		pthread_mutex_unlock(&p->mutex);
}

static void init(struct pair *p)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	if (is("pi"))
		pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	if (is("shared") || is("killed"))
		pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&p->mutex, &attributes);
	pthread_cond_init(&p->condition, NULL);
	pthread_rwlock_init(&p->rwlock, NULL);
	sem_init(&p->semaphore, 0, 0);
	if (is("inode"))
		init_memory(p);
}

/* ---- both sides ---- */

static int begin(const char *what, const struct pair *p)
{
	char name[16];

	snprintf(name, sizeof(name), "%s-%d", what, p->number);
	prctl(PR_SET_NAME, name);
	return (int)syscall(SYS_gettid);
}

static void *holder(void *argument)
{
	struct pair *p = argument;

	p->holder_tid = begin("holder", p);
	for (int i = 1; i <= count; i++) {
		if (is("inode")) {
			hold_file(p);
			await(&p->done, i, POLL_NS);
			continue;
		}
		hold(p);
		atomic_store(&p->held, i);
		await(&p->waits, i, SELDOM_NS); /* so that it is asleep when the wait begins */
		if (is("busy"))
			compute();
		else
			hold_on();
		if (is("held"))
			pause();
		if (is("killed"))
			return NULL;
		let_go(p);
		await(&p->done, i, POLL_NS);
	}
	return NULL;
}

static void *waiter(void *argument)
{
	struct pair *p = argument;

	p->waiter_tid = begin("waiter", p);
	for (int i = 1; i <= count; i++) {
		long before = switches();
		uint64_t start;

		await(&p->held, i, POLL_NS);
		pass(SELDOM_NS / 5);
		if (!is("condition"))
			atomic_store(&p->waits, i);
		start = now();
		wait_for_it(p);
		p->ns[i - 1] = now() - start;
		p->switches[i - 1] = switches() - before;
		give_back(p);
		atomic_store(&p->done, i);
	}
	return NULL;
}

/* ---- modes ---- */

static int run_pairs(int many)
{
	pthread_t threads[2 * PAIRS_MAX];
	int children[PAIRS_MAX], processes = is("shared") || is("killed");

	pairs = mmap(NULL, sizeof(*pairs) * PAIRS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pairs == MAP_FAILED)
		return 1;
	for (int i = 0; i < many; i++) {
		pairs[i].number = i;
		init(&pairs[i]);
		pthread_create(&threads[2 * i], NULL, holder, &pairs[i]);
		children[i] = processes ? fork() : 1;
		if (!children[i]) {
			waiter(&pairs[i]);
			_exit(0);
		}
		if (!processes)
			pthread_create(&threads[2 * i + 1], NULL, waiter, &pairs[i]);
	}
	for (int i = 0; i < many; i++) {
		if (is("held"))
			await(&pairs[i].waits, 1, POLL_NS);
		else
			pthread_join(threads[2 * i], NULL);
		if (is("killed"))
			kill(children[i], SIGKILL);
		if (processes)
			waitpid(children[i], NULL, 0);
		else if (!is("held"))
			pthread_join(threads[2 * i + 1], NULL);
	}
	for (int i = 0; i < many; i++) {
		printf("waiter %d %d\nholder %d %d\n", i, pairs[i].waiter_tid, i, pairs[i].holder_tid);
		for (int k = 0; k < count; k++)
			printf("wait %d %" PRIu64 " %ld\n", i, pairs[i].ns[k], pairs[i].switches[k]);
	}
	if (is("held")) {
		puts("held");
		fflush(stdout);
		pause();
	}
	return 0;
}

static void take_free(long times)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	uint64_t start = now();

	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	printf("Total time: %.6f [sec]\n", (double)(now() - start) / 1e9);
}

static atomic_int turn;

static void give_turns(int mine, long times)
{
	for (long i = 0; i < times; i++) {
		while (atomic_load(&turn) != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
		atomic_store(&turn, !mine);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *other_side(void *times)
{
	give_turns(1, *(long *)times);
	return NULL;
}

static void take_turns(long times)
{
	uint64_t start = now();
	pthread_t other;

	pthread_create(&other, NULL, other_side, &times);
	give_turns(0, times);
	pthread_join(other, NULL);
	printf("Total time: %.6f [sec]\n", (double)(now() - start) / 1e9);
}

int main(int argc, char **argv)
{
	kind = argc > 2 ? argv[1] : "";
	if (argc == 3 && is("free"))
		take_free(atol(argv[2]));
	else if (argc == 3 && is("turns"))
		take_turns(atol(argv[2]));
	else if (argc == 4 && atoi(argv[2]) <= PAIRS_MAX && atoi(argv[3]) <= COUNT_MAX) {
		count = atoi(argv[3]);
		return run_pairs(atoi(argv[2]));
	} else {
		fprintf(stderr, "usage: contended_locks KIND PAIRS COUNT\n");
		return 2;
	}
	return 0;
}
