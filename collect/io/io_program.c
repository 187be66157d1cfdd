#include "collect/io/io_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/io/io_totals.h"
#include "collect/machine/anchors.h"
#include "core/error.h"
#include "core/memory.h"

#include "bpf/io.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { STACKS = 2048, COPIED_STACKS = 512 };

static struct {
	struct io_bpf *skeleton;
	struct io_totals totals;
	const struct io_listener *listener;
} own;

static void io_program_take_request(const struct io_record *r, size_t size)
{
	size_t needed = offsetof(struct io_record, stack.stack);

	if (r->request.flags & IO_BY_HASH || !r->request.slot) {
		own.listener->request(r, offsetof(struct io_record, stack));
		return;
	}
	if (size < needed)
		return;
	needed = span_record_size(needed, r->stack.kernel_count, r->stack.user_count, r->stack.copied);
	if (size >= needed)
		own.listener->request(r, needed);
}

static void io_program_take_record(void *context, const void *data, size_t size)
{
	const struct io_record *r = data;

	(void)context;
	if (size >= sizeof(struct io_file) && r->kind == IO_FILE)
		own.listener->file(data);
	else if (size >= offsetof(struct io_record, stack) && r->kind == IO_REQUEST)
		io_program_take_request(r, size);
}

struct span_program io_program = {
	.name = "io",
	.event_name = RECORDING_IO,
	.bytes = io_bpf__elf_bytes,
	.records = "stacks",
	.take = io_program_take_record,
};

/* ---- loading ---- */

static const struct span_tracepoint tracepoints[] = {
	{ "block_io_start", { "io_start" }, "when requests begin (they count from when they are queued)" },
	{ "block_rq_merge", { "io_merge" }, "which requests are merged" },
	{ "block_bio_backmerge", { "io_backmerge" }, NULL },
	{ "block_bio_frontmerge", { "io_frontmerge" }, NULL },
	{ "writeback_dirty_page", { "io_dirty_page" }, NULL },
	{ "writeback_dirty_folio", { "io_dirty_folio" }, NULL },
	{ 0 },
};

/* How many arguments the programs of a tracepoint get; -1: there is no such tracepoint. */
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
	return btf_vlen(t) - 1; /* without the first argument, which is the data of whoever registered the program */
}

static int io_program_choose(struct io_bpf *s)
{
	const struct btf *types = span_program_choose(&io_program, tracepoints);
	int arguments;

	if (!types)
		return -1;
	if (!bpf_has_tracepoint(types, "writeback_dirty_page") && !bpf_has_tracepoint(types, "writeback_dirty_folio"))
		span_program_add_missing(&io_program, "who makes pages dirty");
	arguments = arguments_of(types, "block_rq_issue");
	if (arguments < 0)
		return error("io: this kernel does not report requests to block devices (no tracepoint "
			     "block:block_rq_issue)");
	s->rodata->has_start = bpf_has_tracepoint(types, "block_io_start");
	s->rodata->has_queue = arguments > 1;
	return 0;
}

int io_program_load(struct collection *c, uint64_t min_ns, const char *cgroup, const struct io_listener *listener)
{
	uint32_t stacks = io_program.walk.is_on ? COPIED_STACKS : STACKS;
	struct stat mounts;
	struct io_bpf *s;

	if (span_program_check(&io_program))
		return -1;
	s = own.skeleton = io_bpf__open();
	if (!s)
		return bpf_failure("io", "open its program", errno);
	own.listener = listener;
	io_program.object = SPAN_OBJECT(s);
	if (io_program_choose(s))
		return -1;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->own_mounts = stat("/proc/self/ns/mnt", &mounts) ? 0 : (uint32_t)mounts.st_ino;
	s->rodata->max_stacks = stacks;
	bpf_map__set_max_entries(s->maps.stacks, stacks);
	bpf_map__set_max_entries(s->maps.free_stacks, stacks);
	return span_program_load(&io_program, c, min_ns, cgroup);
}

/* ---- data ---- */

/* The ring has the stacks and names that the totals refer to, so take its records first. */
void io_program_drain(void)
{
	io_totals_look(&own.totals, own.skeleton->bss->totals, monotonic_ns());
	span_program_take(&io_program);
	io_totals_pass(&own.totals, own.listener->total);
}

void io_program_next_generation(void)
{
	own.skeleton->data->generation++;
}

void io_program_forget_file(const struct inode_id *id)
{
	bpf_map__delete_elem(own.skeleton->maps.known_files, id, sizeof(*id), 0);
}

uint64_t io_program_lost(void)
{
	return own.skeleton->data->control.lost + own.skeleton->bss->lost_requests;
}

uint64_t io_program_missed(void)
{
	return own.skeleton ? bpf_missed(own.skeleton->obj) + own.skeleton->bss->unnamed : 0;
}

/* ---- the end ---- */

/* Before Linux 5.10 the program cannot be run like this, so requests whose end was not seen count as open there. */
static void io_program_check(uint64_t place)
{
	LIBBPF_OPTS(bpf_test_run_opts, how, .ctx_in = &place, .ctx_size_in = sizeof(place));

	bpf_prog_test_run_opts(bpf_program__fd(own.skeleton->progs.io_check), &how);
}

static void check_open(void)
{
	for (size_t i = 0; i < IO_REQUESTS; i++) {
		if (own.skeleton->bss->request_keys[i])
			io_program_check(i);
	}
}

/* A record of the request as if it had ended now, with its stack. */
static void io_program_take_open_request(const struct io_request *request, struct io_record *r, uint64_t end_ns)
{
	uint32_t slot = request->slot - 1;
	uint64_t ns = end_ns > request->end_ns ? end_ns - request->end_ns : 0;

	if (request->slot && bpf_map_lookup_elem(bpf_map__fd(own.skeleton->maps.stacks), &slot, r))
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

static void take_open(uint64_t end_ns)
{
	struct io_record *r = xcalloc(1, bpf_map__value_size(own.skeleton->maps.stacks));

	for (size_t i = 0; i < IO_REQUESTS; i++) {
		const struct io_request *request = &own.skeleton->bss->requests[i];

		if (own.skeleton->bss->request_keys[i] && request->flags & IO_WANTED)
			io_program_take_open_request(request, r, end_ns);
	}
	free(r);
}

void io_program_halt(uint64_t end_ns)
{
	check_open();
	span_program_halt(&io_program);
	io_program_drain();
	take_open(end_ns);
}

size_t io_program_devices(uint32_t numbers[IO_DEVICES], struct io_device devices[IO_DEVICES])
{
	size_t count = 0;

	for (size_t i = 0; i < IO_DEVICES; i++) {
		devices[count] = own.skeleton->bss->devices[i];
		if (!devices[count].key)
			continue;
		numbers[count] = (uint32_t)(devices[count].key - 1);
		count++;
	}
	return count;
}

void io_program_free(void)
{
	io_totals_free(&own.totals);
	span_program_free(&io_program);
	memset(&own, 0, sizeof(own));
}
