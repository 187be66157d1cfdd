#include "collect/locks/thread_clocks.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PERIOD_NS = 50000 }; /* of the thread's CPU time */

static struct thread_clock *thread_clocks_find(struct thread_clocks *c, uint32_t tid)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->list[i].tid == tid)
			return &c->list[i];
	}
	return NULL;
}

void thread_clocks_add(struct thread_clocks *c, uint32_t tid, int program, const struct locks_wanted *wanted)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.disabled = 1,
	};
	struct thread_clock *known = thread_clocks_find(c, tid);
	int fd;

	if (known) {
		known->wanted = *wanted;
		return;
	}
	if (c->count == LOCKS_WANTED_MAX)
		return;
	fd = (int)syscall(SYS_perf_event_open, &attr, (pid_t)tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd);
		return;
	}
	c->list[c->count++] = (struct thread_clock){ .tid = tid, .fd = fd, .wanted = *wanted };
}

void thread_clocks_remove(struct thread_clocks *c, size_t i)
{
	close(c->list[i].fd);
	c->list[i] = c->list[--c->count];
}

void thread_clocks_free(struct thread_clocks *c)
{
	while (c->count)
		thread_clocks_remove(c, c->count - 1);
}
