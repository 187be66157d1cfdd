#include "collect/io/io_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/io/io_totals.h"
#include "collect/machine/anchors.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

#include "bpf/io.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20, STACKS = 2048, COPIED_STACKS = 512 };

static struct {
	struct io_bpf *skeleton;
	struct bpf_ring ring;
	struct io_totals totals;
	const struct io_listener *listener;
} program;

static void io_program_take_request(const struct io_record *r, size_t size)
{
	size_t needed = offsetof(struct io_record, stack);

	if (r->request.flags & IO_BY_HASH || !r->request.slot) {
		program.listener->request(r, needed);
		return;
	}
	needed = offsetof(struct io_record, stack.stack);
	if (size < needed)
		return;
	needed += (r->stack.kernel_count > 0 ? (size_t)r->stack.kernel_count : 0) * sizeof(*r->stack.stack);
	needed += (r->stack.user_count > 0 ? (size_t)r->stack.user_count : 0) * sizeof(*r->stack.stack);
	if (r->stack.copied)
		needed += r->stack.copied >= sizeof(struct user_copy) ? r->stack.copied : UINT32_MAX;
	if (size >= needed)
		program.listener->request(r, needed);
}

static void io_program_take_record(void *context, const void *data, size_t size)
{
	const struct io_record *r = data;

	(void)context;
	if (size >= sizeof(struct io_file) && r->kind == IO_FILE)
		program.listener->file(data);
	else if (size >= offsetof(struct io_record, stack) && r->kind == IO_REQUEST)
		io_program_take_request(r, size);
}

/* ---- what this kernel has ---- */

/* Optional tracepoints. */
static const struct part {
	const char *tracepoint, *program;
	const char *what; /* what is missing without it, as we say it; NULL: another one does */
} parts[] = {
	{ "block_io_start", "io_start", "the begin of requests: they begin when they are queued" },
	{ "block_rq_merge", "io_merge", "requests that become one" },
	{ "block_bio_backmerge", "io_backmerge", NULL },
	{ "block_bio_frontmerge", "io_frontmerge", NULL },
	{ "writeback_dirty_page", "io_dirty_page", NULL },
	{ "writeback_dirty_folio", "io_dirty_folio", NULL },
};

static bool io_program_has_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

/* How many arguments a tracepoint's programs get; -1: it does not exist. */
static int arguments_of(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	char type[128];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	if (id < 0)
		return -1;
	t = btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type); /* a pointer to the function */
	t = btf__type_by_id(btf, t->type);
	return btf_vlen(t) - 1; /* but for the pointer of whoever registered */
}

static void io_program_choose_parts(struct io_bpf *s, const struct btf *btf, const char *missing[4])
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		bool has = io_program_has_tracepoint(btf, parts[i].tracepoint);

		bpf_program__set_autoload(bpf_object__find_program_by_name(s->obj, parts[i].program), has);
		if (!has && parts[i].what && count < 3)
			missing[count++] = parts[i].what;
	}
	if (!io_program_has_tracepoint(btf, "writeback_dirty_page") &&
	    !io_program_has_tracepoint(btf, "writeback_dirty_folio") && count < 3)
		missing[count++] = "who makes pages dirty";
	missing[count] = NULL;
}

static int io_program_choose_programs(struct io_bpf *s, const char *missing[4])
{
	struct btf *btf = bpf_kernel_types();
	int arguments;

	if (!btf)
		return bpf_failure("io", "read the kernel's types", errno);
	arguments = arguments_of(btf, "block_rq_issue");
	s->rodata->has_start = io_program_has_tracepoint(btf, "block_io_start");
	io_program_choose_parts(s, btf, missing);
	if (arguments < 0)
		return error("io: this kernel does not tell of requests to block devices (tracepoint "
			     "block:block_rq_issue)");
	s->rodata->has_queue = arguments > 1;
	s->rodata->have_regs = bpf_has_registers();
	return 0;
}

static void io_program_set_options(struct io_bpf *s, const struct io_rules *rules)
{
	uint32_t ring = rules->walks ? COPIES_RING_SIZE : RING_SIZE;
	uint32_t stacks = rules->walks ? COPIED_STACKS : STACKS;
	struct stat mounts;

	if (rules->walks) {
		s->rodata->rules.walks = 1;
		s->rodata->rules.copies_max = rules->copies_max;
		bpf_map__set_value_size(s->maps.stacks, sizeof(struct io_record) + USER_COPY_MAX);
	}
	s->rodata->own_mounts = stat("/proc/self/ns/mnt", &mounts) ? 0 : (uint32_t)mounts.st_ino;
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->max_stacks = stacks;
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	bpf_map__set_max_entries(s->maps.stacks, stacks);
	bpf_map__set_max_entries(s->maps.free_stacks, stacks);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

const char *io_program_obstacle(void)
{
	return bpf_object_obstacle(io_bpf__elf_bytes);
}

int io_program_load(const struct io_rules *rules, const struct io_listener *listener, const char *missing[4])
{
	struct io_bpf *s;
	int err;

	if (bpf_check_object("io", io_bpf__elf_bytes))
		return -1;
	s = program.skeleton = io_bpf__open();
	if (!s)
		return bpf_failure("io", "open its program", errno);
	program.listener = listener;
	if (io_program_choose_programs(s, missing))
		return -1;
	io_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = io_bpf__load(s);
	if (err)
		return bpf_load_failure("io", s->obj, -err, NULL);
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), io_program_take_record, NULL))
		return bpf_failure("io", "map its ring", errno);
	return 0;
}

/* No request is seen by some of the programs only. */
int io_program_start(const struct targets *targets, int command)
{
	struct io_bpf *s = program.skeleton;

	return bpf_attached("io", s->obj, io_bpf__attach(s), targets, command);
}

void io_program_begin(uint64_t begin_ns)
{
	program.skeleton->data->control.begin_ns = begin_ns;
}

/* ---- data ---- */

int io_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

/* The stacks and names of what is in the totals are in the ring. */
void io_program_drain(void)
{
	io_totals_look(&program.totals, program.skeleton->bss->totals, monotonic_ns());
	bpf_ring_drain(&program.ring);
	io_totals_pass(&program.totals, program.listener->total);
}

void io_program_round(void)
{
	bpf_ring_round(&program.ring);
}

void io_program_next_generation(void)
{
	program.skeleton->data->generation++;
}

void io_program_forget_file(const struct inode_id *id)
{
	bpf_map__delete_elem(program.skeleton->maps.known_files, id, sizeof(*id), 0);
}

void io_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

/* Before Linux 5.10 it cannot be run like this: those whose end was not seen count as open there. */
static void io_program_check(uint64_t place)
{
	LIBBPF_OPTS(bpf_test_run_opts, how, .ctx_in = &place, .ctx_size_in = sizeof(place));

	bpf_prog_test_run_opts(bpf_program__fd(program.skeleton->progs.io_check), &how);
}

static void check_open(void)
{
	for (size_t i = 0; i < IO_REQUESTS; i++) {
		if (program.skeleton->bss->request_keys[i])
			io_program_check(i);
	}
}

void io_program_stop(void)
{
	check_open();
	io_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	io_program_drain();
}

/* The request as it would be if it had ended now, with its stack. */
static void io_program_take_open_request(const struct io_request *request, struct io_record *r, uint64_t end_ns)
{
	uint32_t slot = request->slot - 1;
	uint64_t ns = end_ns > request->end_ns ? end_ns - request->end_ns : 0;

	if (request->slot && bpf_map_lookup_elem(bpf_map__fd(program.skeleton->maps.stacks), &slot, r))
		return;
	r->kind = IO_REQUEST;
	r->cpu = UINT32_MAX;
	r->request = *request;
	r->request.flags |= IO_OPEN;
	r->request.flags &= ~(uint32_t)IO_BY_HASH;
	r->request.end_ns += ns;
	*(request->flags & IO_ISSUED ? &r->request.device_ns : &r->request.queue_ns) += ns;
	io_program_take_request(r, SIZE_MAX);
}

void io_program_take_open(uint64_t end_ns)
{
	struct io_record *r = xcalloc(1, bpf_map__value_size(program.skeleton->maps.stacks));

	for (size_t i = 0; i < IO_REQUESTS; i++) {
		const struct io_request *request = &program.skeleton->bss->requests[i];

		if (program.skeleton->bss->request_keys[i] && request->flags & IO_WANTED)
			io_program_take_open_request(request, r, end_ns);
	}
	free(r);
}

size_t io_program_devices(uint32_t numbers[IO_DEVICES], struct io_device devices[IO_DEVICES])
{
	size_t count = 0;

	for (size_t i = 0; i < IO_DEVICES; i++) {
		devices[count] = program.skeleton->bss->devices[i];
		if (!devices[count].key)
			continue;
		numbers[count] = (uint32_t)(devices[count].key - 1);
		count++;
	}
	return count;
}

struct io_losses io_program_losses(void)
{
	const struct io_bpf *s = program.skeleton;

	return (struct io_losses){ s->data->control.lost, s->bss->lost_requests, s->bss->unstacked };
}

uint64_t io_program_begin_ns(void)
{
	return program.skeleton->data->control.begin_ns;
}

uint64_t io_program_uncopied(void)
{
	return program.skeleton->data->control.uncopied;
}

uint64_t io_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t io_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) + program.skeleton->bss->unnamed : 0;
}

void io_program_free(void)
{
	bpf_ring_close(&program.ring);
	io_totals_free(&program.totals);
	io_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
