/* collect locks: sums without a stack get the stack of the sum before; waits with a time limit continue; which thread
 * has a mutex. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/locks/lock_threads.h"
#include "collect/locks/mutex_owner.h"
#include "tests/unit/check.h"

static struct locks_record sum_of(uint32_t pid, uint32_t tid, uint32_t lock, uint64_t count)
{
	return (struct locks_record){
		.kind = LOCKS_SUM,
		.pid = pid,
		.tid = tid,
		.lock = lock,
		.since_ns = 100 * count,
		.until_ns = 200 * count,
		.count = count,
		.ns = 1000 * count,
		.longest_ns = 900,
		.runnable_ns = 10 * count,
		.user_count = 1,
		.stack = { tid },
	};
}

static void rests(void)
{
	struct locks_record first = sum_of(10, 11, RECORDING_LOCK_FUTEX, 5),
			    rest = sum_of(10, 11, RECORDING_LOCK_PI, 3), other;
	struct lock_threads t = { 0 };
	const struct locks_record *made;

	first.user_count = 2;
	first.stack[1] = 0x4711;
	CHECK(lock_threads_complete(&t, &rest) == &rest); /* nothing came before */
	lock_threads_keep(&t, &first, offsetof(struct locks_record, stack) + 2 * sizeof(uint64_t));
	made = lock_threads_complete(&t, &rest);

	/* the stack of the previous sum, with its own times */
	CHECK(made != &rest && made->user_count == 2 && made->stack[1] == 0x4711);
	CHECK(made->count == 3 && made->ns == 3000 && made->since_ns == 300 && made->runnable_ns == 30);
	other = sum_of(10, 12, RECORDING_LOCK_FUTEX, 3);
	CHECK(lock_threads_complete(&t, &other) == &other); /* another thread */
	other = sum_of(10, 11, RECORDING_LOCK_SPIN, 3);
	CHECK(lock_threads_complete(&t, &other) == &other); /* a lock of the kernel */
	other = sum_of(20, 11, RECORDING_LOCK_FUTEX, 3);
	CHECK(lock_threads_complete(&t, &other) == &other); /* another process has the thread's id now */
	CHECK(t.kept == 0);
	lock_threads_free(&t);
}

/* Threads that ended are forgotten, though not at once; then there is room for the stacks of others. */
static void ends(void)
{
	struct lock_threads t = { 0 };
	struct map living = { 0 };

	for (uint32_t tid = 1; tid <= 1000; tid++) {
		struct locks_record sum = sum_of(10, tid, RECORDING_LOCK_FUTEX, 3);

		lock_threads_keep(&t, &sum, offsetof(struct locks_record, stack) + sizeof(uint64_t));
	}
	*map_at(&living, 7, 0) = 1;
	lock_threads_forget(&t, &living);
	CHECK(t.count == 1000);
	for (uint32_t tid = 7; tid <= 8; tid++) {
		struct locks_record rest = sum_of(10, tid, RECORDING_LOCK_FUTEX, 3);

		CHECK(lock_threads_complete(&t, &rest) != &rest);
	}
	lock_threads_forget(&t, &living);
	CHECK(t.count == 1 && t.kept == t.list[0].last[LOCKS_OF_FUTEXES].len && t.kept);
	for (uint32_t tid = 7; tid <= 8; tid++) {
		struct locks_record rest = sum_of(10, tid, RECORDING_LOCK_FUTEX, 3);

		CHECK((lock_threads_complete(&t, &rest) != &rest) == (tid == 7));
	}
	map_free(&living);
	lock_threads_free(&t);
}

static struct locks_record wait_of(uint64_t since_ns, uint64_t until_ns, uint64_t sp)
{
	return (struct locks_record){
		.kind = LOCKS_WAIT, .pid = 10, .tid = 11, .since_ns = since_ns, .until_ns = until_ns, .ip = 7, .sp = sp
	};
}

static void parts(void)
{
	struct locks_record first = wait_of(1000, 2000, 8), next = wait_of(2500, 9000, 8),
			    other = wait_of(2500, 9000, 16), late = wait_of(900000000, 900000001, 8);
	struct lock_threads t = { 0 };
	struct lock_thread *thread = lock_thread(&t, &first);

	CHECK(!lock_thread_goes_on(thread, &first)); /* with nothing */
	CHECK(lock_thread_keep_part(thread, &first, sizeof(first)));
	CHECK(lock_thread_goes_on(thread, &next));
	CHECK(!lock_thread_goes_on(thread, &other)); /* elsewhere */
	CHECK(!lock_thread_goes_on(thread, &late));  /* later */
	next.owner_tid = 12;
	CHECK(!lock_thread_keep_part(thread, &next, sizeof(next))); /* its owner is known */
	next.owner_tid = 0;
	for (size_t i = 1; i < LOCK_PARTS_MAX; i++)
		CHECK(lock_thread_keep_part(thread, &next, sizeof(next)));
	CHECK(!lock_thread_keep_part(thread, &next, sizeof(next))); /* too many */
	lock_threads_free(&t);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int *word = (atomic_int *)(void *)&mutex;

static void *take(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void owners(void)
{
	uint32_t self = (uint32_t)syscall(SYS_gettid);
	pthread_t thread;

	CHECK(mutex_owner_read((uint32_t)getpid(), (uintptr_t)&mutex) == 0); /* it is free */
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, take, NULL);
	while (atomic_load(word) != 2) /* until somebody waits */
		sched_yield();
	CHECK(mutex_owner_read((uint32_t)getpid(), (uintptr_t)&mutex) == self);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	CHECK(mutex_owner_read((uint32_t)getpid(), 8) == 0); /* nothing is there */
}

int main(void)
{
	rests();
	ends();
	parts();
	owners();
	return check_done();
}
