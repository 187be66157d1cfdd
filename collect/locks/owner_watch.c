#include "collect/locks/owner_watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "collect/bpf/bpf_ring.h"
#include "collect/locks/locks_program.h"
#include "collect/locks/mutex_owner.h"
#include "collect/spans/held_stack.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/start.h"

enum { SAMPLED_MS = 20, SEEN_MAX = 1024 };

static struct {
	pthread_t thread;
	struct bpf_ring ring;
	int stop_fd;
	bool runs, walks;
	pthread_mutex_t lock;     /* of these: */
	struct owner_seen **seen; /* [count] */
	size_t count, cap;
} watch = { .stop_fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER };

static void owner_watch_seen_free(struct owner_seen *seen)
{
	str_free(&seen->copy);
	free(seen);
}

/* The owner may have changed since the wait began. */
static uint32_t owner_now(const struct locks_record *r)
{
	uint32_t tid = r->lock == RECORDING_LOCK_FUTEX ? mutex_owner_read(r->pid, r->address) : 0;

	return tid ? tid : r->owner_tid;
}

static bool read_user(struct owner_seen *seen)
{
	const struct locks_holder *h = &seen->holder;

	if (h->kernel_thread)
		return true;
	if (!watch.walks || !h->registers) {
		seen->count = held_stack_follow((int)h->tid, h->ip, h->bp, seen->followed, LOCKS_FRAMES);
		return seen->count > 0;
	}
	str_add(&seen->copy, (const char *)h->copy, sizeof(h->copy));
	return held_stack_complete((int)h->pid, (int)h->tid, h->sp, &seen->copy);
}

static bool has_run(const struct locks_holder *h)
{
	struct locks_holder after;

	return !locks_program_look_at(h->tid, &after) || after.runs || after.run_ns != h->run_ns;
}

static void forget_oldest(void)
{
	owner_watch_seen_free(watch.seen[0]);
	memmove(watch.seen, watch.seen + 1, --watch.count * sizeof(*watch.seen));
}

/* The wait goes on, so there is no record of it yet. */
static bool owner_watch_keep(struct owner_seen *seen, const struct locks_record *r)
{
	bool kept = false;

	pthread_mutex_lock(&watch.lock);
	if (locks_program_is_held(r)) {
		if (watch.count == SEEN_MAX) /* of a thread that ended */
			forget_oldest();
		watch.seen = xgrow(watch.seen, &watch.cap, watch.count + 1, sizeof(*watch.seen));
		watch.seen[watch.count++] = seen;
		kept = true;
	}
	pthread_mutex_unlock(&watch.lock);
	return kept;
}

static void owner_watch_look(void *context, const void *data, size_t size)
{
	const struct locks_record *r = data;
	struct owner_seen *seen;
	uint32_t tid;

	(void)context;
	if (size < offsetof(struct locks_record, stack))
		return;
	if (r->kind == LOCKS_COMPAT)
		locks_program_see_compat();
	if (r->kind != LOCKS_LASTS || !locks_program_is_held(r))
		return;
	tid = owner_now(r);
	seen = xcalloc(1, sizeof(*seen));
	seen->pid = r->pid;
	seen->tid = r->tid;
	seen->cpu = r->cpu;
	seen->begun = r->begun;
	seen->time_ns = r->until_ns;
	if (!locks_program_look_at(tid, &seen->holder)) {
		owner_watch_seen_free(seen);
		return;
	}
	if (!seen->holder.runs && read_user(seen) && !has_run(&seen->holder)) {
		if (!owner_watch_keep(seen, r))
			owner_watch_seen_free(seen);
		return;
	}
	locks_program_sample(tid, r);
	owner_watch_seen_free(seen);
}

static void *owner_watch_run(void *unused)
{
	struct pollfd wait[] = { { watch.stop_fd, POLLIN, 0 }, { bpf_ring_fd(&watch.ring), POLLIN, 0 } };
	bool samples = false;

	(void)unused;
	for (;;) {
		if (poll(wait, 2, samples ? SAMPLED_MS : -1) < 0 && errno != EINTR)
			break;
		if (wait[0].revents)
			break;
		bpf_ring_drain(&watch.ring);
		samples = locks_program_end_samples();
	}
	return NULL;
}

int owner_watch_start(bool walks)
{
	sigset_t all, before;
	int err;

	watch.walks = walks;
	watch.stop_fd = eventfd(0, EFD_CLOEXEC);
	if (watch.stop_fd < 0 || bpf_ring_open(&watch.ring, locks_program_lasting(), owner_watch_look, NULL))
		return error("locks: cannot watch owners: %s", strerror(errno));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&watch.thread, NULL, owner_watch_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return error("locks: cannot start a thread: %s", start_failure(err));
	watch.runs = true;
	return 0;
}

void owner_watch_take(uint32_t tid, uint64_t begun, void (*take)(const struct owner_seen *seen))
{
	size_t left = 0;

	pthread_mutex_lock(&watch.lock);
	for (size_t i = 0; i < watch.count; i++) {
		struct owner_seen *seen = watch.seen[i];

		if (seen->tid == tid && seen->begun == begun)
			take(seen);
		if (seen->tid == tid && seen->begun <= begun)
			owner_watch_seen_free(seen);
		else
			watch.seen[left++] = seen;
	}
	watch.count = left;
	pthread_mutex_unlock(&watch.lock);
}

void owner_watch_stop(void)
{
	uint64_t one = 1;

	if (!watch.runs)
		return;
	watch.runs = false;
	if (write(watch.stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(watch.thread, NULL);
}

void owner_watch_free(void)
{
	owner_watch_stop();
	for (size_t i = 0; i < watch.count; i++)
		owner_watch_seen_free(watch.seen[i]);
	free(watch.seen);
	watch.seen = NULL;
	watch.count = watch.cap = 0;
	bpf_ring_close(&watch.ring);
	if (watch.stop_fd >= 0)
		close(watch.stop_fd);
	watch.stop_fd = -1;
}
