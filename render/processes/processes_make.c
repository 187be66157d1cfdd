/* Makes processes from spans, and finds the window and each process's parent. */
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/processes/processes.h"

static const uint64_t BETWEEN_RECORDINGS_NS = 10 * NS_PER_SEC;

enum { DEPTH_MOST = 1000, QUIET_PART = 1000 };

/* ---- the window ---- */

static void processes_find_window(struct processes *p)
{
	rows_window_begin(&p->in, FOLDED_FROM, FOLDED_TO);
	for (size_t i = 0; i < p->span_count; i++) {
		const struct process_span *s = &p->spans[i];

		rows_window_widen(&p->in, s->time_ns, s->time_ns + (s->ns ? s->ns : 1));
	}
	rows_window_end(&p->in);
}

static void cut_spans(struct processes *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->span_count; i++) {
		struct process_span s = p->spans[i];
		uint64_t end = s.time_ns + s.ns, whole = s.ns;

		if (s.time_ns >= p->in.end_ns || (end <= p->in.start_ns && s.time_ns < p->in.start_ns))
			continue;
		s.time_ns = s.time_ns < p->in.start_ns ? p->in.start_ns : s.time_ns;
		s.ns = (end > p->in.end_ns ? p->in.end_ns : end) - s.time_ns;
		if (s.ns < whole)
			s.cpu_ns = (uint64_t)((__uint128_t)s.cpu_ns * s.ns / whole);
		p->spans[kept++] = s;
	}
	p->span_count = kept;
}

/* ---- processes ---- */

static int by_pid_and_time(const void *a, const void *b)
{
	const struct process_span *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void processes_make_begin_process(struct processes *p, size_t at)
{
	const struct process_span *s = &p->spans[at];

	p->list[p->count++] = (struct process_life){ .first = at,
						     .begin_ns = s->time_ns,
						     .end_ns = s->time_ns,
						     .pid = s->pid,
						     .name = s->name,
						     .parent = PROCESS_NONE,
						     .child = PROCESS_NONE,
						     .next = PROCESS_NONE };
}

static void extend_process(struct process_life *q, const struct process_span *s, const struct process_kind *kind)
{
	uint64_t end = s->time_ns + s->ns;

	q->count++;
	q->end_ns = end > q->end_ns ? end : q->end_ns;
	q->cpu_ns += s->cpu_ns;
	q->peak = s->peak > q->peak ? s->peak : q->peak;
	if (!kind->failed)
		q->name = s->name;
}

/* Does the process go on from one recording to the next, as in recordings of pyrograph watch? */
static bool processes_make_goes_on(const struct processes *p, const struct process_span *last,
				   const struct process_span *s)
{
	return p->kinds[last->kind].runs && p->kinds[s->kind].before && last->name == s->name &&
	       s->time_ns - last->time_ns < last->ns + BETWEEN_RECORDINGS_NS;
}

/* Does a span begin a process?  last: the previous span with the same pid, except failed execs; NULL: there is none. */
static bool processes_make_is_new(const struct processes *p, const struct process_span *last,
				  const struct process_span *s)
{
	const struct process_kind *kind = &p->kinds[s->kind];

	if (!last || kind->failed || processes_make_goes_on(p, last, s))
		return false;
	return !kind->execed || !p->kinds[last->kind].replaced;
}

void processes_make(struct processes *p)
{
	const struct process_span *last = NULL;

	if (p->span_count)
		qsort(p->spans, p->span_count, sizeof(*p->spans), by_pid_and_time);
	p->list = xcalloc(p->span_count + 1, sizeof(*p->list));
	for (size_t i = 0; i < p->span_count; i++) {
		struct process_span *s = &p->spans[i];
		bool is_other = !i || s->pid != p->spans[i - 1].pid;

		if (is_other || processes_make_is_new(p, last, s))
			processes_make_begin_process(p, i);
		if (is_other)
			last = NULL;
		s->continues = last && processes_make_goes_on(p, last, s);
		extend_process(&p->list[p->count - 1], s, &p->kinds[s->kind]);
		if (!p->kinds[s->kind].failed)
			last = s;
	}
}

/* ---- the tree ---- */

/* The process with this pid that lived at ns. */
static uint32_t process_at(const struct processes *p, uint32_t pid, uint64_t ns)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct process_life *q = &p->list[middle];

		if (q->pid < pid || (q->pid == pid && q->begin_ns <= ns))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || p->list[low - 1].pid != pid || p->list[low - 1].end_ns < ns)
		return PROCESS_NONE;
	return (uint32_t)low - 1;
}

/* Is the way from parent up to the root without the process, and not too long? */
static bool may_be_parent(const struct processes *p, uint32_t parent, uint32_t process)
{
	for (int depth = 0; parent != PROCESS_NONE; depth++) {
		if (parent == process || depth == DEPTH_MOST)
			return false;
		parent = p->list[parent].parent;
	}
	return true;
}

static void find_parents(struct processes *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		struct process_life *q = &p->list[i];
		uint32_t parent = process_at(p, p->spans[q->first].parent, q->begin_ns);

		if (parent == PROCESS_NONE || !may_be_parent(p, parent, i))
			continue;
		q->parent = parent;
		q->next = p->list[parent].child;
		p->list[parent].child = i;
	}
	for (uint32_t i = 0; i < p->count; i++) {
		for (uint32_t up = p->list[i].parent; up != PROCESS_NONE; up = p->list[up].parent)
			p->list[up].descendants++;
	}
}

/* Did it exist before and after, without executing a program? */
static bool is_steady(const struct processes *p, const struct process_life *q)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct process_kind *kind = &p->kinds[p->spans[q->first + i].kind];

		if (!kind->before || !kind->runs)
			return false;
	}
	return true;
}

static void find_quiet(struct processes *p)
{
	size_t quiet_count = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct process_life *q = &p->list[i];

		q->quiet = q->child == PROCESS_NONE && is_steady(p, q) &&
			   q->cpu_ns < (p->in.end_ns - p->in.start_ns) / QUIET_PART;
		quiet_count += q->quiet;
	}
	for (size_t i = 0; quiet_count == p->count && i < p->count; i++)
		p->list[i].quiet = false;
}

/* ---- totals ---- */

static int processes_make_by_cpu(const void *a, const void *b)
{
	const struct process_total *x = a, *y = b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns > y->cpu_ns ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Sums by the names of spans, since the time of a process before its exec belongs to the previous program. */
static void processes_make_sum_up(struct processes *p)
{
	size_t kept = 0;

	p->total_count = p->texts.count;
	p->totals = xcalloc(p->total_count + 1, sizeof(*p->totals));
	for (size_t i = 0; i < p->span_count; i++) {
		const struct process_span *s = &p->spans[i];
		const struct process_kind *kind = &p->kinds[s->kind];
		struct process_total *t = &p->totals[s->name];

		if (kind->failed)
			continue;
		t->name = s->name;
		t->runs += !s->continues;
		t->ns += s->ns;
		t->cpu_ns += s->cpu_ns;
		t->peak = s->peak > t->peak ? s->peak : t->peak;
		t->wrong += kind->wrong;
	}
	for (size_t i = 0; i < p->total_count; i++) {
		if (p->totals[i].runs)
			p->totals[kept++] = p->totals[i];
	}
	p->total_count = kept;
	if (kept)
		qsort(p->totals, kept, sizeof(*p->totals), processes_make_by_cpu);
}

const char *processes_finish(struct processes *p, const char *from, const char *to, uint32_t pool)
{
	const char *wrong;
	uint64_t start, end;

	if (!p->span_count)
		return "no line is left";
	if (!from && !to)
		p->span_count = rows_leave_strays(&p->in, "spans", p->spans, p->span_count, sizeof(*p->spans));
	processes_find_window(p);
	wrong = rows_window_part(&p->in, from, to, &start, &end);
	if (wrong)
		return wrong;
	p->in.start_ns = start;
	p->in.end_ns = end;
	cut_spans(p);
	if (!p->span_count)
		return "nothing was recorded in that time";
	processes_make(p);
	find_parents(p);
	find_quiet(p);
	processes_make_rows(p, pool);
	processes_find_path(p);
	processes_make_sum_up(p);
	return NULL;
}
