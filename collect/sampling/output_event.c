#include "collect/sampling/output_event.h"

#include <sys/ioctl.h>

#include "core/memory.h"

size_t output_event_add(struct events *events, const char *recorded_as, const struct sampling *how)
{
	struct sampling own = *how;
	struct event *e;

	own.period = 1;
	own.inherit = own.on_exec = false; /* the event is on a CPU, not on a thread */
	events->list = xgrow(events->list, &events->cap, events->count + 1, sizeof(*e));
	e = &events->list[events->count];
	*e = (struct event){
		.name = xstrdup(recorded_as),
		.everybody = true,
		.recorded_as = recorded_as,
		.attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(e->attr), .config = PERF_COUNT_SW_BPF_OUTPUT },
	};
	event_configure(e, &own);
	e->attr.sample_type |= PERF_SAMPLE_RAW;
	return events->count++;
}

#ifdef NO_BPF

int output_event_start(struct event *e, int map_fd)
{
	(void)e, (void)map_fd;
	return -1;
}

int output_event_start_on(const struct event *e, int cpu, int fd)
{
	(void)e, (void)cpu, (void)fd;
	return -1;
}

#else

#include <bpf/bpf.h>

int output_event_start_on(const struct event *e, int cpu, int fd)
{
	return bpf_map_update_elem(e->output_map, &cpu, &fd, BPF_ANY) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? -1 : 0;
}

int output_event_start(struct event *e, int map_fd)
{
	e->output_map = map_fd;
	for (size_t i = 0; i < e->fd_count; i++) {
		if (output_event_start_on(e, e->fds[i].cpu, e->fds[i].fd))
			return -1;
	}
	return 0;
}

#endif
