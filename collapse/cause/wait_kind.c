#include "collapse/cause/wait_kind.h"

#include <string.h>

/* glibc, the kernel (fs/eventpoll.c, kernel/futex, mm/filemap.c, ...), HotSpot and the JDK, Go, Rust, Python. */
static const struct {
	const char *name; /* "x*": begins with x */
	enum wait_kind kind;
} rows[] = {
	{ "pthread_cond_wait*", WAIT_ANOTHER_THREAD },
	{ "pthread_cond_timedwait*", WAIT_ANOTHER_THREAD },
	{ "pthread_cond_clockwait*", WAIT_ANOTHER_THREAD },
	{ "sem_wait*", WAIT_ANOTHER_THREAD },
	{ "__new_sem_wait*", WAIT_ANOTHER_THREAD },
	{ "pthread_join*", WAIT_ANOTHER_THREAD },
	{ "__pthread_clockjoin_ex", WAIT_ANOTHER_THREAD },
	{ "pthread_barrier_wait", WAIT_ANOTHER_THREAD },
	{ "java.lang.Object.wait*", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.CountDownLatch.await", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.CompletableFuture.get", WAIT_ANOTHER_THREAD },
	{ "java.util.concurrent.FutureTask.get", WAIT_ANOTHER_THREAD },

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
	{ "ObjectMonitor::enter*", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantLock.lock", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantLock$Sync.lock", WAIT_LOCK },
	{ "java.util.concurrent.locks.ReentrantReadWriteLock$*", WAIT_LOCK },
	{ "std::sys::*Mutex*lock*", WAIT_LOCK },
	{ "sync.(*Mutex).Lock*", WAIT_LOCK },
	{ "PyThread_acquire_lock_timed", WAIT_LOCK },
	{ "take_gil", WAIT_LOCK },

	{ "do_wait", WAIT_CHILD },
	{ "kernel_wait4", WAIT_CHILD },

	{ "ep_poll", WAIT_WORK },
	{ "do_epoll_wait", WAIT_WORK },
	{ "do_sys_poll", WAIT_WORK },
	{ "do_poll*", WAIT_WORK },
	{ "do_select", WAIT_WORK },
	{ "inet_csk_accept", WAIT_WORK },
	{ "io_cqring_wait", WAIT_WORK },
	{ "do_sigtimedwait*", WAIT_WORK },
	{ "sigsuspend*", WAIT_WORK },
	{ "pipe_read", WAIT_CHILD },
	{ "anon_pipe_read", WAIT_CHILD },
	{ "pipe_write", WAIT_CHILD },
	{ "anon_pipe_write", WAIT_CHILD },
	{ "unix_stream_data_wait", WAIT_CHILD },
	{ "do_signal_stop", WAIT_WORK },
	{ "n_tty_read", WAIT_WORK },
	{ "pause", WAIT_WORK },
	{ "__do_sys_pause", WAIT_WORK },
	{ "worker_thread", WAIT_WORK },
	{ "kthread", WAIT_WORK },
	{ "java.util.concurrent.ThreadPoolExecutor.getTask", WAIT_WORK },
	{ "java.util.concurrent.ForkJoinPool.awaitWork", WAIT_WORK },
	{ "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take", WAIT_WORK },
	{ "java.lang.ref.ReferenceQueue.remove*", WAIT_WORK },
	{ "java.lang.ref.Reference.waitForReferencePendingList", WAIT_WORK },
	{ "VMThread::loop", WAIT_WORK },
	{ "VMThread::wait_for_vm_thread_exit", WAIT_WORK },
	{ "CompileQueue::get", WAIT_WORK },
	{ "ServiceThread::service_thread_entry", WAIT_WORK },
	{ "MonitorDeflationThread::*", WAIT_WORK },
	{ "WatcherThread::sleep", WAIT_WORK },
	{ "SemaphoreGangTaskDispatcher::worker_wait_for_task", WAIT_WORK },
	{ "os::signal_wait", WAIT_WORK },
	{ "check_pending_signals", WAIT_WORK },
	{ "runtime.findRunnable", WAIT_WORK },
	{ "runtime.mPark", WAIT_WORK },
};

static int matches(const char *pattern, const char *name, size_t len)
{
	size_t want = strlen(pattern);

	if (want && pattern[want - 1] == '*')
		return len >= want - 1 && !memcmp(name, pattern, want - 1);
	return len == want && !memcmp(name, pattern, len);
}

enum wait_kind wait_kind_of(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (matches(rows[i].name, name, len))
			return rows[i].kind;
	}
	return WAIT_UNKNOWN;
}
