#include "collect/spans/span_program.h"

#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_chain.h"
#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_pythons.h"
#include "collect/run/opening.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20 };

/* ---- loading ---- */

void span_program_add_event(struct span_program *p, struct collection *c, const struct detail *detail)
{
	p->event_number = spans_add_event(&c->events, p->event_name);
	if (detail)
		detail_note(detail, &c->events.list[p->event_number]);
	span_walk_choose(&p->walk, c, &c->events.list[p->event_number]);
	c->is_target = bpf_is_target;
	c->add_targets = bpf_targets_add;
}

int span_program_check(const struct span_program *p)
{
	return bpf_check_object(p->name, p->bytes);
}

void span_program_add_missing(struct span_program *p, const char *what)
{
	size_t count = 0;

	while (p->missing[count])
		count++;
	assert(count < SPAN_MISSING - 1);
	p->missing[count] = what;
	p->missing[count + 1] = NULL;
}

struct btf *span_program_choose(struct span_program *p, const struct span_tracepoint *tracepoints)
{
	struct btf *types = bpf_kernel_types();

	if (!types) {
		bpf_failure(p->name, "read the kernel's types", errno);
		return NULL;
	}
	p->missing[0] = NULL;
	for (const struct span_tracepoint *t = tracepoints; t->name; t++) {
		bool has = bpf_has_tracepoint(types, t->name);

		for (size_t i = 0; i < 2 && t->programs[i]; i++)
			bpf_program__set_autoload(bpf_object__find_program_by_name(p->object.object, t->programs[i]),
						  has);
		if (!has && t->what)
			span_program_add_missing(p, t->what);
	}
	return types;
}

static void span_program_set_rules(struct span_program *p, const struct collection *c, uint64_t min_ns)
{
	struct span_rules *rules = p->object.rules;
	bool copies = p->walk.is_on && p->records;
	uint32_t ring = copies ? COPIES_RING_SIZE : RING_SIZE;
	struct bpf_map *records;

	if (p->ring_most && p->ring_most < ring)
		ring = p->ring_most;
	ring = ring_share_program(&c->wish.rings, ring);
	rules->min_ns = min_ns;
	rules->wake_at = ring / 4;
	rules->copy_below = ring / 2;
	rules->urgent_ns = conditions_least(&c->flight.conditions, p->name);
	rules->some_cpus = c->opt.cpus != NULL;
	if (c->opt.cpus)
		bpf_set_cpus((uint64_t *)rules->cpu_mask, SPAN_CPUS, &c->cpus);
	bpf_map__set_max_entries(bpf_object__find_map_by_name(p->object.object, "ring"), ring);
	if (!copies)
		return;
	rules->walks = 1;
	rules->copies_max = span_walk_copies(c);
	records = bpf_object__find_map_by_name(p->object.object, p->records);
	bpf_map__set_value_size(records, bpf_map__value_size(records) + USER_COPY_MAX);
}

/* Programs that include bpf/stack_budget.bpf.h pay for their stacks from one account: that of the first of them. */
static const struct span_program *first_account;

static struct bpf_map *span_program_account(const struct span_program *p)
{
	return bpf_object__find_map_by_name(p->object.object, "stack_accounts");
}

static int span_program_share_account(struct span_program *p, const struct collection *c)
{
	struct bpf_map *account = span_program_account(p);

	p->takes_all = !c->opt.budget_word && (c->opt.min_word || p->wants_all);
	p->object.rules->earn = c->opt.budget > 0 && !p->takes_all ? (uint64_t)(1 / c->opt.budget) : 0;
	if (!account)
		return 0;
	if (!first_account)
		first_account = p;
	else if (bpf_map__reuse_fd(account, bpf_map__fd(span_program_account(first_account))))
		return bpf_failure(p->name, "use the account of stacks", errno);
	return 0;
}

int span_program_load(struct span_program *p, struct collection *c, uint64_t min_ns, const char *cgroup)
{
	struct span_object *o = &p->object;
	int err;

	span_program_set_rules(p, c, min_ns);
	if (span_program_share_account(p, c))
		return -1;
	if (p->walk.is_on && bpf_pythons_share(o->object, &c->events))
		return bpf_failure(p->name, "use the maps of Python", errno);
	if (bpf_targets_prepare(o->object, o->targets, collection_targets(c), cgroup, !c->opt.no_inherit))
		return -1;
	bpf_chain_prepare(o->object);
	err = bpf_object__load_skeleton(o->skeleton);
	if (err)
		return bpf_load_failure(p->name, o->object, -err, p->option);
	if (p->walk.is_on)
		bpf_pythons_note(o->object, &c->events);
	if (bpf_ring_open(&p->ring, bpf_object__find_map_fd_by_name(o->object, "ring"), p->take, p))
		return bpf_failure(p->name, "map its ring", errno);
	return 0;
}

size_t span_record_size(size_t stack, int32_t kernel_count, int32_t user_count, uint32_t copied)
{
	stack += (kernel_count > 0 ? (size_t)kernel_count : 0) * sizeof(uint64_t);
	stack += (user_count > 0 ? (size_t)user_count : 0) * sizeof(uint64_t);
	if (copied)
		stack += copied >= sizeof(struct user_copy) ? copied : UINT32_MAX;
	return stack;
}

/* ---- the life of a program; a function that a source lacks does nothing ---- */

static const char *span_program_obstacle(const struct span_program *p)
{
	return bpf_object_obstacle(p->bytes);
}

static const void *span_program_object(const struct span_program *p, size_t *size)
{
	return p->bytes(size);
}

int span_program_start(struct span_program *p, struct collection *c)
{
	struct span_object *o = &p->object;
	struct targets again = { 0 };
	const struct targets *targets = opening_targets(c, &again);
	int status;

	p->event = p->walk.c ? &c->events.list[p->event_number] : NULL;
	session_add_data(&c->session, bpf_ring_fd(&p->ring));
	status = bpf_attached(p->name, o->object, bpf_chain_join(o->object) ?: bpf_object__attach_skeleton(o->skeleton),
			      targets, c->command.pid);
	targets_free(&again);
	return status;
}

static void span_program_begin(struct span_program *p, struct collection *c)
{
	p->walk.sums.begin_ns = p->walk.unwalked.begin_ns = c->begin_ns;
	if (p->object.control)
		p->object.control->begin_ns = c->begin_ns;
}

static int span_program_drain(struct span_program *p, struct collection *c)
{
	(void)c;
	span_walk_hand_over(&p->walk);
	bpf_ring_round(&p->ring);
	return span_walk_write(&p->walk);
}

void span_program_take(struct span_program *p)
{
	bpf_ring_drain(&p->ring);
}

int span_program_write(struct span_program *p, uint64_t until_ns)
{
	span_walk_flush(&p->walk, p->event, until_ns);
	return span_walk_write(&p->walk);
}

static int span_program_tick(struct span_program *p, struct collection *c)
{
	(void)c;
	span_program_take(p);
	return span_program_write(p, monotonic_ns());
}

static void span_program_end(struct span_program *p, uint64_t end_ns)
{
	if (p->object.control)
		p->object.control->end_ns = end_ns;
}

static uint64_t span_program_lost(const struct span_program *p)
{
	return p->object.control ? p->object.control->lost : 0;
}

static uint64_t span_program_missed(const struct span_program *p)
{
	return p->object.object ? bpf_missed(p->object.object) : 0;
}

const struct source_life span_life = {
	.obstacle = span_program_obstacle,
	.object = span_program_object,
	.start = span_program_start,
	.begin = span_program_begin,
	.drain = span_program_drain,
	.tick = span_program_tick,
	.lost = span_program_lost,
	.missed = span_program_missed,
	.end = span_program_end,
};

/* ---- the end ---- */

void span_program_halt(struct span_program *p)
{
	bpf_object__detach_skeleton(p->object.skeleton);
	bpf_chain_leave(p->object.object);
	bpf_wait_for_programs();
	span_program_take(p);
}

int span_program_finish(struct span_program *p, struct collection *c, uint64_t end_ns)
{
	const struct span_control *lost = p->object.control;
	uint64_t *losses = c->recording.tally.losses;
	int status = span_walk_finish(&p->walk);

	span_walk_flush(&p->walk, p->event, end_ns);
	losses[LOSS_lost_spans] += lost->lost;
	losses[LOSS_lost_stacks] += p->lost_stacks + p->walk.lost_wakers;
	losses[LOSS_uncopied_stacks] += lost->uncopied;
	losses_raise(losses, LOSS_untracked_threads, lost->untracked_threads);
	losses_raise(losses, LOSS_untracked_switches, lost->untracked_switches);
	return span_walk_write(&p->walk) || status ? -1 : 0;
}

struct amount_text span_program_memory(const struct span_program *p)
{
	return size_text(bpf_memory(p->object.object));
}

void span_program_say_uncopied(const struct span_program *p)
{
	if (p->object.control->uncopied)
		detail("%s: %" PRIu64
		       " user stacks by frame pointers: too many to be copied, or the collector got no CPU to read "
		       "them; a longer --min, fewer processes, or no nice(1)",
		       p->name, (uint64_t)p->object.control->uncopied);
}

void span_program_free(struct span_program *p)
{
	if (first_account == p)
		first_account = NULL;
	bpf_ring_close(&p->ring);
	bpf_object__destroy_skeleton(p->object.skeleton);
	free(p->object.opened);
	p->object = (struct span_object){ 0 };
	p->lost_stacks = 0;
	span_walk_free(&p->walk);
	chain_builder_free(&p->chain);
}
