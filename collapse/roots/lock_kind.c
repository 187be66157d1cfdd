#include "collapse/roots/lock_kind.h"

#include "collapse/roots/wait_kind.h"
#include "core/format/recording.h"

/* Functions by kind, in order of weight: in a stack with several of these, the last one in this list counts.  glibc,
 * Rust, Go, Python, HotSpot. */
static const struct {
	const char *name; /* as for wait_matches() */
	enum futex_kind kind;
} rows[] = {
	{ "pthread_cond_wait*", FUTEX_CONDITION },
	{ "pthread_cond_timedwait*", FUTEX_CONDITION },
	{ "pthread_cond_clockwait*", FUTEX_CONDITION },
	{ "__pthread_cond_*wait*", FUTEX_CONDITION },
	{ "___pthread_cond_*wait*", FUTEX_CONDITION },
	{ "std::*Condvar*wait*", FUTEX_CONDITION },
	{ "parking_lot::condvar::*wait*", FUTEX_CONDITION },
	{ "sem_wait*", FUTEX_SEMAPHORE },
	{ "sem_timedwait*", FUTEX_SEMAPHORE },
	{ "sem_clockwait*", FUTEX_SEMAPHORE },
	{ "__new_sem_wait*", FUTEX_SEMAPHORE },
	{ "pthread_barrier_wait*", FUTEX_BARRIER },
	{ "__pthread_barrier_wait*", FUTEX_BARRIER },
	{ "___pthread_barrier_wait*", FUTEX_BARRIER },
	{ "pthread_rwlock_*lock*", FUTEX_RWLOCK },
	{ "__pthread_rwlock_*lock*", FUTEX_RWLOCK },
	{ "___pthread_rwlock_*lock*", FUTEX_RWLOCK },
	{ "std::*RwLock*", FUTEX_RWLOCK },
	{ "std::*rwlock*", FUTEX_RWLOCK },
	{ "parking_lot::raw_rwlock::*", FUTEX_RWLOCK },

	/* In the end, pthread_cond_wait() takes its mutex again, so a mutex weighs more than a condition. */
	{ "pthread_mutex_*lock*", FUTEX_MUTEX },
	{ "__pthread_mutex_*lock*", FUTEX_MUTEX },
	{ "___pthread_mutex_*lock*", FUTEX_MUTEX },
	{ "__GI___pthread_mutex_*lock*", FUTEX_MUTEX },
	{ "__lll_lock_wait*", FUTEX_MUTEX },
	{ "__GI___lll_lock_wait*", FUTEX_MUTEX },
	{ "std::*Mutex*lock*", FUTEX_MUTEX },
	{ "parking_lot::raw_mutex::*", FUTEX_MUTEX },
	{ "pthread_once*", FUTEX_ONCE },
	{ "__pthread_once*", FUTEX_ONCE },
	{ "std::*Once*call*", FUTEX_ONCE },
	{ "pthread_join*", FUTEX_JOIN },
	{ "__pthread_*join*", FUTEX_JOIN },
	{ "pthread_timedjoin_np*", FUTEX_JOIN },
	{ "pthread_clockjoin_np*", FUTEX_JOIN },

	{ "runtime.futex", FUTEX_GO },
	{ "runtime.futexsleep", FUTEX_GO },
	{ "PyThread_acquire_lock_timed*", FUTEX_PYTHON },
	{ "take_gil", FUTEX_GIL },
	{ "_PyEval_TakeGIL", FUTEX_GIL },

	{ "Parker::park*", FUTEX_JAVA_PARK },
	{ "Unsafe_Park", FUTEX_JAVA_PARK },
	{ "jdk.internal.misc.Unsafe.park", FUTEX_JAVA_PARK },
	{ "sun.misc.Unsafe.park", FUTEX_JAVA_PARK },
	{ "java.util.concurrent.locks.LockSupport.park*", FUTEX_JAVA_PARK },
	{ "JVM_Sleep", FUTEX_JAVA_SLEEP },
	{ "java.lang.Thread.sleep*", FUTEX_JAVA_SLEEP },
	{ "ObjectMonitor::wait*", FUTEX_JAVA_WAIT },
	{ "java.lang.Object.wait*", FUTEX_JAVA_WAIT },
	{ "JVM_MonitorWait", FUTEX_JAVA_WAIT },
	{ "ObjectMonitor::enter*", FUTEX_JAVA_MONITOR },
	{ "ObjectMonitor::EnterI*", FUTEX_JAVA_MONITOR },
	{ "ObjectMonitor::ReenterI*", FUTEX_JAVA_MONITOR },
	{ "ObjectMonitor::reenter*", FUTEX_JAVA_MONITOR },
	{ "ObjectSynchronizer::enter*", FUTEX_JAVA_MONITOR },
	{ "SharedRuntime::*monitor_locking*", FUTEX_JAVA_MONITOR },
	{ "InterpreterRuntime::monitorenter*", FUTEX_JAVA_MONITOR },
	{ "Runtime1::monitorenter*", FUTEX_JAVA_MONITOR },
};

unsigned futex_rank(const char *name, size_t len)
{
	unsigned rank = sizeof(rows) / sizeof(*rows);

	len = wait_name_len(name, len);
	while (rank && !wait_matches(rows[rank - 1].name, name, len))
		rank--;
	return rank;
}

enum futex_kind futex_kind_of(unsigned rank)
{
	return rank ? rows[rank - 1].kind : FUTEX_UNKNOWN;
}

const char *futex_word(enum futex_kind kind)
{
#define WORD(kind, word) [FUTEX_##kind] = word,
	static const char *const words[FUTEX_KINDS] = { FUTEX_KIND_TABLE(WORD) };
#undef WORD

	return words[kind];
}

void lock_kind_add(struct str *out, uint32_t lock, const char *futex)
{
	static const char *const kinds[RECORDING_LOCK_KINDS] = {
		[RECORDING_LOCK_PI] = "pi-mutex",          [RECORDING_LOCK_SPIN] = "kernel-spin",
		[RECORDING_LOCK_RWLOCK] = "kernel-rwlock", [RECORDING_LOCK_MUTEX] = "kernel-mutex",
		[RECORDING_LOCK_RWSEM] = "kernel-rwsem",   [RECORDING_LOCK_RTMUTEX] = "kernel-rtmutex",
		[RECORDING_LOCK_PERCPU] = "kernel-percpu",
	};
	uint32_t kind = lock & RECORDING_LOCK_KIND;

	if (kind == RECORDING_LOCK_FUTEX)
		str_puts(out, futex ? futex : futex_word(FUTEX_UNKNOWN));
	else
		str_puts(out, kind < RECORDING_LOCK_KINDS ? kinds[kind] : "lock");
	if (lock & RECORDING_LOCK_READ)
		str_puts(out, "-read");
	if (lock & RECORDING_LOCK_WRITE)
		str_puts(out, "-write");
	if (lock & RECORDING_LOCK_MMAP)
		str_puts(out, " mmap_lock");
}
