#include "collapse/roots/wait_kind.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "core/nearest.h"
#include "core/str.h"

/* Functions by kind, in order of weight: in a stack with several of these, the last one in this list counts.
 * glibc, the kernel (fs/eventpoll.c, kernel/futex, mm/filemap.c, ...), HotSpot and the JDK, Go, Rust, Python. */
static const struct {
	const char *name; /* "x*y": x, any text, y */
	enum wait_kind kind;
} rows[] = {
	/* The main loops of kernel threads, which count whatever else they call. */
	{ "kthread", WAIT_WORK },
	{ "worker_thread", WAIT_WORK },
	{ "kthreadd", WAIT_WORK },

	{ "pthread_cond_wait*", WAIT_ANOTHER_THREAD },
	{ "pthread_cond_timedwait*", WAIT_ANOTHER_THREAD },
	{ "pthread_cond_clockwait*", WAIT_ANOTHER_THREAD },
	{ "sem_wait*", WAIT_ANOTHER_THREAD },
	{ "__new_sem_wait*", WAIT_ANOTHER_THREAD },
	{ "sem_timedwait*", WAIT_ANOTHER_THREAD },
	{ "sem_clockwait*", WAIT_ANOTHER_THREAD },
	{ "std::__atomic_futex_unsigned_base::*", WAIT_ANOTHER_THREAD }, /* std::future */
	{ "std::latch::wait*", WAIT_ANOTHER_THREAD },
	{ "std::barrier*::wait*", WAIT_ANOTHER_THREAD },
	{ "std::__detail::__platform_wait*", WAIT_ANOTHER_THREAD },
	{ "g_cond_wait*", WAIT_ANOTHER_THREAD },
	{ "absl::*CondVar::Wait*", WAIT_ANOTHER_THREAD },
	{ "pthread_barrier_wait", WAIT_ANOTHER_THREAD },
	{ "java.lang.Object.wait*", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.CountDownLatch.await", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.CompletableFuture.get", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.FutureTask.get", WAIT_ANOTHER_THREAD },
	{ "std::sys::*Condvar*wait*", WAIT_ANOTHER_THREAD },
	{ "parking_lot::condvar::Condvar::wait*", WAIT_ANOTHER_THREAD },
	{ "std::thread::park*", WAIT_ANOTHER_THREAD },
	{ "sync.(*Cond).Wait", WAIT_ANOTHER_THREAD },
	{ "sync.(*WaitGroup).Wait", WAIT_ANOTHER_THREAD },
	{ "PyThread_acquire_lock_timed", WAIT_ANOTHER_THREAD }, /* CPython's locks are semaphores, and so are its
								 * queues */
	{ "_PyMutex_LockTimed", WAIT_ANOTHER_THREAD },
	{ "do_semtimedop", WAIT_ANOTHER_THREAD }, /* semop(2) */
	{ "handle_userfault", WAIT_ANOTHER_THREAD },
	{ "kernel_clone", WAIT_PROCESS }, /* vfork(2): for the child's exec */

	{ "io_schedule*", WAIT_IO },
	{ "fsync", WAIT_IO },
	{ "fdatasync", WAIT_IO },
	{ "do_fsync", WAIT_IO },
	{ "vfs_fsync_range", WAIT_IO },
	{ "folio_wait_*", WAIT_IO },
	{ "jbd2_log_wait_commit", WAIT_IO },
	{ "balance_dirty_pages*", WAIT_IO },
	{ "submit_bio_wait", WAIT_IO },
	{ "blk_mq_get_tag", WAIT_IO },

	{ "hrtimer_nanosleep", WAIT_SLEEP },
	{ "clock_nanosleep", WAIT_SLEEP },
	{ "java.lang.Thread.sleep*", WAIT_SLEEP },
	{ "java.util.concurrent.TimeUnit.sleep", WAIT_SLEEP },

	{ "handle_mm_fault", WAIT_FAULT },
	{ "do_user_addr_fault", WAIT_FAULT },
	{ "filemap_fault", WAIT_FAULT },
	{ "do_swap_page", WAIT_FAULT },

	{ "pthread_mutex_lock", WAIT_LOCK },
	{ "___pthread_mutex_lock", WAIT_LOCK },
	{ "pthread_mutex_timedlock", WAIT_LOCK },
	{ "__lll_lock_wait*", WAIT_LOCK },
	{ "__GI___lll_lock_wait*", WAIT_LOCK },
	{ "lll_lock_wait*", WAIT_LOCK },
	{ "pthread_rwlock_*lock", WAIT_LOCK },
	{ "pthread_rwlock_rdlock*", WAIT_LOCK },
	{ "pthread_rwlock_wrlock*", WAIT_LOCK },
	{ "__mutex_lock*", WAIT_LOCK },
	{ "mutex_lock*", WAIT_LOCK },
	{ "rwsem_down_*", WAIT_LOCK },
	{ "locks_lock_inode_wait", WAIT_LOCK }, /* flock(2), fcntl(2) */
	{ "__do_sys_flock", WAIT_LOCK },
	{ "fcntl_setlk*", WAIT_LOCK },
	{ "ObjectMonitor::enter*", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantLock.lock", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantLock$Sync.lock", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantReadWriteLock$*", WAIT_LOCK },
	{ "std::sys::*Mutex*lock*", WAIT_LOCK },
	{ "std::sys::*RwLock*_contended", WAIT_LOCK },
	{ "parking_lot::raw_mutex::RawMutex::lock_slow", WAIT_LOCK },
	{ "parking_lot::raw_rwlock::RawRwLock::lock_*", WAIT_LOCK },
	{ "absl::*Mutex::LockSlow*", WAIT_LOCK },
	{ "g_mutex_lock_slowpath", WAIT_LOCK },
	{ "QBasicMutex::lockInternal*", WAIT_LOCK },
	{ "pthread_mutex_clocklock*", WAIT_LOCK },
	{ "sync.(*Mutex).Lock*", WAIT_LOCK },

	{ "do_wait", WAIT_PROCESS },
	{ "kernel_wait4", WAIT_PROCESS },
	{ "gomp_barrier_wait*", WAIT_ANOTHER_THREAD }, /* which has a do_wait of its own */
	{ "gomp_team_barrier_wait*", WAIT_ANOTHER_THREAD },
	{ "pipe_read", WAIT_PROCESS },
	{ "anon_pipe_read", WAIT_PROCESS },
	{ "pipe_write", WAIT_PROCESS },
	{ "anon_pipe_write", WAIT_PROCESS },
	{ "unix_stream_data_wait", WAIT_PROCESS },
	{ "unix_stream_read_generic", WAIT_PROCESS }, /* where newer kernels inline it */
	{ "unix_wait_for_peer", WAIT_PROCESS },
	{ "do_msgrcv", WAIT_PROCESS },
	{ "do_msgsnd", WAIT_PROCESS },
	{ "request_wait_answer", WAIT_PROCESS }, /* of FUSE */

	{ "sk_wait_data", WAIT_NETWORK },
	{ "tcp_recvmsg*", WAIT_NETWORK },
	{ "__skb_wait_for_more_packets", WAIT_NETWORK },
	{ "__unix_dgram_recvmsg", WAIT_PROCESS },
	{ "unix_dgram_recvmsg", WAIT_PROCESS },
	{ "rpc_wait_bit_killable", WAIT_NETWORK }, /* of NFS */
	{ "inet_stream_connect", WAIT_NETWORK },
	{ "sk_stream_wait_memory", WAIT_NETWORK },
	{ "sk_stream_wait_connect", WAIT_NETWORK },

	{ "ep_poll", WAIT_WORK },
	{ "do_epoll_wait", WAIT_WORK },
	{ "do_sys_poll", WAIT_WORK },
	{ "do_poll*", WAIT_WORK },
	{ "do_select", WAIT_WORK },
	{ "inet_csk_accept", WAIT_WORK },
	{ "io_cqring_wait", WAIT_WORK },
	{ "do_sigtimedwait*", WAIT_WORK },
	{ "sigsuspend*", WAIT_WORK },
	{ "n_tty_read", WAIT_WORK },
	{ "timerfd_read*", WAIT_WORK },
	{ "signalfd_read*", WAIT_WORK },
	{ "inotify_read", WAIT_WORK },
	{ "fanotify_read", WAIT_WORK },
	{ "pause", WAIT_WORK },
	{ "*sys_pause", WAIT_WORK },
	{ "__libc_pause", WAIT_WORK },
	{ "java.util.concurrent.ThreadPoolExecutor.getTask", WAIT_WORK },
	{ "java.util.concurrent.ForkJoinPool.awaitWork", WAIT_WORK },
	{ "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take", WAIT_WORK },
	{ "java.lang.ref.ReferenceQueue.remove*", WAIT_WORK },
	{ "java.lang.ref.Reference.waitForReferencePendingList", WAIT_WORK },
	{ "VMThread::loop", WAIT_WORK },
	{ "VMThread::wait_for_*", WAIT_WORK },
	{ "GangWorker::loop", WAIT_WORK },
	{ "WorkerTaskDispatcher::worker_run_task", WAIT_WORK },
	{ "ConcurrentGCThread::run", WAIT_WORK },
	{ "NMethodSweeper::sweeper_loop", WAIT_WORK },
	{ "NotificationThread::notification_thread_entry", WAIT_WORK },
	{ "java.util.TimerThread.mainLoop", WAIT_WORK },
	{ "CompileQueue::get", WAIT_WORK },
	{ "ServiceThread::service_thread_entry", WAIT_WORK },
	{ "MonitorDeflationThread::*", WAIT_WORK },
	{ "WatcherThread::sleep", WAIT_WORK },
	{ "SemaphoreGangTaskDispatcher::worker_wait_for_task", WAIT_WORK },
	{ "os::signal_wait", WAIT_WORK },
	{ "check_pending_signals", WAIT_WORK },
	{ "runtime.findRunnable", WAIT_WORK },
	{ "runtime.mPark", WAIT_WORK },
	{ "tokio::runtime::*::park*", WAIT_WORK },
	{ "tokio::runtime::blocking::pool::Inner::run", WAIT_WORK },
	{ "pthread_join*", WAIT_WORK },
	{ "__pthread_clockjoin_ex", WAIT_WORK },
	{ "java.lang.Thread.join*", WAIT_WORK },
	{ "Threads::destroy_vm", WAIT_WORK },

	/* Functions that do work, although functions that wait for work call them. */
	{ "VM_Operation::evaluate", WAIT_ANOTHER_THREAD },
	{ "VMThread::evaluate_operation", WAIT_ANOTHER_THREAD },
	{ "VMThread::inner_execute", WAIT_ANOTHER_THREAD },
	{ "*Task::work", WAIT_ANOTHER_THREAD },
	{ "node::SyncProcessRunner::*", WAIT_PROCESS }, /* execSync(): it has a loop of its own */
	{ "sun.nio.ch.NioSocketImpl.implRead", WAIT_NETWORK },
	{ "sun.nio.ch.NioSocketImpl.tryRead", WAIT_NETWORK },
	{ "sun.nio.ch.NioSocketImpl.implConnect", WAIT_NETWORK },
	{ "sun.nio.ch.SocketChannelImpl.blockingRead", WAIT_NETWORK },
	{ "java.net.SocketInputStream.socketRead0", WAIT_NETWORK },
	/* Clients that wait for an answer in poll(2), which has a timeout: resolvers, databases, HTTP, CPython, Ruby. */
	{ "getaddrinfo", WAIT_NETWORK },
	{ "__GI_getaddrinfo", WAIT_NETWORK },
	{ "gethostby*", WAIT_NETWORK },
	{ "__res_context_send", WAIT_NETWORK },
	{ "PQexec*", WAIT_NETWORK },
	{ "PQgetResult", WAIT_NETWORK },
	{ "PQconnect*", WAIT_NETWORK },
	{ "pqWait*", WAIT_NETWORK },
	{ "mysql_real_*", WAIT_NETWORK },
	{ "mysql_query", WAIT_NETWORK },
	{ "mysql_store_result", WAIT_NETWORK },
	{ "mysql_stmt_execute", WAIT_NETWORK },
	{ "mysqlnd_*", WAIT_NETWORK },
	{ "curl_easy_perform", WAIT_NETWORK },
	{ "sock_call_*", WAIT_NETWORK }, /* Modules/socketmodule.c */
	{ "internal_connect", WAIT_NETWORK },
	{ "socket.create_connection", WAIT_NETWORK },
	{ "socket.SocketIO.readinto", WAIT_NETWORK },
	{ "ssl.SSLSocket.*", WAIT_NETWORK },
	{ "psycopg.waiting.*", WAIT_NETWORK },
	{ "jdk.internal.net.http.HttpClientImpl.send", WAIT_NETWORK }, /* its own threads have the connections */
	{ "io.grpc.stub.ClientCalls.blocking*", WAIT_NETWORK },
	{ "io.lettuce.core.internal.Futures.await*", WAIT_NETWORK },
	{ "_php_stream_fill_read_buffer", WAIT_NETWORK },
	{ "php_network_connect_*", WAIT_NETWORK },
	{ "rb_wait_for_single_fd", WAIT_NETWORK },
	{ "rb_io_wait", WAIT_NETWORK },
	{ "sock_accept*", WAIT_WORK },
	{ "socket.socket.accept", WAIT_WORK },
	/* PostgreSQL: src/backend/storage/lmgr, replication/syncrep.c, utils/adt/misc.c */
	{ "pg_sleep", WAIT_SLEEP },
	{ "SyncRepWaitForLSN", WAIT_NETWORK },
	{ "MDL_wait::timed_wait", WAIT_LOCK }, /* of MySQL, and those of InnoDB */
	{ "lock_wait_suspend_thread", WAIT_LOCK },
	{ "sync_array_wait_event", WAIT_LOCK },
	{ "ProcSleep", WAIT_LOCK },
	{ "LWLockAcquire*", WAIT_LOCK },
	{ "LWLockWaitForVar", WAIT_LOCK },

	{ "pysleep", WAIT_SLEEP },            /* CPython up to 3.10 sleeps in select(2) */
	{ "PyEval_RestoreThread", WAIT_GIL }, /* take_gil is inlined there: Python/ceval_gil.c */
	{ "PyEval_AcquireThread", WAIT_GIL },
	{ "_PyThreadState_Attach*", WAIT_GIL },
	{ "_PyParkingLot_Park*", WAIT_ANOTHER_THREAD }, /* without a GIL, threads attach there */
	{ "take_gil*", WAIT_GIL },
	{ "_PyEval_TakeGIL", WAIT_GIL },
	{ "gvl_acquire*", WAIT_GIL }, /* Ruby: thread.c, thread_pthread.c */
	{ "thread_sched_to_running*", WAIT_GIL },
	{ "thread_sched_wait_running_turn*", WAIT_GIL },

	{ "SafepointSynchronize::block", WAIT_PAUSE },
	{ "SafepointMechanism::*", WAIT_PAUSE },
	{ "VMThread::execute", WAIT_PAUSE },
	{ "VMThread::wait_until_executed", WAIT_PAUSE },
	{ "MemAllocator::allocate*", WAIT_PAUSE },
};
static_assert(sizeof(rows) / sizeof(*rows) < 255, "wait_rank() is at most 254");

bool wait_matches(const char *pattern, const char *name, size_t len)
{
	for (; *pattern && *pattern != '*'; pattern++, name++, len--) {
		if (!len || *pattern != *name)
			return false;
	}
	if (!*pattern)
		return !len;
	if (!pattern[1])
		return true;
	for (size_t i = 0; i <= len; i++) {
		if (wait_matches(pattern + 1, name + i, len - i))
			return true;
	}
	return false;
}

size_t wait_name_len(const char *name, size_t len)
{
	return len > 4 && name[len - 1] == ']' && !memcmp(name + len - 4, "_[", 2) ? len - 4 : len;
}

unsigned wait_rank(const char *name, size_t len)
{
	unsigned rank = sizeof(rows) / sizeof(*rows);

	len = wait_name_len(name, len);
	while (rank && !wait_matches(rows[rank - 1].name, name, len))
		rank--;
	return rank;
}

enum wait_kind wait_kind_of(unsigned rank)
{
	return rank ? rows[rank - 1].kind : WAIT_UNKNOWN;
}

bool wait_awaits_child(unsigned rank)
{
	return rank && (!strcmp(rows[rank - 1].name, "do_wait") || !strcmp(rows[rank - 1].name, "kernel_wait4"));
}

bool wait_parks(unsigned rank)
{
	static const char *const begins[] = { "pthread_cond_", "sem_wait", "__new_sem_wait" };

	for (size_t i = 0; rank && i < sizeof(begins) / sizeof(*begins); i++) {
		if (!strncmp(rows[rank - 1].name, begins[i], strlen(begins[i])))
			return true;
	}
	return false;
}

/* ---- words --------------------------------------------------------------------------- */

#define FRAME(kind, frame, word) [WAIT_##kind] = frame,
static const char *const frames[WAIT_KINDS] = { FOLDED_WAIT_TABLE(FRAME) };
#undef FRAME

#define WORD(kind, frame, word) [WAIT_##kind] = word,
static const char *const words[WAIT_KINDS + 1] = { FOLDED_WAIT_TABLE(WORD)[WAIT_KINDS] = "all" };
#undef WORD

const char *wait_frame(enum wait_kind kind)
{
	return frames[kind];
}

const char *wait_word(enum wait_kind kind)
{
	return words[kind];
}

static uint32_t wait_kind_find(const char *word, const char *option)
{
	for (uint32_t i = 0; i < WAIT_KINDS; i++) {
		if (!strcmp(words[i], word))
			return UINT32_C(1) << i;
	}
	if (strcmp(words[WAIT_KINDS], word) != 0)
		nearest_die(option, word, words, WAIT_KINDS + 1);
	return (UINT32_C(1) << WAIT_KINDS) - 1;
}

uint32_t wait_kinds_parse(const char *list, const char *option)
{
	struct str word = { 0 };
	uint32_t kinds = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		str_clear(&word);
		str_add(&word, list, len);
		kinds |= wait_kind_find(word.buf, option);
		list += len + (list[len] == ',');
	}
	str_free(&word);
	if (!kinds)
		die_usage("%s: names no kind of wait", option);
	return kinds;
}
