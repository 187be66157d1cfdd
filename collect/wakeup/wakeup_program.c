#include "collect/wakeup/wakeup_program.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "collect/bpf/sched_switch.h"

#include "bpf/wakeup.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

struct span_program wakeup_program = {
	.name = "wakeup",
	.event_name = RECORDING_WAKEUP,
	.bytes = wakeup_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct {
	struct wakeup_bpf *skeleton;
	struct wakeup_slot *slots;
	size_t slots_size;
} own;

int wakeup_program_load(const struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup)
{
	struct wakeup_bpf *s;

	if (span_program_check(&wakeup_program))
		return -1;
	s = own.skeleton = wakeup_bpf__open();
	if (!s)
		return bpf_failure("wakeup", "open its program", errno);
	wakeup_program.object = SPAN_OBJECT(s);
	if (sched_switch_choose("wakeup", s->progs.wakeup_switch, s->progs.wakeup_switch_old, NULL))
		return -1;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->max_slots = threads;
	bpf_map__set_max_entries(s->maps.slots, threads);
	bpf_map__set_max_entries(s->maps.stacks, threads);
	bpf_map__set_max_entries(s->maps.free_slots, threads);
	if (wakeup_program.walk.is_on) {
		bpf_map__set_value_size(s->maps.kept, USER_COPY_MAX);
		bpf_map__set_max_entries(s->maps.kept, WAKEUP_COPIES);
	}
	if (span_program_load(&wakeup_program, c, min_ns, cgroup))
		return -1;
	own.slots = bpf_map_memory("wakeup", s->maps.slots, sizeof(*own.slots), &own.slots_size);
	return own.slots ? 0 : -1;
}

const struct wakeup_slot *wakeup_program_slots(size_t *count)
{
	uint32_t used = own.skeleton->bss->next_slot, max = own.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return own.slots;
}

void wakeup_program_free(void)
{
	if (own.slots)
		munmap(own.slots, own.slots_size);
	span_program_free(&wakeup_program);
	memset(&own, 0, sizeof(own));
}
