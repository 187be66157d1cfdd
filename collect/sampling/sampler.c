#include "collect/sampling/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/recording/refusal.h"
#include "collect/sampling/output_event.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"

enum { WATCHES_PER_RING = 64 };

static int open_attr(const struct perf_event_attr *attr, pid_t tid, int cpu, unsigned long flags)
{
	struct perf_event_attr asked = *attr;

	/* exclude_kernel already keeps kernel chains out, but some kernels (Debian's 6.12.117) refuse them if the
	 * kernel may not be sampled, so exclude these, too.  The recorded attributes stay as they are: recording.h. */
	asked.exclude_callchain_kernel |= asked.exclude_kernel;
	return (int)syscall(SYS_perf_event_open, &asked, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC | flags);
}

/* tid -1: for all threads, or those of the event's control group */
static int sampler_open_event(const struct event *e, pid_t tid, int cpu)
{
	if (e->cgroup && tid < 0)
		return open_attr(&e->attr, e->cgroup, cpu, PERF_FLAG_PID_CGROUP);
	return open_attr(&e->attr, tid, cpu, 0);
}

bool sampler_probe(const struct event *e)
{
	struct perf_event_attr attr = { .type = e->attr.type,
					.size = sizeof(attr),
					.config = e->attr.config,
					.precise_ip = e->attr.precise_ip,
					.disabled = 1,
					.exclude_kernel = 1 };
	int fd = open_attr(&attr, 0, -1, 0);

	/* We have no right to try; the real attempt will report why. */
	if (fd < 0)
		return errno != ENOENT && errno != EOPNOTSUPP && errno != EINVAL && errno != ENODEV;
	close(fd);
	return true;
}

bool sampler_probe_cpu(const struct event *e, int cpu)
{
	int fd = open_attr(&e->attr, -1, cpu, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Drop the newest attribute that an event has.  Returns false if there is none left to drop. */
static bool simplify(struct events *events)
{
	bool lost = false, ksymbol = false;

	for (size_t i = 0; i < events->count; i++) {
		lost |= events->list[i].attr.read_format & PERF_FORMAT_LOST; /* since Linux 6.0 */
		ksymbol |= events->list[i].attr.ksymbol;                     /* since Linux 5.1 */
	}
	for (size_t i = 0; i < events->count; i++) {
		if (lost)
			events->list[i].attr.read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		else
			events->list[i].attr.ksymbol = 0;
	}
	return lost || ksymbol;
}

/* Find the attributes that this kernel accepts.  Returns 0, or -errno and the event. */
static int find_attributes(struct events *events, pid_t tid, int cpu, const struct event **refused)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *e = &events->list[i];
		int fd = event_is_ours(e) ? 0 : sampler_open_event(e, e->everybody ? -1 : tid, cpu);

		if (fd > 0)
			close(fd);
		if (fd >= 0)
			continue;
		if (errno == EINVAL && simplify(events)) {
			i = (size_t)-1; /* try all events again */
			continue;
		}
		*refused = e;
		return -errno;
	}
	return 0;
}

static int keep_fd(struct sampler *s, int fd)
{
	s->fds = xgrow(s->fds, &s->fd_cap, s->fd_count + 1, sizeof(*s->fds));
	return s->fds[s->fd_count++] = fd;
}

/* An event in our own process that owns a ring.  An event on a target stops polling its ring when the target ends. */
static int open_ring_event(size_t size, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.exclude_kernel = 1,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(size / 4),
	};

	return open_attr(&attr, 0, cpu, 0);
}

/* Make a ring for each CPU.  Returns 0, -1 after a message; -ENOBUFS if we may not lock that much memory. */
static int try_rings(struct sampler *s, const struct cpus *cpus)
{
	for (size_t c = 0; c < cpus->count; c++) {
		int fd = open_ring_event(s->rings.size, cpus->list[c]), err;

		if (fd < 0)
			return error("CPU %d: cannot make a ring: %s", cpus->list[c],
				     refusal_limit(errno) ?: strerror(errno));
		err = rings_add(&s->rings, keep_fd(s, fd), cpus->list[c]);
		if (err == -EPERM)
			return -ENOBUFS;
		if (err)
			return error("cannot map a ring of %s: %s%s", size_text(s->rings.size).text,
				     refusal_limit(-err) ?: strerror(-err),
				     err == -ENOMEM ? " (-m makes it smaller)" : "");
	}
	return 0;
}

static int open_rings(struct sampler *s, const struct cpus *cpus)
{
	size_t size = s->rings.size;
	int err;

	while ((err = try_rings(s, cpus)) == -ENOBUFS && size > (size_t)sysconf(_SC_PAGESIZE)) {
		sampler_free(s);
		s->rings.size = size /= 2;
		s->cpus = cpus;
	}
	if (err == -ENOBUFS)
		return error("no right to lock memory for rings (kernel.perf_event_mlock_kb)");
	return err;
}

static int ring_of(const struct sampler *s, int cpu)
{
	return rings_of_cpu(&s->rings, cpu)->fd;
}

/* Let the event's BPF program choose its samples.  Returns 0, or -1 and errno.  If it keeps all, we can do without. */
static int sampler_set_filter(const struct event *e, int fd)
{
	return e->filter && ioctl(fd, PERF_EVENT_IOC_SET_BPF, e->filter) && e->everybody ? -1 : 0;
}

/* Open one event for one thread (-1: all threads) on one CPU, into a ring.  Returns its fd, -ESRCH if the thread is
 * gone, -1 after a message. */
static int open_one(struct sampler *s, struct event *e, int cpu, pid_t tid, int ring)
{
	int fd = sampler_open_event(e, tid, cpu);
	uint64_t id;

	if (fd < 0 && errno == ESRCH && tid > 0)
		return -ESRCH;
	if (fd < 0)
		return explain_open_failure(e, tid, cpu, errno);
	keep_fd(s, fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) || ioctl(fd, PERF_EVENT_IOC_ID, &id) ||
	    sampler_set_filter(e, fd))
		return error("event %s: %s", e->name, strerror(errno));
	event_add_id(e, id);
	event_add_fd(e, fd, cpu);
	return fd;
}

/* The ring for one more event that is only watched for its end.  When such an event ends, the kernel wakes all events
 * that share its ring (ring_buffer_wakeup()); in a single ring, 5,000 threads would take a minute to end. */
static int watch_ring(struct sampler *s, int cpu)
{
	struct rings *own = &s->watch_rings;
	int fd;

	if (s->leader_count % WATCHES_PER_RING == 0) {
		own->size = (size_t)sysconf(_SC_PAGESIZE);
		fd = open_ring_event(own->size, cpu);
		if (fd >= 0)
			rings_add(own, keep_fd(s, fd), cpu);
	}
	return own->count ? own->list[own->count - 1].fd : ring_of(s, cpu);
}

/* Open an event that does nothing but hang up when the thread and its children have ended.  As children inherit it,
 * each switch of these threads costs 0.6 us more. */
static int open_watch(struct sampler *s, int cpu, pid_t tid, const struct sampling *how)
{
	struct events one = { 0 };
	int fd;

	events_add_dummy(&one);
	event_configure(&one.list[0], how);
	one.list[0].attr.read_format &= ~(uint64_t)PERF_FORMAT_LOST; /* since Linux 6.0 */
	fd = open_one(s, &one.list[0], cpu, tid, watch_ring(s, cpu));
	events_free(&one);
	return fd;
}

static const struct cpus *sampler_cpus_of(const struct sampler *s, const struct event *e, const struct cpus *chosen)
{
	return e->everywhere ? s->cpus : chosen;
}

/* The kernel does not report the end of a thread that has no events of its own. */
static bool sampler_lives(pid_t tid)
{
	char state;
	pid_t parent;

	return read_stat(tid, &state, &parent) && state != 'Z' && state != 'X';
}

/* Open the events for a thread.  Returns 1, 0 if the thread is gone, -1 after a message. */
static int open_thread(struct sampler *s, struct events *events, const struct cpus *chosen, pid_t tid,
		       const struct sampling *how)
{
	int leader = -1;

	for (size_t i = 0; i < events->count; i++) {
		struct event *e = &events->list[i];
		const struct cpus *cpus = sampler_cpus_of(s, e, chosen);

		for (size_t c = 0; c < cpus->count && !event_is_ours(e) && !e->everybody; c++) {
			int fd = open_one(s, e, cpus->list[c], tid, ring_of(s, cpus->list[c]));

			if (fd < 0)
				return fd == -ESRCH ? 0 : -1;
			if (leader < 0)
				leader = fd;
		}
	}
	if (leader < 0 && how->unwatched)
		return sampler_lives(tid);
	if (leader < 0)
		leader = open_watch(s, chosen->list[0], tid, how);
	if (leader < 0)
		return leader == -ESRCH ? 0 : -1;
	s->leaders = xgrow(s->leaders, &s->leader_cap, s->leader_count + 1, sizeof(*s->leaders));
	s->leaders[s->leader_count++] = leader;
	return 1;
}

static int open_for_all(struct sampler *s, struct event *e, const struct cpus *cpus)
{
	for (size_t c = 0; c < cpus->count; c++) {
		if (open_one(s, e, cpus->list[c], -1, ring_of(s, cpus->list[c])) < 0)
			return -1;
	}
	return 0;
}

int sampler_open(struct sampler *s, struct events *events, const struct cpus *cpus, const struct targets *targets,
		 const struct sampling *how)
{
	size_t opened = 0;

	for (size_t i = 0; i < events->count; i++) {
		struct event *e = &events->list[i];

		if (!event_is_ours(e) && (e->everybody || !targets) && open_for_all(s, e, sampler_cpus_of(s, e, cpus)))
			return -1;
	}
	for (size_t i = 0; targets && i < targets->count; i++) {
		int result = open_thread(s, events, cpus, targets->list[i].tid, how);

		if (result < 0)
			return -1;
		opened += (size_t)result;
	}
	return opened || !targets ? 0 : SAMPLER_GONE;
}

/* --- a CPU that is new, or came back --------------------------------------------------- */

/* The event's id in the recording.  An event that is opened again keeps its first id. */
static uint64_t sampler_recorded_id(const struct event *e, int cpu)
{
	for (size_t i = 0; i < e->fd_count && i < e->id_count; i++) {
		if (e->fds[i].cpu == cpu)
			return e->ids[i];
	}
	return e->ids[0];
}

/* Open an event after the recording began.  Returns 0; or -1, since the CPU or the thread may be gone again. */
static int open_late(struct sampler *s, struct event *e, int cpu, pid_t tid)
{
	int fd = sampler_open_event(e, tid, cpu);
	uint64_t id;

	if (fd < 0)
		return -1;
	keep_fd(s, fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_of(s, cpu)) || ioctl(fd, PERF_EVENT_IOC_ID, &id) ||
	    sampler_set_filter(e, fd))
		return -1;
	ring_rename_id(rings_of_cpu(&s->rings, cpu), id, sampler_recorded_id(e, cpu));
	if (e->output_map)
		return output_event_start_on(e, cpu, fd);
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? -1 : 0;
}

int sampler_add_cpu(struct sampler *s, struct events *events, int cpu, bool chosen, const struct targets *targets)
{
	struct cpus one = { .list = &cpu, .count = 1 };
	bool is_new = !rings_of_cpu(&s->rings, cpu);
	int status = 0;

	if (is_new && try_rings(s, &one))
		return -1;
	for (size_t i = 0; i < events->count; i++) {
		struct event *e = &events->list[i];

		if (event_is_ours(e) || !(chosen || e->everywhere))
			continue;
		if ((e->everybody || !targets) && open_late(s, e, cpu, -1))
			status = -1;
		/* Events of threads outlive the CPU. */
		for (size_t t = 0; is_new && !e->everybody && targets && t < targets->count; t++)
			open_late(s, e, cpu, targets->list[t].tid);
	}
	return status;
}

/* Try out the attributes on a living thread. */
static int try_attributes(struct events *events, const struct cpus *cpus, const struct targets *targets)
{
	size_t count = targets ? targets->count : 1;

	for (size_t i = 0; i < count; i++) {
		pid_t tid = targets ? targets->list[i].tid : -1;
		const struct event *refused = NULL;
		int err = find_attributes(events, tid, cpus->list[0], &refused);

		if (!err)
			return 0;
		if (err != -ESRCH || refused->everybody || !targets)
			return explain_open_failure(refused, refused->everybody ? -1 : tid, cpus->list[0], -err);
	}
	return SAMPLER_GONE;
}

/* Report that rings are smaller than wanted.  As this is usual for ordinary users who record stacks, only where it
 * matters. */
static void say_ring_size(const struct sampler *s, const struct events *events, const struct sampling *how)
{
	enum { FEW_SAMPLES = 64 };
	long long limit = read_sysctl("kernel/perf_event_mlock_kb", 0);
	size_t bytes = 0;

	for (size_t i = 0; i < events->count; i++) {
		if (events->list[i].attr.sample_stack_user > bytes)
			bytes = events->list[i].attr.sample_stack_user;
	}
	if (bytes && s->rings.size / bytes < FEW_SAMPLES)
		warn("rings of %s hold %zu samples with %zu bytes of stack; kernel.perf_event_mlock_kb "
		     "is %lld: if samples are lost, lower -F or the bytes",
		     size_text(s->rings.size).text, s->rings.size / bytes, bytes, limit);
	else if (how->ring_size != rings_choose_size(0, s->cpus->count, bytes) || !bytes)
		warn("rings of %s instead of %s: kernel.perf_event_mlock_kb is %lld", size_text(s->rings.size).text,
		     size_text(how->ring_size).text, limit);
}

int sampler_prepare(struct sampler *s, struct events *events, const struct cpus *all, const struct cpus *cpus,
		    const struct targets *targets, const struct sampling *how)
{
	int err;

	*s = (struct sampler){ .rings.size = how->ring_size, .cpus = all };
	err = try_attributes(events, cpus, targets);
	if (err || open_rings(s, all))
		return err == SAMPLER_GONE ? err : -1;
	if (s->rings.size < how->ring_size)
		say_ring_size(s, events, how);
	/* A record with the sums of a second comes after that second. */
	for (size_t i = 0; i < events->count; i++)
		s->rings.no_rounds |= event_is_ours(&events->list[i]);
	return 0;
}

/* Start all events that this process opened, in one call. */
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
		uint64_t value, id, lost; /* with PERF_FORMAT_ID and PERF_FORMAT_LOST */
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
	rings_free(&s->watch_rings);
	for (size_t i = 0; i < s->fd_count; i++)
		close(s->fds[i]);
	free(s->fds);
	free(s->leaders);
	*s = (struct sampler){ 0 };
}
