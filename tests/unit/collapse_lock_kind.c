/* The kind of a futex, by the functions in the stack; and names of locks. */
#include <string.h>

#include "collapse/roots/lock_kind.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

/* Stacks, leaf first, and the kind of lock that the most specific function in them shows. */
static const struct {
	const char *word, *stack[4];
} stacks[] = {
	{ "futex", { "syscall", "main" } },
	{ "mutex", { "__GI___lll_lock_wait", "pthread_mutex_lock", "main" } },
	{ "mutex", { "__lll_lock_wait_private", "malloc" } },
	{ "mutex", { "std::sys::sync::mutex::futex::Mutex::lock_contended" } },
	{ "condition", { "__futex_abstimed_wait_common", "pthread_cond_timedwait", "main" } },
	{ "condition", { "pthread_cond_wait@@GLIBC_2.3.2" } },
	{ "mutex", { "__lll_lock_wait", "__pthread_mutex_cond_lock", "pthread_cond_wait" } },
	{ "rwlock", { "__futex_abstimed_wait_common", "pthread_rwlock_rdlock" } },
	{ "semaphore", { "__new_sem_wait_slow64.constprop.0", "sem_wait" } },
	{ "barrier", { "pthread_barrier_wait" } },
	{ "join", { "__futex_abstimed_wait_common", "__pthread_clockjoin_ex" } },
	{ "python-gil", { "pthread_cond_timedwait", "take_gil" } },
	{ "go-runtime", { "runtime.futex", "runtime.futexsleep", "runtime.notesleep" } },
	{ "java-park", { "pthread_cond_wait", "Parker::park", "Unsafe_Park", "jdk.internal.misc.Unsafe.park_[j]" } },
	{ "java-monitor", { "pthread_cond_wait", "os::PlatformEvent::park", "ObjectMonitor::EnterI" } },
	{ "java-wait", { "pthread_cond_wait", "ObjectMonitor::wait", "java.lang.Object.wait" } },
	{ "java-monitor", { "pthread_cond_wait", "ObjectMonitor::ReenterI", "ObjectMonitor::wait" } },
	{ "java-monitor", { "pthread_cond_wait", "Runtime1::monitorenter" } },
	{ "java-sleep", { "pthread_cond_timedwait", "JVM_Sleep", "java.lang.Thread.sleep" } },
};

static void futexes(void)
{
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		unsigned best = 0;

		for (size_t k = 0; k < 4 && stacks[i].stack[k]; k++) {
			unsigned rank = futex_rank(stacks[i].stack[k], strlen(stacks[i].stack[k]));

			best = rank > best ? rank : best;
		}
		CHECK_TEXT(futex_word(futex_kind_of(best)), stacks[i].word);
	}
	CHECK(futex_rank("", 0) == 0);
	CHECK(futex_rank("semaphore", 9) == 0);
}

static const struct {
	uint32_t lock;
	const char *futex, *words;
} locks[] = {
	{ RECORDING_LOCK_FUTEX, "mutex", "mutex" },
	{ RECORDING_LOCK_FUTEX, NULL, "futex" },
	{ RECORDING_LOCK_PI, "mutex", "pi-mutex" },
	{ RECORDING_LOCK_SPIN, "mutex", "kernel-spin" },
	{ RECORDING_LOCK_RWLOCK | RECORDING_LOCK_READ, NULL, "kernel-rwlock-read" },
	{ RECORDING_LOCK_RWSEM | RECORDING_LOCK_WRITE | RECORDING_LOCK_MMAP, NULL, "kernel-rwsem-write mmap_lock" },
	{ RECORDING_LOCK_KINDS, NULL, "lock" }, /* of a later version */
};

static void words(void)
{
	for (size_t i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		struct str out = { 0 };

		lock_kind_add(&out, locks[i].lock, locks[i].futex);
		CHECK_TEXT(str_text(&out), locks[i].words);
		str_free(&out);
	}
}

int main(void)
{
	futexes();
	words();
	return check_done();
}
