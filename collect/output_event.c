#include "collect/output_event.h"

#include <sys/ioctl.h>

#include "core/memory.h"

size_t output_event_add(struct events *events, const char *recorded_as, const struct sampling *how)
{
	struct sampling own = *how;
	struct event *e;

	own.period = 1;
	own.inherit = own.on_exec = false; /* of a CPU */
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

int output_event_start(const struct event *e, int map_fd)
{
	(void)e, (void)map_fd;
	return -1;
}

#else

#include <bpf/bpf.h>

int output_event_start(const struct event *e, int map_fd)
{
	for (size_t i = 0; i < e->fd_count; i++) {
		int cpu = e->fds[i].cpu, fd = e->fds[i].fd;

		if (bpf_map_update_elem(map_fd, &cpu, &fd, BPF_ANY) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			return -1;
	}
	return 0;
}

#endif
