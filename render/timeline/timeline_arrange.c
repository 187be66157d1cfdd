/* Makes rows and kinds from lines, and puts them in order. */
#include "render/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/bars/bars.h"
#include "render/bars/bars_text.h"
#include "render/colours/waits.h"
#include "core/textsort.h"

enum { CLOCK_ERROR_NS = 1000 }; /* the error of converting between clocks */

/* ---- names ---------------------------------------------------------------- */

static const char *timeline_arrange_name_of(const struct timeline *t, uint32_t name)
{
	return intern_text(&t->names, name);
}

static int timeline_arrange_by_text(const struct timeline *t, uint32_t x, uint32_t y)
{
	return strverscmp(timeline_arrange_name_of(t, x), timeline_arrange_name_of(t, y));
}

static uint32_t none(struct timeline *t, uint32_t name)
{
	return name == UINT32_MAX ? intern_add(&t->names, "[none]", 6) : name;
}

static const struct topology_cpu *timeline_arrange_cpu_of(const struct timeline *t, uint32_t name)
{
	uint32_t number;

	if (!topology_cpu_number(timeline_arrange_name_of(t, name), intern_len(&t->names, name), &number))
		return NULL;
	return topology_find(&t->topology, number);
}

void timeline_label_add(struct str *out, const struct timeline *t, uint32_t name)
{
	const char *text = timeline_arrange_name_of(t, name);
	size_t len = intern_len(&t->names, name);
	uint32_t number;

	if (topology_cpu_number(text, len, &number))
		str_addf(out, "CPU %u", number);
	else if (!strcmp(text, FOLDED_BY_IDLE))
		str_puts(out, "idle");
	else
		str_add(out, text, bars_shown_len(text, len));
}

void timeline_kind_add(struct str *out, const struct timeline *t, const struct timeline_kind *kind)
{
	static const char *const words[][2] = { { "quantum-over", "time slice used up" },
						{ "woken", "ready, waiting for a CPU" } };
	const struct wait_kind *wait =
		wait_kind_called(timeline_arrange_name_of(t, kind->name), intern_len(&t->names, kind->name));

	if (t->has_waits && wait) {
		str_puts(out, wait->label);
		return;
	}
	for (size_t i = 0; t->has_waits && i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(timeline_arrange_name_of(t, kind->name), words[i][0])) {
			str_puts(out, words[i][1]);
			return;
		}
	}
	if (t->kinds_are_states &&
	    bars_state_word(timeline_arrange_name_of(t, kind->name), intern_len(&t->names, kind->name))) {
		str_puts(out,
			 bars_state_word(timeline_arrange_name_of(t, kind->name), intern_len(&t->names, kind->name)));
		return;
	}
	if (t->has_waits && *timeline_arrange_name_of(t, kind->name) == '[' && intern_len(&t->names, kind->name) > 2)
		str_add(out, timeline_arrange_name_of(t, kind->name) + 1,
			intern_len(&t->names, kind->name) - 2); /* "[lock]" */
	else
		timeline_label_add(out, t, kind->name);
}

/* Names numbered in the order in which they come. */
struct row_places {
	uint32_t *place; /* by name; UINT32_MAX: none */
	uint32_t *name;  /* by place */
	size_t count;
};

static void places_init(struct row_places *p, size_t names)
{
	*p = (struct row_places){ xmalloc((names + 1) * sizeof(uint32_t)), xcalloc(names + 1, sizeof(uint32_t)), 0 };
	memset(p->place, 0xff, (names + 1) * sizeof(uint32_t));
}

static uint32_t timeline_arrange_place(struct row_places *p, uint32_t name)
{
	if (p->place[name] == UINT32_MAX) {
		p->name[p->count] = name;
		p->place[name] = (uint32_t)p->count++;
	}
	return p->place[name];
}

static void timeline_arrange_places_free(struct row_places *p)
{
	free(p->place);
	free(p->name);
}

/* ---- kinds ---------------------------------------------------------------- */

/* A state's place in the table of folded.h; what threads wait for comes before sleeping. */
static size_t state_place(const char *name)
{
#define NAME(KEY, TEXT) TEXT,
	static const char *const names[] = { FOLDED_STATE_TABLE(NAME) "[lock]",
					     "[GIL]",
					     "[thread]",
					     "[process]",
					     "[I/O]",
					     "[page fault]",
					     "[network]",
					     "[sleep]",
					     "[work]" };
#undef NAME
	size_t i = 0;

	while (i < sizeof(names) / sizeof(names[0]) && strcmp(names[i], name))
		i++;
	return i;
}

bool timeline_is_waiting(const char *state)
{
	static const char *const waiting[] = { "preempted", "quantum-over", "yielded", "woken" };

	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
		if (!strcmp(state, waiting[i]))
			return true;
	}
	return false;
}

/* Is this a state in which a thread waits for anything except work, or time to pass, or has spent its CPU limit? */
static bool timeline_arrange_is_blocked(const char *state)
{
	static const char *const blocked[] = { "[lock]",       "[GIL]",     "[thread]", "[process]",  "[I/O]",
					       "[page fault]", "[network]", "blocked",  "blocked-io", "throttled" };

	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++) {
		if (!strcmp(state, blocked[i]))
			return true;
	}
	return false;
}

static bool is_dull(const char *state)
{
	return !strcmp(state, "[work]") || !strcmp(state, "[sleep]") || !strcmp(state, "sleeping") ||
	       !strcmp(state, "idle");
}

static int timeline_arrange_by_cpu(const struct timeline *t, const struct topology_cpu *x, const struct topology_cpu *y,
				   uint32_t x_name, uint32_t y_name)
{
	if (!x || !y)
		return x ? -1 : y ? 1 : timeline_arrange_by_text(t, x_name, y_name);
	return ORDER(x, y); /* places follow the order */
}

static int by_kind(const void *a, const void *b, void *timeline)
{
	const struct timeline_kind *x = a, *y = b;
	const struct timeline *t = timeline;
	size_t sx, sy;

	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	if (t->has_waits && !x->time_ns != !y->time_ns)
		return x->time_ns ? -1 : 1;
	if (t->kinds_are_cpus)
		return timeline_arrange_by_cpu(t, x->cpu, y->cpu, x->name, y->name);
	if (t->kinds_are_states) {
		sx = state_place(timeline_arrange_name_of(t, x->name));
		sy = state_place(timeline_arrange_name_of(t, y->name));
		if (sx != sy)
			return sx < sy ? -1 : 1;
	}
	return ORDER(y->time_ns, x->time_ns) ?: timeline_arrange_by_text(t, x->name, y->name);
}

static void make_kinds(struct timeline *t, const struct row_places *p)
{
	uint32_t *moved = xcalloc(p->count + 1, sizeof(*moved));

	t->kind_count = p->count;
	t->kinds = xcalloc(p->count + 1, sizeof(*t->kinds));
	for (size_t i = 0; i < p->count; i++)
		t->kinds[i] = (struct timeline_kind){
			.name = p->name[i],
			.cpu = t->kinds_are_cpus ? timeline_arrange_cpu_of(t, p->name[i]) : NULL,
			.dull = t->has_waits && is_dull(timeline_arrange_name_of(t, p->name[i])),
			.blocked = t->kinds_are_states &&
				   timeline_arrange_is_blocked(timeline_arrange_name_of(t, p->name[i])),
			.waiting = t->kinds_are_states && timeline_is_waiting(timeline_arrange_name_of(t, p->name[i])),
			.running = t->kinds_are_states && !strcmp(timeline_arrange_name_of(t, p->name[i]), "running")
		};
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];

		t->kinds[s->kind].idle |= s->idle && t->by_cpu;
		if (!s->idle || t->by_cpu)
			t->kinds[s->kind].time_ns += s->sum.time;
	}
	qsort_r(t->kinds, t->kind_count, sizeof(*t->kinds), by_kind, t);
	for (size_t i = 0; i < p->count; i++)
		moved[p->place[t->kinds[i].name]] = (uint32_t)i;
	for (size_t i = 0; i < t->texts.count; i++)
		t->stacks[i].kind = moved[t->stacks[i].kind];
	free(moved);
}

/* ---- rows ----------------------------------------------------------------- */

struct rows_context {
	const struct timeline *t;
	enum timeline_order order;
};

static int by_row(const void *a, const void *b, void *context)
{
	const struct timeline_row *x = a, *y = b;
	const struct rows_context *c = context;
	int order = x->idle - y->idle;

	if (order)
		return order;
	if (c->t->by_cpu)
		return timeline_arrange_by_cpu(c->t, x->cpu, y->cpu, x->name, y->name);
	switch (c->order) {
	case TIMELINE_BY_TIME: order = ORDER(y->time_ns, x->time_ns); break;
	case TIMELINE_BY_WAITING: order = ORDER(y->waited_ns, x->waited_ns) ?: ORDER(y->time_ns, x->time_ns); break;
	case TIMELINE_BY_MOVES: order = ORDER(y->moves, x->moves); break;
	case TIMELINE_BY_FIRST: order = ORDER(x->start_ns, y->start_ns); break;
	case TIMELINE_BY_STALLS:
		order = ORDER(x->tier, y->tier) ?: ORDER(y->stalled_ns, x->stalled_ns) ?:
			ORDER(y->ran_ns + y->waited_ns, x->ran_ns + x->waited_ns) ?: ORDER(y->time_ns, x->time_ns);
		break;
	case TIMELINE_BY_NAME: break;
	}
	return order ? order : timeline_arrange_by_text(c->t, x->name, y->name);
}

static int by_values(struct timeline_values x, struct timeline_values y)
{
	return ORDER(x.count, y.count) ?: ORDER(x.longest, y.longest) ?: ORDER(x.migrations, y.migrations);
}

static int by_row_and_time(const void *a, const void *b, void *timeline)
{
	const struct timeline_span *x = a, *y = b;
	const struct timeline *t = timeline;
	const struct timeline_stack *sx = &t->stacks[x->stack], *sy = &t->stacks[y->stack];

	return ORDER(sx->row, sy->row) ?: ORDER(x->start_ns, y->start_ns) ?: ORDER(x->time_ns, y->time_ns) ?:
	       ORDER(t->rank[x->stack], t->rank[y->stack]) ?:
	       by_values(timeline_values_of(t, x), timeline_values_of(t, y));
}

/* Sum up for each row the facts about its spans. */
static void look_at_spans(struct timeline *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->span_count; i++) {
		const struct timeline_span *s = &t->spans[i];
		const struct timeline_stack *stack = &t->stacks[s->stack];
		struct timeline_row *row = &t->rows[stack->row];

		if (!row->count++) {
			row->first = i;
			row->start_ns = s->start_ns;
			end = 0;
		} else if (t->kinds_are_cpus && stack->kind != t->stacks[s[-1].stack].kind) {
			row->moves += !timeline_values_of(t, s).migrations; /* migrations are added below */
		}
		row->overlaps += !stack->idle && end > s->start_ns && end - s->start_ns > CLOCK_ERROR_NS;
		end = s->start_ns + s->time_ns > end ? s->start_ns + s->time_ns : end;
	}
}

static int sample_by_row_and_time(const void *a, const void *b, void *timeline)
{
	const struct timeline_sample *x = a, *y = b;
	const struct timeline *t = timeline;

	return ORDER(t->stacks[x->stack].row, t->stacks[y->stack].row) ?: ORDER(x->ns, y->ns) ?:
	       ORDER(t->rank[x->stack], t->rank[y->stack]);
}

static void look_at_samples(struct timeline *t)
{
	if (t->sample_count)
		qsort_r(t->samples, t->sample_count, sizeof(*t->samples), sample_by_row_and_time, t);
	for (size_t i = 0; i < t->sample_count; i++) {
		struct timeline_row *row = &t->rows[t->stacks[t->samples[i].stack].row];

		if (!row->sample_count++)
			row->first_sample = i;
	}
}

static void timeline_arrange_make_rows(struct timeline *t, const struct row_places *p, const struct timeline_wish *wish)
{
	struct rows_context context = { t, wish->order };
	uint32_t *moved = xcalloc(p->count + 1, sizeof(*moved));

	t->row_count = p->count;
	t->rows = xcalloc(p->count + 1, sizeof(*t->rows));
	for (size_t i = 0; i < p->count; i++)
		t->rows[i] = (struct timeline_row){ .name = p->name[i],
						    .cpu = t->by_cpu ? timeline_arrange_cpu_of(t, p->name[i]) : NULL };
	if (t->span_count)
		qsort_r(t->spans, t->span_count, sizeof(*t->spans), by_row_and_time, t);
	look_at_spans(t);
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[i];
		struct timeline_row *row = &t->rows[s->row];

		row->idle |= s->idle && !t->by_cpu;
		if (s->idle)
			continue;
		row->time_ns += s->sum.time;
		if (t->kinds[s->kind].waiting)
			row->waited_ns += s->sum.time;
		if (t->kinds[s->kind].running)
			row->ran_ns += s->sum.time;
		if (t->kinds[s->kind].blocked)
			row->blocked_ns += s->sum.time;
		if (t->has_migrations)
			row->moves += s->sum.migrations;
	}
	look_at_samples(t);
	if (wish->order == TIMELINE_BY_STALLS)
		timeline_find_stalls(t);
	qsort_r(t->rows, t->row_count, sizeof(*t->rows), by_row, &context);
	for (size_t i = 0; i < p->count; i++)
		moved[p->place[t->rows[i].name]] = (uint32_t)i;
	for (size_t i = 0; i < t->texts.count; i++)
		t->stacks[i].row = moved[t->stacks[i].row];
	for (size_t i = 0; i < t->stall_count; i++)
		t->stalls[i].row = t->stalls[i].row == UINT32_MAX ? UINT32_MAX : moved[t->stalls[i].row];
	free(moved);
}

/* Sets row.kinds: how many distinct kinds a row has. */
static void count_kinds(struct timeline *t)
{
	struct pair {
		uint32_t row, kind;
	} *last = xcalloc(t->kind_count + 1, sizeof(*last));
	size_t *first = xcalloc(t->row_count + 2, sizeof(*first));
	uint32_t *in_rows = xcalloc(t->texts.count + 1, sizeof(*in_rows));

	for (size_t i = 0; i < t->texts.count; i++)
		first[t->stacks[i].row + 1]++;
	for (size_t r = 0; r < t->row_count; r++)
		first[r + 1] += first[r];
	for (size_t i = 0; i < t->texts.count; i++)
		in_rows[first[t->stacks[i].row]++] = (uint32_t)i;
	for (size_t r = 0; r < t->row_count; r++)
		t->rows[r].kinds = 0;
	for (size_t i = 0; i < t->texts.count; i++) {
		const struct timeline_stack *s = &t->stacks[in_rows[i]];

		if (s->sum.time && !s->idle && last[s->kind].row != s->row + 1)
			t->rows[s->row].kinds++;
		last[s->kind].row = s->row + 1;
	}
	free(last);
	free(first);
	free(in_rows);
}

/* Without spans, a thread that was on two CPUs has moved at least once, even if no switch was seen. */
static void count_moves(struct timeline *t)
{
	for (size_t r = 0; r < t->row_count && t->kinds_are_cpus && t->has_migrations; r++) {
		struct timeline_row *row = &t->rows[r];

		if (row->kinds && row->moves < row->kinds - 1)
			row->moves = row->kinds - 1;
	}
}

/* ---- all of it ------------------------------------------------------------ */

static const char *timeline_arrange_choose(struct timeline *t, const struct timeline_wish *wish)
{
	t->by_cpu = wish->by_cpu;
	if (!t->has_cpu && (wish->by_cpu || !t->has_state))
		return "the lines do not name the CPU: collapse --tenancy, or --root thread,cpu";
	if (wish->by_state && !t->has_state)
		return "the lines do not name the state (collapse --tenancy keeps only what ran): "
		       "pyrograph collapse --states -t rec.data | "
		       "pyrograph render tenancy --by state";
	t->kinds_are_states = !t->by_cpu && (wish->by_state || !t->has_cpu);
	t->kinds_are_cpus = !t->by_cpu && !t->kinds_are_states;
	return NULL;
}

static int sum_by_rank(const void *a, const void *b, void *timeline)
{
	const struct timeline_sum *x = a, *y = b;
	const struct timeline *t = timeline;

	return ORDER(t->rank[x->stack], t->rank[y->stack]);
}

/* One sum for each stack. */
static void join_sums(struct timeline *t)
{
	size_t kept = 0;

	if (t->sum_count)
		qsort_r(t->sums, t->sum_count, sizeof(*t->sums), sum_by_rank, t);
	for (size_t i = 0; i < t->sum_count; i++) {
		struct timeline_values *last = kept ? &t->sums[kept - 1].values : NULL;
		const struct timeline_values *v = &t->sums[i].values;

		if (!last || t->sums[kept - 1].stack != t->sums[i].stack) {
			t->sums[kept++] = t->sums[i];
			continue;
		}
		last->time += v->time;
		last->count += v->count;
		last->longest = v->longest > last->longest ? v->longest : last->longest;
		last->migrations += v->migrations;
	}
	t->sum_count = kept;
}

/* Add the CPUs on which nothing ran, which are shown, too. */
static void add_idle_cpus(struct timeline *t)
{
	char name[16];

	for (size_t i = 0; i < t->topology.count; i++) {
		int len = snprintf(name, sizeof(name), "cpu%u", t->topology.cpus[i].number);

		intern_add(&t->names, name, (size_t)len);
	}
}

const char *timeline_arrange(struct timeline *t, const struct timeline_wish *wish)
{
	struct row_places rows, kinds;
	const char *wrong = timeline_arrange_choose(t, wish);
	uint32_t idle;

	if (wrong)
		return wrong;
	for (size_t i = 0; i < t->texts.count; i++)
		t->idle_ns += t->stacks[i].idle ? t->stacks[i].sum.time : 0;
	t->time_ns -= t->idle_ns;
	if (!t->time_ns && !t->by_cpu)
		return "the CPUs were idle all the time; --by cpu shows it";
	t->whole = timeline_is_whole(t);
	topology_read(&t->topology, source_get(&t->in.source, FOLDED_TOPOLOGY));
	add_idle_cpus(t);
	none(t, UINT32_MAX);
	idle = intern_add(&t->names, FOLDED_BY_IDLE, strlen(FOLDED_BY_IDLE));
	places_init(&rows, t->names.count);
	places_init(&kinds, t->names.count);
	for (size_t i = 0; i < t->texts.count; i++) {
		struct timeline_stack *s = &t->stacks[i];

		s->row = timeline_arrange_place(&rows, none(t, t->by_cpu ? s->cpu : s->thread));
		s->kind = timeline_arrange_place(&kinds, none(t, t->by_cpu             ? s->idle ? idle : s->thread
								 : t->kinds_are_states ? s->state
										       : s->cpu));
	}
	for (uint32_t n = 0; n < t->names.count && !t->kinds_are_states; n++) {
		if (timeline_arrange_cpu_of(t, n))
			timeline_arrange_place(t->by_cpu ? &rows : &kinds, n);
	}
	t->rank = textsort_ranks(&t->texts);
	t->trace_rank = textsort_ranks(&t->traces);
	join_sums(t);
	make_kinds(t, &kinds);
	timeline_arrange_make_rows(t, &rows, wish);
	count_kinds(t);
	count_moves(t);
	timeline_find_process(t);
	timeline_find_shorts(t);
	if (wish->total)
		t->span_count = 0;
	timeline_arrange_places_free(&rows);
	timeline_arrange_places_free(&kinds);
	return NULL;
}
