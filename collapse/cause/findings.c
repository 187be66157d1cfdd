#include "collapse/cause/findings.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/cause/children.h"
#include "collapse/cause/critical_path.h"
#include "collapse/cause/finding_maker.h"
#include "collapse/cause/queues.h"
#include "collapse/cause/tree_finding.h"
#include "collapse/cause/turns.h"
#include "collapse/cause/wakers.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

/* ---- roles ----------------------------------------------------------------------- */

static bool is_victim(const struct finding_maker *m, uint32_t thread)
{
	return m->roles[thread] & FINDING_VICTIM;
}

static bool is_guilty(const struct finding_maker *m, uint32_t thread)
{
	return m->roles[thread] & FINDING_GUILTY;
}

static double seconds_of(const struct history *h)
{
	return (double)(h->last_ns - h->first_ns) / 1e9;
}

/* ---- waits for others ---------------------------------------------------------------- */

/* The kind of finding; -1: none.  sure: the victim surely has work to do. */
static int finding_of_cause(const struct finding_maker *m, const struct cause *c, bool sure)
{
	switch (c->kind) {
	case CAUSE_RAN:
	case CAUSE_THROTTLED:
	case CAUSE_NO_CPU: return FINDING_RAN; /* which of these kinds applied most of the time is determined later */
	case CAUSE_SLEPT: return FINDING_SLEPT;
	case CAUSE_IO: return FINDING_IO;
	case CAUSE_THREAD:
	case CAUSE_PROCESS: return sure ? FINDING_WAITED : -1;
	case CAUSE_OUTSIDE: return sure && frames_wait_named(m->f, c->stack) == WAIT_NETWORK ? FINDING_WAITED : -1;
	default: return -1;
	}
}

/* A condition may belong to a queue of tasks, and a pipe or a socket may deliver them. */
static bool may_be_for_work(enum wait_kind wait)
{
	return wait == WAIT_UNKNOWN || wait == WAIT_ANOTHER_THREAD || wait == WAIT_PROCESS || wait == WAIT_NETWORK;
}

/* A thread that spends most of its time in such waits has little else to do. */
static bool has_much_time(const struct finding_maker *m, uint32_t thread)
{
	return m->spare_ns[thread] * 2 > m->lived_ns[thread];
}

/* Does the thread rather answer the one that ended its wait: does that one wait longer for this one, which mostly rests? */
static bool findings_answers(const struct finding_maker *m, const struct history_span *b)
{
	return b->other < HISTORY_INTERRUPT && m->rested_ns[b->thread] * 2 > m->lived_ns[b->thread] &&
	       map_get(&m->answers_us, b->thread, b->other) > map_get(&m->answers_us, b->other, b->thread);
}

static void findings_add_answer(struct finding_maker *m, const struct history_span *b)
{
	if (b->other < HISTORY_INTERRUPT)
		*map_at(&m->answers_us, b->other, b->thread) += (uint32_t)(history_length(b) / 1000) + 1;
}

static void sum_spare(struct finding_maker *m)
{
	m->spare_ns = xcalloc(m->h->count + 1, sizeof(*m->spare_ns));
	m->rested_ns = xcalloc(m->h->count + 1, sizeof(*m->rested_ns));
	m->lived_ns = xcalloc(m->h->count + 1, sizeof(*m->lived_ns));
	for (size_t i = 0; i < m->h->states.count; i++)
		m->lived_ns[m->h->states.items[i].thread] += history_length(&m->h->states.items[i]);
	for (size_t i = 0; i < m->h->blocks.count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];
		enum wait_kind wait = frames_wait_kind(m->f, b->stack);

		if (may_be_for_work(wait))
			findings_add_answer(m, b);
		if (wait == WAIT_WORK || may_be_for_work(wait))
			m->spare_ns[b->thread] += history_length(b);
		if (wait == WAIT_WORK || wait == WAIT_SLEEP || may_be_for_work(wait))
			m->rested_ns[b->thread] += history_length(b);
		m->lived_ns[b->thread] += history_length(b);
	}
}

static void note_stoppers(struct finding_maker *m)
{
	m->stoppers = xcalloc(m->h->count + 1, sizeof(*m->stoppers));
	for (uint32_t i = 0; i < m->h->count; i++) {
		if (m->h->threads[i].stops_jvm)
			m->stoppers[m->h->threads[i].process] = i + 1;
	}
}

/* Did the JVM stop the thread; or, for part of the time, another one, which had the lock for which it waited? */
static bool findings_is_of_pause(const struct finding_maker *m, const struct history_span *b, enum wait_kind wait,
				 const struct cause *c)
{
	uint32_t stopper = m->stoppers[m->h->threads[b->thread].process];

	return stopper && (wait == WAIT_PAUSE || (wait_is_for_lock(wait) && c->guilty == stopper - 1));
}

/* The culprit is known: the threads between it and the victim do not matter. */
static void add_pause(struct finding_maker *m, const struct history_span *b, enum wait_kind wait, const struct cause *c)
{
	struct group_key key = { .kind = FINDING_PAUSE,
				 .wait = WAIT_PAUSE,
				 .guilty = m->stoppers[m->h->threads[b->thread].process] - 1 };
	struct history_span part = *b;
	struct cause pause = *c;

	if (wait != WAIT_PAUSE) {
		part.begin_ns = c->from_ns;
		part.end_ns = c->to_ns;
	}
	pause.path_count = 0;
	pause.guilty = key.guilty;
	pause.stack = HISTORY_NONE;
	pause.from_ns = part.begin_ns;
	pause.to_ns = part.end_ns;
	if (is_guilty(m, key.guilty) && b->thread != key.guilty)
		groups_add(&m->groups, &key, &part, &pause, 0);
}

/* What the thread waits for; a lock of Python shows by threads that take turns, too. */
static struct group_key findings_key_of(struct finding_maker *m, const struct history_span *b, enum wait_kind wait,
					const struct cause *c)
{
	struct group_key key = { .wait = wait, .guilty = c->guilty, .wish = block_wish_of(m->h, m->f, b) };

	if (key.wish == BLOCK_WISH_PYTHON && queues_have(m, b, c)) {
		key.wish = BLOCK_WISH_UNKNOWN;
		key.wait = WAIT_LOCK;
	} else if (key.wish == BLOCK_WISH_UNKNOWN && queues_have(m, b, c)) {
		key.wish = BLOCK_WISH_TURN;
	}
	return key;
}

/* Is it certain that the thread had work to do? */
static bool findings_is_sure(const struct finding_maker *m, const struct history_span *b, const struct group_key *key)
{
	if (key->wish != BLOCK_WISH_UNKNOWN && key->wish != BLOCK_WISH_PYTHON)
		return true;
	if (key->wait == WAIT_WORK)
		return false;
	return b->state == RECORDING_BLOCKED || !may_be_for_work(key->wait) ||
	       (!has_much_time(m, b->thread) && !findings_answers(m, b));
}

/* Clients in other processes and the network bring work.  So who made a thread wait for them is not reported if the thread
 * has time to spare, or if it has just begun. */
static bool is_for_work(const struct finding_maker *m, const struct history_span *b, const struct group_key *key)
{
	return key->wait == WAIT_WORK || b->other >= HISTORY_INTERRUPT ||
	       m->h->threads[b->thread].process != m->h->threads[b->other].process;
}

/* A semaphore that processes share. */
static bool findings_is_shared(const struct finding_maker *m, const struct history_span *b, enum wait_kind wait)
{
	return wait == WAIT_ANOTHER_THREAD && b->other < HISTORY_INTERRUPT &&
	       m->h->threads[b->thread].process != m->h->threads[b->other].process;
}

/* A wait for the network, or for another process, is a wait for an answer, or for work: no name tells which. */
static void findings_add_elsewhere(struct finding_maker *m, const struct history_span *b)
{
	enum wait_kind wait = frames_wait_named(m->f, b->stack);
	struct group_key key = { .kind = FINDING_MAYBE, .wait = wait, .guilty = b->thread };
	struct cause c = cause_alone(CAUSE_OUTSIDE, b->thread, b->stack, b);

	if (block_wish_of(m->h, m->f, b) == BLOCK_WISH_ANSWER)
		key.wish = BLOCK_WISH_ANSWER;
	if ((wait == WAIT_NETWORK || wait == WAIT_PROCESS || findings_is_shared(m, b, wait)) &&
	    !critical_path_awaits(m->f, b))
		groups_add(&m->groups, &key, b, &c, 0);
}

/* Did a thread of the same process wait for the end of another process?  Then it had no lack of work. */
static bool findings_awaits_child(const struct finding_maker *m, const struct history_span *b, const struct cause *c)
{
	static const char *const waits[] = { "do_wait", "kernel_wait4", "kernel_waitid", NULL };

	return c->kind == CAUSE_PROCESS && c->stack != HISTORY_NONE && frames_has(m->f, c->stack, waits) &&
	       m->h->threads[c->guilty].process == m->h->threads[b->thread].process;
}

static void findings_add_cause(struct finding_maker *m, const struct history_span *b, enum wait_kind wait,
			       const struct cause *c)
{
	struct group_key key = findings_key_of(m, b, wait, c);
	int kind = finding_of_cause(m, c,
				    wait_is_for_lock(key.wait) || key.wish == BLOCK_WISH_TURN ||
					    key.wish == BLOCK_WISH_RESULT || findings_awaits_child(m, b, c));

	if (kind < 0 || (c->guilty == b->thread && kind != FINDING_IO)) {
		findings_add_elsewhere(m, b);
		return;
	}
	key.kind = (enum finding_kind)kind;
	if (!findings_is_sure(m, b, &key)) {
		if (is_for_work(m, b, &key)) {
			findings_add_elsewhere(m, b);
			return;
		}
		key.kind = FINDING_MAYBE;
	}
	groups_add(&m->groups, &key, b, c, 0);
}

/* A wait for a lock that never ended. */
static void add_stuck(struct finding_maker *m, const struct history_span *b, enum wait_kind wait)
{
	struct group_key key = { .kind = FINDING_STUCK, .wait = wait, .guilty = m->h->threads[b->thread].process };
	struct cause c = cause_alone(CAUSE_UNKNOWN, b->thread, b->stack, b);

	if (history_length(b) / 9 * 10 >= m->h->last_ns - m->h->first_ns)
		groups_add(&m->groups, &key, b, &c, 0);
}

static void findings_add_block(struct finding_maker *m, const struct history_span *b)
{
	enum wait_kind wait = block_wait_kind(m->h, m->f, b);
	struct cause c;

	if (b->unasked || !is_victim(m, b->thread) || history_length(b) < HISTORY_LONG_NS ||
	    frames_wait_named(m->f, b->stack) == WAIT_WORK || !frames_has_user(m->f, b->stack))
		return;
	if (b->open) {
		if (wait_is_for_lock(wait))
			add_stuck(m, b, wait);
		return;
	}
	c = cause_follow(m->h, m->f, b);
	if (c.guilty < HISTORY_INTERRUPT && queues_leave(m, b, &c))
		c = cause_inside(m->h, m->f, b);
	if (findings_is_of_pause(m, b, wait, &c))
		add_pause(m, b, wait, &c);
	else if (c.guilty < HISTORY_INTERRUPT && is_guilty(m, c.guilty))
		findings_add_cause(m, b, wait, &c);
}

/* ---- waits for a CPU ----------------------------------------------------------------- */

static void sum_demands(struct finding_maker *m)
{
	m->demands = xcalloc(m->h->count + 1, sizeof(*m->demands));
	for (size_t i = 0; i < m->h->count; i++) {
		const struct history_thread *t = &m->h->threads[i];
		struct demand *d = &m->demands[t->process];

		d->ran_ns += t->ran_ns;
		d->waited_ns += t->ready_ns;
	}
}

/* A loss matters if it is at least a tenth of the time in which the thread wanted to run. */
static bool waits_matter(const struct demand *d)
{
	return d->waited_ns * 10 > d->ran_ns + d->waited_ns;
}

/* whole: the number of the wait to which the span belongs. */
static void findings_add_wait(struct finding_maker *m, const struct history_span *s, size_t whole)
{
	const struct history_thread *threads = m->h->threads;
	bool known = s->other != HISTORY_NONE;
	struct cause c = cause_alone(CAUSE_NO_CPU, s->other, HISTORY_NONE, s);
	struct group_key key = { .kind = FINDING_CROWD, .guilty = s->other };

	if (s->unasked || s->state == RECORDING_RUNNING || !is_victim(m, s->thread) ||
	    !waits_matter(&m->demands[threads[s->thread].process]))
		return;
	/* In a long wait, many threads may have had the CPU in turns, and are not known; in a short wait, the CPU may
	 * have been idle. */
	if (known ? !is_guilty(m, s->other) : history_length(s) < HISTORY_LONG_NS)
		return;
	if (history_gives_way(&threads[s->thread])) {
		key.kind = FINDING_GAVE_WAY;
		key.guilty = 0; /* likewise, and one group for all threads that gave way */
		c.guilty = known ? threads[s->other].process : HISTORY_NONE;
	} else if (!known || threads[s->thread].pid != threads[s->other].pid) {
		key.kind = FINDING_STOLEN;
		key.guilty = threads[s->thread].process; /* one finding for all that had it */
		c.guilty = known ? threads[s->other].process : HISTORY_NONE;
	}
	groups_add(&m->groups, &key, s, &c, whole);
	if (known)
		group_share_add(&groups_last(&m->groups)->thieves, s->other, history_length(s));
}

static void findings_add_throttled(struct finding_maker *m, const struct history_span *s)
{
	struct group_key key = { .kind = FINDING_THROTTLED, .guilty = m->h->threads[s->thread].process };
	struct cause c = cause_alone(CAUSE_THROTTLED, key.guilty, HISTORY_NONE, s);

	if (!s->unasked && is_victim(m, s->thread))
		groups_add(&m->groups, &key, s, &c, 0);
}

/* A wait is recorded in parts, one for each thread that had the CPU during it. */
static bool findings_goes_on(const struct history_span *s, const struct history_span *next)
{
	return s->thread == next->thread && s->state != RECORDING_RUNNING && next->state != RECORDING_RUNNING &&
	       next->begin_ns <= s->end_ns;
}

static void findings_add_waits(struct finding_maker *m)
{
	const struct history_list *states = &m->h->states;
	size_t whole = 0;

	for (size_t i = 0; i < states->count; i++) {
		if (!i || !findings_goes_on(&states->items[i - 1], &states->items[i]))
			whole++;
		if (states->items[i].state == RECORDING_THROTTLED)
			findings_add_throttled(m, &states->items[i]);
		else
			findings_add_wait(m, &states->items[i], whole);
	}
}

/* ---- what runs ----------------------------------------------------------------------- */

/* The thread wanted a CPU for more than half of the time. */
static void findings_add_hot(struct finding_maker *m, uint32_t thread)
{
	const struct history_thread *t = &m->h->threads[thread];
	uint64_t all_ns = m->h->last_ns - m->h->first_ns;
	struct cause c = { .guilty = thread,
			   .by = HISTORY_NONE,
			   .stack = HISTORY_NONE,
			   .let_go = HISTORY_NONE,
			   .from_ns = m->h->first_ns,
			   .to_ns = m->h->last_ns };
	struct history_span span = {
		m->h->first_ns, m->h->first_ns + t->ran_ns, thread, HISTORY_NONE, HISTORY_NONE, 0, 0, false, false,
		false
	};
	struct group_key key = { .kind = FINDING_HOT, .guilty = thread };

	if (m->roles[thread] != (FINDING_VICTIM | FINDING_GUILTY) || !t->samples.count ||
	    (t->ran_ns + t->ready_ns) * 2 < all_ns)
		return;
	groups_add(&m->groups, &key, &span, &c, 0);
}

/* Uncertain findings come after certain ones, and what somebody asked for (threads that gave way) comes last. */
static int findings_rank(const struct finding *f)
{
	return f->kind == FINDING_GAVE_WAY ? 2 : f->kind == FINDING_MAYBE && !f->leads;
}

static int by_score(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return ORDER(findings_rank(x), findings_rank(y)) ?: ORDER(y->score, x->score) ?: ORDER(x->guilty, y->guilty);
}

/* Is the finding about work that was done, which need not be a problem? */
static bool findings_is_of_work(const struct finding *n)
{
	return n->kind == FINDING_HOT || n->kind == FINDING_WAKER || n->kind == FINDING_CHILD;
}

/* How much of the longest wait did the guilty one cause itself, rather than those that kept it from a CPU, or the other
 * programs that had the CPU, if none had it most? */
static uint64_t findings_own_ns(const struct finding *f)
{
	uint64_t others_ns = f->ready_ns + f->throttled_ns;

	if (f->kind == FINDING_STOLEN)
		others_ns = f->had_ns * 2 < f->total_ns ? f->total_ns - f->had_ns : 0;
	if (others_ns >= f->total_ns)
		return 0;
	return (uint64_t)((double)f->longest_ns * (double)(f->total_ns - others_ns) / (double)f->total_ns);
}

/* Did the guilty one hold up others, or the events that it handles, for longer than people like to wait? */
static bool findings_is_stall(const struct finding *f)
{
	return ((f->kind <= FINDING_WAITED && f->weight >= 1) || f->kind == FINDING_TURN) &&
	       f->longest_ns >= NOTICED_NS && findings_own_ns(f) * 2 >= NOTICED_NS;
}

/* Does f say more than finding n, which says only that threads waited for a CPU, or had work?  A lock's owner that gets
 * no CPU makes others wait, and matters more even if it waits longer than they do (priority inversion).  A thread that
 * makes another one wait longer than any one program makes threads wait for a CPU is not excused by a busy machine. */
static bool tells_more(const struct finding *f, const struct finding *n)
{
	enum { LEAST_SHARE = 5 };
	bool costs = f->score * LEAST_SHARE >= n->score;

	if (findings_is_of_work(n))
		return f->kind <= FINDING_WAITED && f->weight >= 1 && f->longest_ns >= NOTICED_NS &&
		       (costs || findings_is_stall(f));
	if (f->kind == FINDING_NO_CPU && n->victims[0].thread == f->guilty && costs)
		return true;
	if (findings_is_stall(f) && findings_own_ns(f) > findings_own_ns(n))
		return true;
	return f->kind <= FINDING_WAITED && f->weight >= 1 && f->longest_ns > findings_own_ns(n) && costs;
}

/* Is it worth a person's time? */
static bool findings_is_worthy(const struct finding *f, const struct history *h)
{
	enum { WORTH_SHARE = 100 };

	return f->score * WORTH_SHARE >= seconds_of(h);
}

/* Findings about waits for a CPU, or about work, come after findings that say more. */
static void put_causes_first(struct findings *all, const struct history *h)
{
	for (size_t i = 0; i < all->count; i++) {
		struct finding *n = &all->items[i];
		double most = 0;

		for (size_t k = 0; (finding_is_for_cpu(n->kind) || findings_is_of_work(n)) && k < all->count; k++) {
			const struct finding *f = &all->items[k];

			if (findings_is_worthy(f, h) && tells_more(f, n) && f->score > most)
				most = f->score;
		}
		if (most > 0 && most < n->score)
			n->score = most * 0.999;
	}
}

/* Did threads wait because CPUs were scarce, and not because a single thread of another program had their CPU? */
static bool findings_is_of_build(const struct history *h, const struct finding *build, const struct finding *n)
{
	return n->kind == FINDING_STOLEN ||
	       (n->kind == FINDING_NO_CPU && n->throttled_ns <= n->ready_ns &&
		(n->by == HISTORY_NONE || h->threads[n->by].name == h->threads[build->guilty].name));
}

/* Is the finding about what one command, such as a build, spent its time on? */
static bool findings_is_of_command(const struct finding *f)
{
	return f->kind == FINDING_TREE || f->kind == FINDING_PIPE || f->kind == FINDING_FORKS;
}

/* A build, a pipeline, or a program that starts processes all the time, that had most of the CPU time comes before the lack of CPUs that it caused. */
static void put_build_first(struct findings *all, const struct history *h)
{
	const struct finding *build = NULL;

	for (size_t i = 0; i < all->count; i++) {
		if (findings_is_of_command(&all->items[i]) && all->items[i].weight >= TREE_FINDING_MOST &&
		    (!build || all->items[i].score > build->score))
			build = &all->items[i];
	}
	for (size_t i = 0; build && i < all->count; i++) {
		struct finding *n = &all->items[i];

		if (findings_is_of_build(h, build, n) && n->score > build->score)
			n->score = build->score * 0.999;
	}
}

/* Threads of an interpreter often wait for its lock, and briefly.  Long waits for what may be a lock of the program come
 * first, if the thread that ended them is known. */
static void put_long_waits_first(struct findings *all, const struct history *h)
{
	for (size_t i = 0; i < all->count; i++) {
		struct finding *f = &all->items[i];

		for (size_t k = 0; f->kind == FINDING_MAYBE && f->wish == BLOCK_WISH_PYTHON && k < all->count; k++) {
			const struct finding *n = &all->items[k];

			if (n->wish != BLOCK_WISH_GIL || n->longest_ns * 2 > f->longest_ns ||
			    n->total_ns > f->total_ns || n->score < f->score ||
			    h->threads[n->guilty].process != h->threads[f->guilty].process)
				continue;
			f->score = n->score * 1.001;
			f->leads = true;
		}
	}
}

static bool findings_is_same_function(struct frames_function a, struct frames_function b)
{
	return a.text != UINT32_MAX && a.text == b.text && a.caller == b.caller;
}

/* Is n about the waits in which the event loop of f was blocked?  Then it had work: the events. */
static bool findings_is_of_turns(const struct finding *f, const struct finding *n)
{
	return f->kind == FINDING_TURN && f->guilty == n->longest_victim && f->wait == n->wait &&
	       findings_is_same_function(f->function, n->site) && f->total_ns * 2 >= n->total_ns;
}

/* Does f tell surely of what n, which may be for work, tells: because others waited meanwhile for the threads that
 * waited there, or because these mostly waited there for somebody? */
static bool findings_settles(const struct finding *f, const struct finding *n)
{
	if (f->kind >= FINDING_MAYBE)
		return findings_is_of_turns(f, n);
	if (finding_has_victim(n, f->guilty) && findings_is_same_function(f->function, n->site))
		return true;
	return finding_has_victim(f, n->longest_victim) && findings_is_same_function(f->site, n->site) &&
	       f->total_ns >= n->total_ns;
}

/* One wait has one verdict. */
static void drop_settled(struct findings *all)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		bool settled = false;

		for (size_t k = 0; all->items[i].kind == FINDING_MAYBE && k < all->count && !settled; k++)
			settled = findings_settles(&all->items[k], &all->items[i]);
		if (!settled)
			all->items[kept++] = all->items[i];
	}
	all->count = kept;
}

enum { CPU_WAITS_MAX = 2, MAYBE_MAX = 2, WAKERS_MAX = 2 };

/* Keep the findings that are worth a person's time: those that cost at least a hundredth of the recording's time.
 * Where CPUs are scarce, all processes wait for them, so at most two such findings stay, to leave room for others.  The
 * same limit applies to guesses, and to threads that wake others. */
static void keep_worthy(struct findings *all, const struct history *h)
{
	size_t kept = 0, cpu_waits = 0, maybe = 0, wakers = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->items[i];

		if (!findings_is_worthy(f, h) || (finding_is_for_cpu(f->kind) && cpu_waits++ >= CPU_WAITS_MAX) ||
		    (f->kind == FINDING_MAYBE && maybe++ >= MAYBE_MAX) ||
		    (f->kind == FINDING_WAKER && wakers++ >= WAKERS_MAX))
			continue;
		all->items[kept++] = *f;
	}
	all->count = kept;
}

void findings_make(struct findings *all, const struct history *h, struct cause_frames *f, findings_roles *roles,
		   const void *argument)
{
	struct finding_maker m = { .all = all, .h = h, .f = f, .roles = xcalloc(h->count + 1, 1) };

	for (size_t i = 0; i < h->count; i++)
		m.roles[i] = h->threads[i].tid ? (uint8_t)roles(&h->threads[i], argument) : 0;
	sum_demands(&m);
	sum_spare(&m);
	note_stoppers(&m);
	queues_find(&m);
	m.shortage = shortage_find(h, f);
	for (size_t i = 0; i < h->blocks.count; i++)
		findings_add_block(&m, &h->blocks.items[i]);
	findings_add_waits(&m);
	if (!h->limited)
		turns_add(&m);
	for (uint32_t i = 0; !h->limited && i < h->count; i++)
		findings_add_hot(&m, i);
	if (!h->limited) /* these are of all the time */
		wakers_add(&m);
	findings_of_groups(&m);
	if (!h->limited) {
		tree_finding_add(&m);
		children_add(&m);
		pipelines_add(&m);
		pipelines_settle(all, h);
	}
	put_causes_first(all, h);
	put_build_first(all, h);
	put_long_waits_first(all, h);
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_score);
	drop_settled(all);
	keep_worthy(all, h);
	groups_free(&m.groups);
	free(m.roles);
	free(m.demands);
	free(m.spare_ns);
	free(m.rested_ns);
	map_free(&m.answers_us);
	free(m.stoppers);
	free(m.lived_ns);
	queues_free(&m.queues);
}

void findings_free(struct findings *all)
{
	if (!all)
		return;
	free(all->items);
	free(all->stretches);
}
