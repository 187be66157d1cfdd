#include "collect/offcpu/offcpu_program.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/bpf/sched_switch.h"

#include "bpf/offcpu.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

struct span_program offcpu_program = {
	.name = "offcpu",
	.event_name = RECORDING_OFFCPU,
	.bytes = offcpu_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratches",
};

static struct {
	struct offcpu_bpf *skeleton;
	volatile struct offcpu_slot *slots;
	size_t slots_size;
} own;

static int offcpu_program_choose(struct offcpu_bpf *s, const struct offcpu_rules *rules)
{
	bool at_exit;

	if (sched_switch_choose("offcpu", s->progs.offcpu_switch, s->progs.offcpu_switch_old, &at_exit))
		return -1;
	at_exit &= !rules->at_return;
	bpf_program__set_autoload(s->progs.offcpu_exit, at_exit);
	bpf_program__set_autoload(s->progs.offcpu_return, !at_exit);
	bpf_program__set_autoattach(s->progs.offcpu_look, false);
	s->rodata->at_exit = at_exit;
	s->rodata->have_regs = bpf_has_registers();
	return 0;
}

int offcpu_program_load(struct collection *c, const struct offcpu_rules *rules)
{
	struct offcpu_bpf *s;

	if (span_program_check(&offcpu_program))
		return -1;
	s = own.skeleton = offcpu_bpf__open();
	if (!s)
		return bpf_failure("offcpu", "open its program", errno);
	offcpu_program.object = SPAN_OBJECT(s);
	if (offcpu_program_choose(s, rules))
		return -1;
	s->rodata->max_ns = rules->max_ns;
	s->rodata->state_mask = rules->states;
	s->rodata->max_slots = rules->max_threads;
	s->rodata->wakers = rules->wakers;
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	offcpu_program.ring_most = c->wish.bpf_ring_most;
	if (span_program_load(&offcpu_program, c, rules->min_ns, rules->cgroup))
		return -1;
	own.slots = bpf_map_memory("offcpu", s->maps.slots, sizeof(*own.slots), &own.slots_size);
	return own.slots ? 0 : -1;
}

static int run_look(uint32_t what)
{
	own.skeleton->bss->look = what;
	return bpf_iterate("offcpu", own.skeleton->progs.offcpu_look, "look at all threads");
}

int offcpu_program_begin(void)
{
	return run_look(OFFCPU_LOOK_START);
}

volatile struct offcpu_slot *offcpu_program_slots(size_t *count)
{
	uint32_t used = own.skeleton->bss->next_slot, max = own.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return own.slots;
}

int offcpu_program_look(void)
{
	int status = run_look(OFFCPU_LOOK_ASKED);

	span_program_take(&offcpu_program);
	return status;
}

uint64_t offcpu_program_left_out(void)
{
	size_t count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&count);
	uint64_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += slots[i].left_out;
	return n;
}

void offcpu_program_free(void)
{
	if (own.slots)
		munmap((void *)own.slots, own.slots_size);
	span_program_free(&offcpu_program);
	memset(&own, 0, sizeof(own));
}
