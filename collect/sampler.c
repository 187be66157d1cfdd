#include "collect/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/rights.h"
#include "core/error.h"
#include "core/memory.h"

static int open_event(const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

bool sampler_probe(const struct event *e)
{
	struct perf_event_attr attr = { .type = e->attr.type,
					.size = sizeof(attr),
					.config = e->attr.config,
					.precise_ip = e->attr.precise_ip,
					.disabled = 1,
					.exclude_kernel = 1 };
	int fd = open_event(&attr, 0, -1);

	/* Without the right to look, the real attempt will say why. */
	if (fd < 0)
		return errno != ENOENT && errno != EOPNOTSUPP && errno != EINVAL && errno != ENODEV;
	close(fd);
	return true;
}

/* Leave out what came to Linux last.  Returns false when nothing is left. */
static bool simplify(struct events *events)
{
	struct perf_event_attr *first = &events->list[0].attr;

	if (first->read_format & PERF_FORMAT_LOST) { /* 6.0 */
		for (size_t i = 0; i < events->count; i++)
			events->list[i].attr.read_format &= ~(uint64_t)PERF_FORMAT_LOST;
	} else if (first->ksymbol) { /* 5.1 */
		first->ksymbol = 0;
	} else {
		return false;
	}
	return true;
}

static int find_attributes(struct events *events, pid_t tid, int cpu)
{
	for (size_t i = 0; i < events->count; i++) {
		int fd = open_event(&events->list[i].attr, tid, cpu);

		if (fd >= 0)
			close(fd);
		else if (errno == EINVAL && simplify(events))
			i = (size_t)-1; /* again, all of them */
		else
			return -errno;
	}
	return 0;
}

static int keep_fd(struct sampler *s, int fd)
{
	s->fds = xgrow(s->fds, &s->fd_cap, s->fd_count + 1, sizeof(*s->fds));
	return s->fds[s->fd_count++] = fd;
}

/* A ring for each CPU.  It belongs to an event that counts nothing, in our own
 * process: an event of a target stops telling about its ring when the target ends.
 * Returns 0, -1 after a message; -ENOBUFS when we may not lock so much memory. */
static int try_rings(struct sampler *s, const struct perf_event_attr *sampled,
		     const struct cpus *cpus)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.exclude_kernel = 1,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = sampled->clockid,
		.watermark = 1,
		.wakeup_watermark = sampled->wakeup_watermark,
	};

	for (size_t c = 0; c < cpus->count; c++) {
		int fd = open_event(&attr, 0, cpus->list[c]), err;

		if (fd < 0)
			return error("CPU %d: cannot make a ring: %s", cpus->list[c],
				     strerror(errno));
		err = rings_add(&s->rings, keep_fd(s, fd));
		if (err == -EPERM)
			return -ENOBUFS;
		if (err)
			return error("cannot map a ring of %zu kB: %s", s->rings.size >> 10,
				     strerror(-err));
	}
	return 0;
}

static int open_rings(struct sampler *s, const struct perf_event_attr *sampled,
		      const struct cpus *cpus)
{
	size_t size = s->rings.size;
	int err;

	while ((err = try_rings(s, sampled, cpus)) == -ENOBUFS && size > (size_t)sysconf(_SC_PAGESIZE)) {
		sampler_free(s);
		s->rings.size = size /= 2;
	}
	if (err == -ENOBUFS)
		return error("no memory for rings may be locked (kernel.perf_event_mlock_kb)");
	return err;
}

/* All events for one thread (or -1) on all CPUs.  Returns 1, 0 when the thread is
 * gone, -1 after a message. */
static int open_thread(struct sampler *s, struct events *events, const struct cpus *cpus, pid_t tid)
{
	for (size_t i = 0; i < cpus->count * events->count; i++) {
		size_t c = i / events->count;
		struct event *e = &events->list[i % events->count];
		int fd = open_event(&e->attr, tid, cpus->list[c]);
		uint64_t id;

		if (fd < 0 && errno == ESRCH && tid > 0)
			return 0;
		if (fd < 0)
			return explain_open_failure(e, tid, cpus->list[c], errno);
		keep_fd(s, fd);
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->rings.list[c].fd) ||
		    ioctl(fd, PERF_EVENT_IOC_ID, &id))
			return error("event %s: %s", e->name, strerror(errno));
		event_add_id(e, id);
		if (i || tid < 0)
			continue;
		s->leaders = xgrow(s->leaders, &s->leader_cap, s->leader_count + 1,
				   sizeof(*s->leaders));
		s->leaders[s->leader_count++] = fd;
	}
	return 1;
}

static int open_threads(struct sampler *s, struct events *events, const struct cpus *cpus,
			const struct targets *targets)
{
	size_t opened = 0;

	if (!targets)
		return open_thread(s, events, cpus, -1) < 0 ? -1 : 0;
	for (size_t i = 0; i < targets->count; i++) {
		int result = open_thread(s, events, cpus, targets->list[i].tid);

		if (result < 0)
			return -1;
		opened += (size_t)result;
	}
	return opened ? 0 : error("the threads to be sampled are gone");
}

/* A thread to try attributes on: one that lives. */
static int prepare(struct events *events, const struct cpus *cpus, const struct targets *targets)
{
	size_t count = targets ? targets->count : 1;

	for (size_t i = 0; i < count; i++) {
		pid_t tid = targets ? targets->list[i].tid : -1;
		int err = find_attributes(events, tid, cpus->list[0]);

		if (!err)
			return 0;
		if (err == -ESRCH && i + 1 < count)
			continue;
		/* Which of the events was it? */
		for (size_t e = 0; e < events->count; e++) {
			int fd = open_event(&events->list[e].attr, tid, cpus->list[0]);

			if (fd < 0)
				return explain_open_failure(&events->list[e], tid, cpus->list[0],
							    errno);
			close(fd);
		}
	}
	return error("the threads to be sampled are gone");
}

int sampler_open(struct sampler *s, struct events *events, const struct cpus *cpus,
		 const struct targets *targets, size_t ring_size)
{
	*s = (struct sampler){ .rings.size = ring_size };
	if (prepare(events, cpus, targets) || open_rings(s, &events->list[0].attr, cpus) ||
	    open_threads(s, events, cpus, targets))
		return -1;
	if (s->rings.size < ring_size)
		warn("rings of %zu kB instead of %zu kB: kernel.perf_event_mlock_kb is %lld",
		     s->rings.size >> 10, ring_size >> 10,
		     (long long)read_sysctl("kernel/perf_event_mlock_kb", 0));
	return 0;
}

/* All events that this process opened, in one call. */
void sampler_start(void)
{
	prctl(PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0);
}

void sampler_stop(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
}

uint64_t sampler_dropped(const struct sampler *s)
{
	struct {
		uint64_t value, id, lost; /* PERF_FORMAT_ID, PERF_FORMAT_LOST */
	} count;
	uint64_t dropped = 0;

	for (size_t i = 0; i < s->fd_count; i++) {
		if (read(s->fds[i], &count, sizeof(count)) == (ssize_t)sizeof(count))
			dropped += count.lost;
	}
	return dropped;
}

void sampler_free(struct sampler *s)
{
	rings_free(&s->rings);
	for (size_t i = 0; i < s->fd_count; i++)
		close(s->fds[i]);
	free(s->fds);
	free(s->leaders);
	*s = (struct sampler){0};
}
