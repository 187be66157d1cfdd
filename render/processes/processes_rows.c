/* Makes the rows: children below their parents, with processes of the same name together. */
#include <stdlib.h>

#include "core/memory.h"
#include "render/processes/processes.h"

/* Processes that become either one row, or a row each. */
struct some {
	uint32_t *list;
	size_t count, cap;
};

static void processes_rows_add(struct some *s, uint32_t process)
{
	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->list[s->count++] = process;
}

static int processes_rows_order_of(const struct process_life *x, const struct process_life *y)
{
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x < y ? -1 : x > y; /* by pid */
}

static int processes_rows_by_begin(const void *a, const void *b, void *list)
{
	const struct process_life *all = list;

	return processes_rows_order_of(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]);
}

static int processes_rows_by_name(const void *a, const void *b, void *list)
{
	const struct process_life *x = (const struct process_life *)list + *(const uint32_t *)a;
	const struct process_life *y = (const struct process_life *)list + *(const uint32_t *)b;

	if (x->quiet != y->quiet)
		return x->quiet - y->quiet;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return processes_rows_order_of(x, y);
}

struct row_group {
	size_t first, count;
};

struct maker {
	struct processes *p;
	uint32_t pool;
	size_t ordered;
};

/* The lane of each process of a row.  Processes that run at the same time are in different lanes. */
static void place_lanes(struct processes *p, struct process_row *row)
{
	uint64_t ends[PROCESSES_LANES] = { 0 };

	for (size_t i = 0; i < row->count; i++) {
		struct process_life *q = &p->list[p->order[row->first + i]];
		uint32_t lane = 0;

		while (lane < row->lanes && ends[lane] > q->begin_ns)
			lane++;
		if (lane == PROCESSES_LANES)
			lane = (uint32_t)(i % PROCESSES_LANES);
		row->lanes = lane >= row->lanes ? lane + 1 : row->lanes;
		ends[lane] = q->end_ns > ends[lane] ? q->end_ns : ends[lane];
		q->lane = lane;
	}
}

static void processes_rows_add_rows(struct maker *m, struct some *children, bool is_pooled, uint32_t depth);

static void processes_rows_add_row(struct maker *m, const uint32_t *list, size_t count, uint32_t depth)
{
	struct processes *p = m->p;
	struct process_row row = { .first = m->ordered, .count = count, .depth = depth };
	struct some children = { 0 };

	row.quiet = p->list[list[0]].quiet;
	for (size_t i = 0; i < count; i++) {
		p->order[m->ordered++] = list[i];
		for (uint32_t c = p->list[list[i]].child; c != PROCESS_NONE; c = p->list[c].next)
			processes_rows_add(&children, c);
	}
	place_lanes(p, &row);
	p->rows = xgrow(p->rows, &p->row_cap, p->row_count + 1, sizeof(*p->rows));
	p->rows[p->row_count++] = row;
	p->quiet_rows += row.quiet;
	processes_rows_add_rows(m, &children, count > 1, depth + 1);
	free(children.list);
}

struct order_of_groups {
	const struct process_life *list;
	const uint32_t *processes;
};

static int processes_rows_by_first(const void *a, const void *b, void *argument)
{
	const struct order_of_groups *o = argument;

	return processes_rows_order_of(&o->list[o->processes[((const struct row_group *)a)->first]],
				       &o->list[o->processes[((const struct row_group *)b)->first]]);
}

/* Make a group of the processes with the same name; groups are sorted by name. */
static size_t make_groups(const struct maker *m, const struct some *s, bool is_pooled, struct row_group *groups)
{
	const struct process_life *list = m->p->list;
	size_t count = 0, end;

	for (size_t i = 0; i < s->count; i = end) {
		const struct process_life *q = &list[s->list[i]];
		bool together;

		for (end = i + 1;
		     end < s->count && list[s->list[end]].name == q->name && list[s->list[end]].quiet == q->quiet;)
			end++;
		together = m->pool && (is_pooled || end - i >= m->pool);
		for (size_t k = i; k < end; k += together ? end - i : 1)
			groups[count++] = (struct row_group){ k, together ? end - i : 1 };
	}
	return count;
}

static void processes_rows_add_rows(struct maker *m, struct some *s, bool is_pooled, uint32_t depth)
{
	struct order_of_groups order = { m->p->list, s->list };
	struct row_group *groups;
	size_t count;

	if (!s->count)
		return;
	groups = xcalloc(s->count, sizeof(*groups));
	qsort_r(s->list, s->count, sizeof(*s->list), processes_rows_by_name, m->p->list);
	count = make_groups(m, s, is_pooled, groups);
	qsort_r(groups, count, sizeof(*groups), processes_rows_by_first, &order);
	for (size_t i = 0; i < count; i++)
		processes_rows_add_row(m, s->list + groups[i].first, groups[i].count, depth);
	free(groups);
}

void processes_make_rows(struct processes *p, uint32_t pool)
{
	struct maker m = { .p = p, .pool = pool };
	struct some roots = { 0 };

	p->order = xcalloc(p->count + 1, sizeof(*p->order));
	for (uint32_t i = 0; i < p->count; i++) {
		if (p->list[i].parent == PROCESS_NONE)
			processes_rows_add(&roots, i);
	}
	if (roots.count)
		qsort_r(roots.list, roots.count, sizeof(*roots.list), processes_rows_by_begin, p->list);
	processes_rows_add_rows(&m, &roots, false, 0);
	free(roots.list);
}
