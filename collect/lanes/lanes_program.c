#include "collect/lanes/lanes_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_member.h"
#include "collect/bpf/bpf_ring.h"
#include "core/error.h"

#include "bpf/lanes.skel.h" /* needs bpf/targets.h */

static struct {
	struct lanes_bpf *skeleton;
	struct bpf_ring ring;
	struct bpf_link *look, *find;
	struct bpf_program *queues; /* looks at run queues */
	bool has_queues, has_sockets, has_maxima, needs_symbol, lacks_symbol;
	void (*take_event)(void *context, const struct lane_event *e);
	void *context;
} program;

static void lanes_program_take_record(void *context, const void *data, size_t size)
{
	(void)context;
	if (size >= sizeof(struct lane_event))
		program.take_event(program.context, data);
}

/* ---- what this kernel has ---- */

static const struct part {
	const char *structure;   /* of the kernel, which has ... */
	const char *name;        /* ... this member or, if there is no structure, this type; without it, ... */
	const char *programs[4]; /* ... these are not loaded, and ... */
	const char *what;        /* ... this is missing, in our words; NULL: another row names it */
} parts[] = {
	{ NULL, "btf_trace_sk_data_ready", { "lanes_data_ready" }, NULL },
	{ "task_group", "cfs_rq", { "lanes_look_at_cpus" }, "run queues (no CONFIG_FAIR_GROUP_SCHED)" },
	{ NULL,
	  "btf_trace_mm_vmscan_kswapd_wake",
	  { "lanes_kswapd_wake", "lanes_kswapd_sleep", "lanes_reclaim_begin", "lanes_reclaim_end" },
	  "reclaim" },
};

enum { LANES_PARTS = sizeof(parts) / sizeof(*parts) };

_Static_assert((int)LANES_PARTS < LANES_MISSING, "a NULL ends the list");

static bool has_part(const struct btf *btf, const struct part *p)
{
	if (!p->structure)
		return btf__find_by_name_kind(btf, p->name, BTF_KIND_TYPEDEF) > 0;
	return bpf_member_place(btf, p->structure, p->name) >= 0;
}

/* struct cfs_rq **cfs_rq, or struct cfs_rq *cfs_rq of each CPU */
static bool has_array_of_queues(const struct btf *btf)
{
	const struct btf_type *group =
		btf__type_by_id(btf, (uint32_t)btf__find_by_name_kind(btf, "task_group", BTF_KIND_STRUCT));
	const struct btf_member *m = btf_members(group);

	for (int i = 0; i < btf_vlen(group); i++) {
		const struct btf_type *type = btf__type_by_id(btf, m[i].type);

		if (!strcmp(btf__name_by_offset(btf, m[i].name_off), "cfs_rq"))
			return btf_is_ptr(btf__type_by_id(btf, type->type));
	}
	return true;
}

/* Returns whether the kernel has what is missing otherwise. */
static bool choose_for_queues(struct lanes_bpf *s, const struct btf *btf)
{
	bool by_symbol = program.has_queues && !has_array_of_queues(btf);

	program.queues = by_symbol ? s->progs.lanes_look_at_queues : s->progs.lanes_look_at_cpus;
	program.needs_symbol = by_symbol && !program.lacks_symbol;
	if (by_symbol)
		bpf_program__set_autoload(s->progs.lanes_look_at_cpus, false);
	bpf_program__set_autoload(s->progs.lanes_look_at_queues, program.needs_symbol);
	program.has_queues &= !by_symbol || program.needs_symbol;
	return !by_symbol || program.needs_symbol;
}

static void choose_for_sockets(struct lanes_bpf *s, bool has_sockets)
{
	if (!has_sockets)
		bpf_program__set_autoload(s->progs.lanes_data_ready, false);
	bpf_program__set_autoload(s->progs.lanes_find_sockets, has_sockets);
	bpf_program__set_autoload(s->progs.lanes_look_at_sockets, has_sockets);
	bpf_program__set_autoattach(s->progs.lanes_find_sockets, false);
	bpf_program__set_autoattach(s->progs.lanes_look_at_sockets, false);
	program.has_sockets = has_sockets;
}

static int lanes_program_choose_programs(struct lanes_bpf *s, bool has_sockets, const char *missing[LANES_MISSING])
{
	struct btf *btf = bpf_kernel_types();
	size_t count = 0;

	if (!btf)
		return bpf_failure("lanes", "read the kernel's types", errno);
	for (size_t i = 0; i < LANES_PARTS; i++) {
		bool has = has_part(btf, &parts[i]);

		for (size_t k = 0; k < 4 && parts[i].programs[k]; k++)
			bpf_program__set_autoload(bpf_object__find_program_by_name(s->obj, parts[i].programs[k]), has);
		if (!has && parts[i].what)
			missing[count++] = parts[i].what;
		if (parts[i].structure)
			program.has_queues = has;
		if (!parts[i].what)
			program.has_maxima = has;
	}
	if (!choose_for_queues(s, btf))
		missing[count++] = "run queues (no CONFIG_KALLSYMS_ALL)";
	choose_for_sockets(s, has_sockets);
	missing[count] = NULL;
	s->rodata->drop_places[0] = bpf_member_place(btf, "numa_drop_counters", "drops0");
	s->rodata->drop_places[1] = bpf_member_place(btf, "numa_drop_counters", "drops1");
	return 0;
}

const char *lanes_program_obstacle(void)
{
	return bpf_function_obstacle("bpf_rdonly_cast", lanes_bpf__elf_bytes);
}

const void *lanes_program_object(size_t *size)
{
	return lanes_bpf__elf_bytes(size);
}

/* Returns 0, a negative errno of the kernel's, or 1 after a message. */
static int lanes_program_try_load(const struct lanes_rules *rules, bool has_sockets, const char *missing[LANES_MISSING])
{
	struct lanes_bpf *s;

	lanes_bpf__destroy(program.skeleton);
	s = program.skeleton = lanes_bpf__open();
	if (!s) {
		bpf_failure("lanes", "open its program", errno);
		return 1;
	}
	if (lanes_program_choose_programs(s, has_sockets, missing))
		return 1;
	s->rodata->cpu_count = (uint32_t)libbpf_num_possible_cpus();
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return 1;
	return lanes_bpf__load(s);
}

/* Kernels of some hosting providers refuse iterators of sockets even with all rights. */
int lanes_program_load(const struct lanes_rules *rules, const char *missing[LANES_MISSING])
{
	int status;

	if (bpf_check_object("lanes", lanes_bpf__elf_bytes))
		return -1;
	status = lanes_program_try_load(rules, true, missing);
	if (status == -EPERM) {
		bpf_forget_complaint();
		status = lanes_program_try_load(rules, false, missing);
	}
	if (status == -ENOENT && program.needs_symbol) {
		bpf_forget_complaint();
		program.lacks_symbol = true;
		status = lanes_program_try_load(rules, program.has_sockets, missing);
	}
	if (status < 0)
		return bpf_load_failure("lanes", program.skeleton->obj, -status, NULL);
	if (status)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(program.skeleton->maps.ring), lanes_program_take_record, NULL))
		return bpf_failure("lanes", "map its ring", errno);
	return 0;
}

bool lanes_program_has_sockets(void)
{
	return program.has_sockets;
}

bool lanes_program_has_maxima(void)
{
	return program.has_sockets && program.has_maxima;
}

bool lanes_program_is_target(pid_t pid)
{
	uint32_t key = (uint32_t)pid;
	struct target_thread thread = { 0 };

	return !bpf_map_lookup_elem(bpf_map__fd(program.skeleton->maps.target_threads), &key, &thread) &&
	       thread.decision == TARGET_YES;
}

static struct bpf_link *attach_look(void)
{
	union bpf_iter_link_info info = { .map.map_fd = (uint32_t)bpf_map__fd(program.skeleton->maps.sockets) };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info, .link_info_len = sizeof(info));

	return bpf_program__attach_iter(program.skeleton->progs.lanes_look_at_sockets, &options);
}

/* A thread's sockets are those of its process. */
static int add_processes(const struct targets *targets)
{
	struct targets processes = { 0 };
	int status = 0;

	for (size_t i = 0; targets && !status && i < targets->processes.count; i++) {
		struct target leader = { targets->processes.list[i], targets->processes.list[i] };

		processes.list = &leader;
		processes.count = 1;
		status = bpf_targets_fill(program.skeleton->obj, &processes);
	}
	return status;
}

int lanes_program_start(const struct targets *targets, int command)
{
	struct lanes_bpf *s = program.skeleton;

	if (program.has_sockets) {
		program.look = attach_look();
		program.find = bpf_program__attach_iter(s->progs.lanes_find_sockets, NULL);
	}
	if (program.has_sockets && (!program.look || !program.find))
		return bpf_failure("lanes", "look at sockets", errno);
	if (bpf_attached("lanes", s->obj, lanes_bpf__attach(s), targets, command) ||
	    (!command && add_processes(targets)))
		return -1;
	lanes_program_find_sockets(true);
	return 0;
}

/* ---- looks ---- */

/* Run an iterator; take gets its output, which may be empty. */
static void run_iterator(struct bpf_link *link, void (*take)(void *context, const struct lane_socket *s), void *context)
{
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	struct lane_socket some[64];
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		return;
	while ((n = read(fd, (char *)some + have, sizeof(some) - have)) > 0 || (n < 0 && errno == EAGAIN)) {
		have += n > 0 ? (size_t)n : 0;
		for (size_t i = 0; i < have / sizeof(*some); i++)
			take(context, &some[i]);
		memmove(some, (char *)some + have / sizeof(*some) * sizeof(*some), have % sizeof(*some));
		have %= sizeof(*some);
	}
	close(fd);
}

void lanes_program_find_sockets(bool always)
{
	__u64 *fresh = &program.skeleton->bss->fresh;

	if (!__atomic_exchange_n(fresh, 0, __ATOMIC_RELAXED) && !always)
		return;
	run_iterator(program.find, NULL, NULL);
}

void lanes_program_sockets(void (*take)(void *context, const struct lane_socket *s), void *context)
{
	__atomic_fetch_add(&program.skeleton->data->look, 1, __ATOMIC_SEQ_CST); /* what comes from now on is for the
										 * next look */
	run_iterator(program.look, take, context);
}

const uint32_t *lanes_program_run_queues(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	struct lanes_bpf *s = program.skeleton;

	if (!program.has_queues || bpf_prog_test_run_opts(bpf_program__fd(program.queues), &options))
		return NULL;
	return s->bss->running;
}

void lanes_program_events(void (*take)(void *context, const struct lane_event *e), void *context)
{
	program.take_event = take;
	program.context = context;
	bpf_ring_drain(&program.ring);
}

/* ---- the end ---- */

void lanes_program_stop(void)
{
	lanes_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
}

uint64_t lanes_program_lost(void)
{
	return program.skeleton ? program.skeleton->bss->lost_records : 0;
}

uint64_t lanes_program_lost_sockets(void)
{
	return program.skeleton ? program.skeleton->bss->lost_sockets : 0;
}

uint64_t lanes_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void lanes_program_free(void)
{
	bpf_link__destroy(program.look);
	bpf_link__destroy(program.find);
	bpf_ring_close(&program.ring);
	lanes_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
