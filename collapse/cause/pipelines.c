#include "collapse/cause/tree_finding.h"

#include <stdlib.h>

#include "collapse/cause/critical_path.h"
#include "core/memory.h"

enum {
	PIPE_LEAST_PERCENT = 30, /* of the recording, and of the pipeline's time */
	PIPE_LEAST_SHARE = 3,    /* one third of the CPU time */
};

/* fs/pipe.c */
static const char *const pipe_reads[] = { "pipe_read", "anon_pipe_read", NULL };
static const char *const pipe_writes[] = { "pipe_write", "anon_pipe_write", NULL };

struct pipe_edge {
	uint32_t writer, reader; /* processes, by their first threads */
	uint64_t full_ns;        /* for how long the writer waited for the reader, ... */
	uint64_t empty_ns;       /* ... and the reader for the writer */
};

/* A process. */
struct pipe_stage {
	uint64_t from_ns, to_ns;    /* of its life, within the recording */
	uint64_t busy_ns;           /* it ran, or waited for anything but these pipes */
	uint64_t full_ns, empty_ns; /* waits whose stacks are known, in all its pipes */
	uint32_t whole; /* a process of the same pipeline, as in a union-find; HISTORY_NONE: in no pipeline */
};

struct pipelines {
	const struct history *h;
	struct cause_frames *f;
	struct pipe_stage *stages; /* by the first thread of a process */
	struct map numbers;        /* writer, reader -> number in edges + 1 */
	struct pipe_edge *edges;
	size_t count, cap;
};

/* ---- what is known of the processes ------------------------------------------------------- */

static void pipelines_note(struct pipelines *p, const struct history_span *s)
{
	struct pipe_stage *stage = &p->stages[p->h->threads[s->thread].process];

	if (!stage->to_ns || s->begin_ns < stage->from_ns)
		stage->from_ns = s->begin_ns;
	if (s->end_ns > stage->to_ns)
		stage->to_ns = s->end_ns;
}

static void pipelines_find_stages(struct pipelines *p)
{
	const struct history *h = p->h;

	p->stages = xcalloc(h->count + 1, sizeof(*p->stages));
	for (uint32_t i = 0; i < h->count; i++) {
		p->stages[i].whole = HISTORY_NONE;
		p->stages[h->threads[i].process].busy_ns +=
			h->threads[i].ran_ns + h->threads[i].ready_ns + h->threads[i].throttled_ns;
	}
	for (size_t i = 0; i < h->states.count; i++)
		pipelines_note(p, &h->states.items[i]);
	for (size_t i = 0; i < h->blocks.count; i++)
		pipelines_note(p, &h->blocks.items[i]);
}

static uint32_t pipelines_whole(const struct pipelines *p, uint32_t process)
{
	while (p->stages[process].whole != process)
		process = p->stages[process].whole;
	return process;
}

static void pipelines_join(struct pipelines *p, uint32_t a, uint32_t b)
{
	if (p->stages[a].whole == HISTORY_NONE)
		p->stages[a].whole = a;
	if (p->stages[b].whole == HISTORY_NONE)
		p->stages[b].whole = b;
	p->stages[pipelines_whole(p, a)].whole = pipelines_whole(p, b);
}

static struct pipe_edge *pipelines_edge(struct pipelines *p, uint32_t writer, uint32_t reader)
{
	uint32_t *number = map_at(&p->numbers, writer, reader);

	if (!*number) {
		p->edges = xgrow(p->edges, &p->cap, p->count + 1, sizeof(*p->edges));
		p->edges[p->count++] = (struct pipe_edge){ .writer = writer, .reader = reader };
		*number = (uint32_t)p->count;
		pipelines_join(p, writer, reader);
	}
	return &p->edges[*number - 1];
}

/* Did the same process start both of them? */
static bool pipelines_are_siblings(const struct history *h, uint32_t a, uint32_t b)
{
	uint32_t parent = critical_path_parent(h, a);

	return a != b && parent != HISTORY_NONE && parent == critical_path_parent(h, b) && !h->threads[a].recorder &&
	       !h->threads[b].recorder && history_passes(h, &h->threads[a]) && history_passes(h, &h->threads[b]);
}

/* Add ns of waits of the thread, with this stack, which the waker ended.  Returns false if they are not for a pipe. */
static bool pipelines_add_wait(struct pipelines *p, uint32_t thread, uint32_t waker, uint32_t stack, uint64_t ns)
{
	uint32_t own = p->h->threads[thread].process, other = HISTORY_NONE;
	bool full = frames_has(p->f, stack, pipe_writes);

	if (!full && !frames_has(p->f, stack, pipe_reads))
		return false;
	*(full ? &p->stages[own].full_ns : &p->stages[own].empty_ns) += ns;
	if (waker < HISTORY_INTERRUPT)
		other = p->h->threads[waker].process;
	if (other == HISTORY_NONE || !pipelines_are_siblings(p->h, own, other))
		return true;
	if (full)
		pipelines_edge(p, own, other)->full_ns += ns;
	else
		pipelines_edge(p, other, own)->empty_ns += ns;
	return true;
}

static void pipelines_find_edges(struct pipelines *p)
{
	const struct history *h = p->h;

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];
		const struct history_thread *t = &h->threads[b->thread];

		if (!pipelines_add_wait(p, b->thread, b->other, b->stack, history_length(b)) && t->tid == t->pid)
			p->stages[t->process].busy_ns += history_length(b);
	}
	for (size_t i = 0; i < h->wake_count; i++)
		pipelines_add_wait(p, h->wakes[i].woken, h->wakes[i].waker, h->wakes[i].stack, h->wakes[i].ns);
	for (uint32_t i = 0; i < h->count; i++) { /* threads of one process may be busy at the same time */
		struct pipe_stage *s = &p->stages[i];

		if (s->busy_ns > s->to_ns - s->from_ns)
			s->busy_ns = s->to_ns - s->from_ns;
	}
}

/* ---- the bottleneck ----------------------------------------------------------------------- */

/* All waits of a process for its pipes, known or not, divided as the known ones are. */
static uint64_t pipelines_waited(const struct pipelines *p, uint32_t process, uint64_t known_ns)
{
	const struct pipe_stage *s = &p->stages[process];
	uint64_t waited_ns = s->to_ns - s->from_ns - s->busy_ns, all_ns = s->full_ns + s->empty_ns;

	return all_ns ? (uint64_t)((double)waited_ns * (double)known_ns / (double)all_ns) : 0;
}

/* The process that was busy longest, of all in pipelines. */
static uint32_t pipelines_bottleneck(const struct pipelines *p)
{
	uint32_t best = HISTORY_NONE;

	for (uint32_t i = 0; i < p->h->count; i++) {
		if (p->stages[i].whole != HISTORY_NONE &&
		    (best == HISTORY_NONE || p->stages[i].busy_ns > p->stages[best].busy_ns))
			best = i;
	}
	return best;
}

/* Who waited longest for the bottleneck, before and behind it. */
static void pipelines_find_neighbours(const struct pipelines *p, uint32_t bottleneck, struct finding_pipe *pipe)
{
	pipe->before = pipe->after = HISTORY_NONE;
	for (size_t i = 0; i < p->count; i++) {
		const struct pipe_edge *e = &p->edges[i];
		uint64_t full_ns = pipelines_waited(p, e->writer, e->full_ns);
		uint64_t empty_ns = pipelines_waited(p, e->reader, e->empty_ns);

		if (e->reader == bottleneck && full_ns > pipe->full_ns) {
			pipe->before = e->writer;
			pipe->full_ns = full_ns;
		}
		if (e->writer == bottleneck && empty_ns > pipe->empty_ns) {
			pipe->after = e->reader;
			pipe->empty_ns = empty_ns;
		}
	}
}

/* The process that writes to this one, or (forward) reads from it, by most of their waits; HISTORY_NONE: there is none. */
static uint32_t pipelines_next(const struct pipelines *p, uint32_t process, bool forward)
{
	uint32_t next = HISTORY_NONE;
	uint64_t most = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct pipe_edge *e = &p->edges[i];

		if ((forward ? e->writer : e->reader) != process || e->full_ns + e->empty_ns < most)
			continue;
		most = e->full_ns + e->empty_ns;
		next = forward ? e->reader : e->writer;
	}
	return next;
}

/* The processes in the order of their pipes: as many as there is room for, with the bottleneck. */
static void pipelines_order(const struct pipelines *p, uint32_t bottleneck, struct finding_pipe *pipe)
{
	uint32_t first = bottleneck, before;

	for (size_t i = 0; i < FINDING_STAGES / 2; i++) {
		before = pipelines_next(p, first, false);
		if (before == HISTORY_NONE || before == bottleneck)
			break;
		first = before;
	}
	for (uint32_t at = first; at != HISTORY_NONE && pipe->count < FINDING_STAGES; at = pipelines_next(p, at, true))
		pipe->stages[pipe->count++] = at;
}

/* When the pipeline began and ended. */
static struct history_span pipelines_span(const struct pipelines *p, uint32_t bottleneck)
{
	struct history_span span = { .begin_ns = UINT64_MAX };

	for (uint32_t i = 0; i < p->h->count; i++) {
		const struct pipe_stage *s = &p->stages[i];

		if (s->whole == HISTORY_NONE || pipelines_whole(p, i) != pipelines_whole(p, bottleneck))
			continue;
		span.begin_ns = s->from_ns < span.begin_ns ? s->from_ns : span.begin_ns;
		span.end_ns = s->to_ns > span.end_ns ? s->to_ns : span.end_ns;
	}
	return span;
}

/* The pipeline's share of all CPU time. */
static double pipelines_share(const struct pipelines *p, uint32_t bottleneck)
{
	uint64_t all_ns = 0, ns = 0;

	for (uint32_t i = 0; i < p->h->count; i++) {
		const struct history_thread *t = &p->h->threads[i];
		const struct pipe_stage *s = &p->stages[t->process];

		if (!t->tid || t->recorder)
			continue;
		all_ns += t->ran_ns;
		if (s->whole != HISTORY_NONE && pipelines_whole(p, t->process) == pipelines_whole(p, bottleneck))
			ns += t->ran_ns;
	}
	return all_ns ? (double)ns / (double)all_ns : 0;
}

/* ---- the finding -------------------------------------------------------------------------- */

static void pipelines_make(struct finding_maker *m, const struct pipelines *p, uint32_t bottleneck)
{
	static const struct frames_function none = { UINT32_MAX, UINT32_MAX };
	struct finding n = { .kind = FINDING_PIPE, .wait = WAIT_PROCESS };
	struct history_span whole = pipelines_span(p, bottleneck);
	uint64_t all_ns = p->h->last_ns - p->h->first_ns, longest_ns;
	double share = pipelines_share(p, bottleneck);

	pipelines_find_neighbours(p, bottleneck, &n.pipe);
	longest_ns = n.pipe.full_ns > n.pipe.empty_ns ? n.pipe.full_ns : n.pipe.empty_ns;
	if (history_length(&whole) * 100 < all_ns * PIPE_LEAST_PERCENT ||
	    longest_ns * 100 < history_length(&whole) * PIPE_LEAST_PERCENT || share * PIPE_LEAST_SHARE < 1 ||
	    !(m->roles[bottleneck] & FINDING_VICTIM))
		return;
	pipelines_order(p, bottleneck, &n.pipe);
	n.guilty = bottleneck;
	n.guilty_count = 1;
	n.parent = critical_path_parent(p->h, bottleneck);
	n.parent_function = n.by_function = n.site = none;
	n.function = finding_maker_function(m, bottleneck);
	n.by = n.cpu = HISTORY_NONE;
	n.ran_ns = p->h->threads[bottleneck].ran_ns;
	n.ready_ns = p->h->threads[bottleneck].ready_ns;
	n.count = n.episodes = n.victim_count = 1;
	n.total_ns = p->stages[bottleneck].busy_ns;
	n.lived_ns = history_length(&whole);
	n.longest_victim = n.pipe.full_ns > n.pipe.empty_ns ? n.pipe.before : n.pipe.after;
	n.victims[0] = (struct finding_share){ n.longest_victim, longest_ns };
	n.longest_ns = longest_ns;
	n.longest_at_ns = p->stages[bottleneck].from_ns;
	n.longest = cause_alone(CAUSE_RAN, bottleneck, HISTORY_NONE, &whole);
	n.weight = share;
	n.score = (double)n.lived_ns / 1e9 * share * share;
	m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(n));
	m->all->items[m->all->count++] = n;
}

void pipelines_add(struct finding_maker *m)
{
	struct pipelines p = { .h = m->h, .f = m->f };
	uint32_t bottleneck;

	pipelines_find_stages(&p);
	pipelines_find_edges(&p);
	bottleneck = pipelines_bottleneck(&p);
	if (bottleneck != HISTORY_NONE)
		pipelines_make(m, &p, bottleneck);
	map_free(&p.numbers);
	free(p.edges);
	free(p.stages);
}

static bool pipelines_has_stage(const struct history *h, const struct finding_pipe *pipe, uint32_t thread)
{
	for (size_t i = 0; i < pipe->count; i++) {
		if (h->threads[thread].process == pipe->stages[i])
			return true;
	}
	return false;
}

/* Is n about a wait for a process of the pipeline, or about how often one wakes its neighbours; or about the wait for the short
 * processes that one starts? */
static bool pipelines_tells(const struct history *h, const struct finding *f, const struct finding *n)
{
	if (f->kind == FINDING_FORKS)
		return n->kind == FINDING_MAYBE && n->wait == WAIT_PROCESS &&
		       h->threads[n->longest_victim].process == h->threads[f->guilty].process;
	if (f->kind != FINDING_PIPE)
		return false;
	switch (n->kind) {
	case FINDING_TREE:
	case FINDING_CHILD: return h->threads[n->guilty].process == f->guilty;
	case FINDING_WAKER: return pipelines_has_stage(h, &f->pipe, n->guilty);
	case FINDING_RAN:
	case FINDING_NO_CPU:
	case FINDING_MAYBE:
		return n->wait == WAIT_PROCESS && pipelines_has_stage(h, &f->pipe, n->guilty) &&
		       pipelines_has_stage(h, &f->pipe, n->longest_victim);
	default: return false;
	}
}

void pipelines_settle(struct findings *all, const struct history *h)
{
	size_t kept = 0;
	bool *told = xcalloc(all->count + 1, sizeof(*told));

	for (size_t i = 0; i < all->count; i++) {
		for (size_t k = 0; k < all->count; k++)
			told[i] |= pipelines_tells(h, &all->items[k], &all->items[i]);
	}
	for (size_t i = 0; i < all->count; i++) {
		if (!told[i])
			all->items[kept++] = all->items[i];
	}
	all->count = kept;
	free(told);
}
