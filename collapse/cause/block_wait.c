#include "collapse/cause/block_wait.h"

#include "core/format/recording.h"

/* arch/x86/mm/fault.c, mm/memory.c; mm/mmap.c, mm/mprotect.c, mm/madvise.c, mm/mremap.c */
static const char *const in_map[] = { "do_user_addr_fault",
				      "exc_page_fault",
				      "do_page_fault",
				      "el0_da",
				      "el0_ia",
				      "lock_mm_and_find_vma",
				      "*sys_mmap*",
				      "*sys_munmap",
				      "*sys_mprotect",
				      "*sys_pkey_mprotect",
				      "*sys_madvise",
				      "*sys_mremap",
				      "*sys_brk",
				      "vm_mmap_pgoff",
				      "*vm_munmap",
				      "do_mprotect_pkey",
				      "do_madvise*",
				      NULL };

/* Functions of the kernel's locks (kernel/locking) that run in the thread which releases a waiting one. */
static const char *const unlocks[] = {
	"rwsem_wake*", "__mutex_unlock_slowpath*", "mutex_unlock", "up_read", "up_write", "rt_mutex_*unlock", NULL
};

/* The wait for a kernel lock is not visible in the stack of the blocked thread, but in that of its waker. */
static bool block_is_for_kernel_lock(struct cause_frames *f, const struct history_span *b)
{
	return b->state == RECORDING_BLOCKED && b->other < HISTORY_INTERRUPT &&
	       frames_has(f, b->stack | FRAMES_OF_WAKER, unlocks);
}

/* Was this wait most likely for the process's memory map?  Yes for a page fault or a change of the map that waits for
 * no device and is ended by a thread that also changed the map. */
static bool block_is_for_map(const struct history *h, struct cause_frames *f, const struct history_span *b)
{
	return b->state == RECORDING_BLOCKED && b->other < HISTORY_INTERRUPT && frames_has(f, b->stack, in_map) &&
	       (block_is_for_kernel_lock(f, b) || (h->threads[b->other].process == h->threads[b->thread].process &&
						   frames_has(f, b->stack | FRAMES_OF_WAKER, in_map)));
}

static bool block_is_of_python(struct cause_frames *f, uint32_t stack)
{
	static const char *const locks[] = { "PyThread_acquire_lock_timed", "_PyMutex_LockTimed", "_PySemaphore_Wait",
					     NULL };

	return frames_has(f, stack, locks);
}

/* Do the names of Python's functions show that the thread waits for a lock, not in a method of Condition, Event or
 * Queue? */
static bool block_is_for_python_lock(struct cause_frames *f, uint32_t stack)
{
	static const char *const others[] = {
		"*/threading.py*",      "threading.*",         "*/queue.py*",       "queue.*", "*/concurrent/futures/*",
		"concurrent.futures.*", "*/multiprocessing/*", "multiprocessing.*", NULL
	};
	static const char *const enters[] = { "*__enter__*", NULL };
	uint32_t text = block_is_of_python(f, stack) ? frames_interpreted(f, stack) : UINT32_MAX;

	return text != UINT32_MAX && (!frames_is(f, text, others) || frames_is(f, text, enters));
}

bool block_is_stop(struct cause_frames *f, const struct history_span *b)
{
	static const char *const freezers[] = { "do_freezer_trap", "__refrigerator",
						NULL }; /* kernel/signal.c, freezer.c */

	return b->state == RECORDING_STOPPED || b->state == RECORDING_TRACED || frames_has(f, b->stack, freezers);
}

/* Clients of resolvers, databases and HTTP, by the names of their libraries: they wait for what they asked for. */
/* clang-format off */
static const char *const clients[] = {
	"getaddrinfo", "__GI_getaddrinfo", "gethostby*", "PQexec*", "PQgetResult", "PQconnect*", "mysql_real_*",
	"mysql_query", "mysql_store_result", "mysql_stmt_execute", "mysqlnd_*", "curl_easy_perform",
	"redisCommand*", "urllib.request.*", "urllib3.*", "requests.*", "http.client.HTTPC*", "httpx.*",
	"psycopg*.*", "pymysql.*", "redis.*", "pymongo.*", "botocore.*", "smtplib.*", "org.postgresql.*",
	"com.mysql.*", "org.mariadb.jdbc.*", "oracle.jdbc.*", "com.microsoft.sqlserver.*", "sun.net.www.http.*",
	"sun.net.www.protocol.*", "java.net.http.*", "jdk.internal.net.http.*", "io.grpc.stub.*",
	"io.lettuce.*", "org.apache.http.*", "org.apache.hc.client5.*", "okhttp3.*", "redis.clients.*",
	"com.mongodb.*", "Net::HTTP*", "_php_stream_open_wrapper_ex", "php_network_connect_*", NULL
};
/* clang-format on */

static bool block_is_of_client(struct cause_frames *f, uint32_t stack)
{
	enum wait_kind wait = frames_wait_named(f, stack);

	return (wait == WAIT_NETWORK || wait == WAIT_PROCESS) && frames_has(f, stack, clients);
}

enum block_wish block_wish_of(const struct history *h, struct cause_frames *f, const struct history_span *b)
{
	static const char *const results[] = { "pthread_barrier_wait",
					       "std::__atomic_futex_unsigned_base::*",
					       "std::latch::wait*",
					       "std::barrier*::wait*",
					       "gomp_barrier_wait*",
					       "java.util.concurrent.CountDownLatch.await",
					       "java.util.concurrent.CyclicBarrier.await",
					       "java.util.concurrent.Phaser.await*",
					       "java.util.concurrent.CompletableFuture.get",
					       "java.util.concurrent.CompletableFuture.join",
					       "java.util.concurrent.FutureTask.get",
					       "java.util.concurrent.ForkJoinTask.get",
					       "java.util.concurrent.ForkJoinTask.join",
					       "java.util.concurrent.ForkJoinTask.invoke",
					       "java.util.concurrent.ForkJoinTask.*waitDone",
					       NULL };
	static const char *const rooms[] = { "pipe_write",
					     "anon_pipe_write",
					     "unix_stream_sendmsg",
					     "sock_alloc_send_pskb",
					     "sk_stream_wait_memory",
					     "unix_wait_for_peer",
					     NULL };

	if (block_is_stop(f, b))
		return BLOCK_WISH_GO_ON;
	if (block_is_for_map(h, f, b))
		return BLOCK_WISH_MAP;
	if (frames_has(f, b->stack, rooms))
		return BLOCK_WISH_ROOM;
	if (frames_wait_named(f, b->stack) == WAIT_GIL)
		return BLOCK_WISH_GIL;
	if (block_is_of_client(f, b->stack))
		return BLOCK_WISH_ANSWER;
	if (block_is_of_python(f, b->stack) && !block_is_for_python_lock(f, b->stack))
		return BLOCK_WISH_PYTHON;
	return frames_has(f, b->stack, results) ? BLOCK_WISH_RESULT : BLOCK_WISH_UNKNOWN;
}

enum wait_kind block_wait_kind(const struct history *h, struct cause_frames *f, const struct history_span *b)
{
	return block_is_for_map(h, f, b) || block_is_for_kernel_lock(f, b) || block_is_for_python_lock(f, b->stack)
		       ? WAIT_LOCK
		       : frames_wait_kind(f, b->stack);
}

bool block_timed_out(struct cause_frames *f, uint32_t stack)
{
	static const char *const timers[] = { "hrtimer_wakeup", "process_timeout", "call_timer_fn", NULL };

	return frames_has(f, stack | FRAMES_OF_WAKER, timers);
}
