#include "collect/processes/processes_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"

#include "bpf/processes.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 32 << 20, HEAD = offsetof(struct process_record, args) };

static struct {
	struct processes_bpf *skeleton;
	struct bpf_ring ring;
	struct bpf_link *failed, *failed_at;
	processes_take *take;
} program;

static void processes_program_take_record(void *context, const void *data, size_t size)
{
	const struct process_record *r = data;

	(void)context;
	if (size >= HEAD && r->args_bytes <= size - HEAD)
		program.take(r);
}

static void processes_program_choose_programs(struct processes_bpf *s)
{
	bpf_program__set_autoload(s->progs.processes_there, true);
	bpf_program__set_autoload(s->progs.processes_failed, true);
	bpf_program__set_autoload(s->progs.processes_failed_at, true);
	bpf_program__set_autoattach(s->progs.processes_there, false);
	bpf_program__set_autoattach(s->progs.processes_failed, false);
	bpf_program__set_autoattach(s->progs.processes_failed_at, false);
}

const char *processes_program_obstacle(void)
{
	return bpf_object_obstacle(processes_bpf__elf_bytes);
}

int processes_program_load(const struct processes_rules *rules, processes_take *take)
{
	struct processes_bpf *s;
	int err;

	if (bpf_check_object("processes", processes_bpf__elf_bytes))
		return -1;
	s = program.skeleton = processes_bpf__open();
	if (!s)
		return bpf_failure("processes", "open its program", errno);
	program.take = take;
	processes_program_choose_programs(s);
	bpf_map__set_max_entries(s->maps.ring, RING_SIZE);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = processes_bpf__load(s);
	if (err)
		return bpf_load_failure("processes", s->obj, -err, NULL);
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), processes_program_take_record, NULL))
		return bpf_failure("processes", "map its ring", errno);
	return 0;
}

int processes_program_start(const struct targets *targets, int command)
{
	struct processes_bpf *s = program.skeleton;
	int err = processes_bpf__attach(s);

	program.failed = bpf_program__attach(s->progs.processes_failed);
	program.failed_at = bpf_program__attach(s->progs.processes_failed_at);
	return bpf_attached("processes", s->obj, err, targets, command);
}

bool processes_program_tells_failures(void)
{
	return program.failed && program.failed_at;
}

int processes_program_look(processes_take *take)
{
	struct bpf_link *link = bpf_program__attach_iter(program.skeleton->progs.processes_there, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = errno;
	char some[16 * HEAD];
	size_t have = 0;
	ssize_t n = 0;

	while (fd >= 0 && ((n = read(fd, some + have, sizeof(some) - have)) > 0 ||
			   (n < 0 && (errno == EAGAIN || errno == EINTR)))) {
		have += n > 0 ? (size_t)n : 0;
		for (size_t at = 0; at + HEAD <= have; at += HEAD) {
			struct process_record r;

			memcpy(&r, some + at, HEAD);
			take(&r);
		}
		memmove(some, some + have / HEAD * HEAD, have % HEAD);
		have %= HEAD;
	}
	if (n < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return fd < 0 || n < 0 ? bpf_failure("processes", "look at the processes", err) : 0;
}

int processes_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void processes_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void processes_program_round(void)
{
	bpf_ring_round(&program.ring);
}

static void detach_failed(void)
{
	bpf_link__destroy(program.failed);
	bpf_link__destroy(program.failed_at);
	program.failed = program.failed_at = NULL;
}

void processes_program_stop(void)
{
	processes_bpf__detach(program.skeleton);
	detach_failed();
	bpf_wait_for_programs();
	processes_program_drain();
}

uint64_t processes_program_lost(void)
{
	return program.skeleton ? program.skeleton->data->control.lost : 0;
}

uint64_t processes_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void processes_program_free(void)
{
	detach_failed();
	bpf_ring_close(&program.ring);
	processes_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
