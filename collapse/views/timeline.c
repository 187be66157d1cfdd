#include "collapse/views/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/cause/slices.h"
#include "collapse/cause/findings.h"
#include "collapse/cause/stalls.h"
#include "collapse/fold/times.h"
#include "collapse/roots/thread_root.h"
#include "collapse/roots/windows.h"
#include "collapse/views/explain.h"
#include "collapse/views/reading.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

enum {
	CLOCK_ERROR_NS = 1000,     /* Tolerances: two programs read the clock one after the other, ... */
	BETWEEN_MAX_NS = 50 * 1000 /* ... and the first one may have copied a stack in between, or was interrupted */
};

enum { COUNT, LONGEST, VALUES = 3 }; /* indexes, in the columns after the first, of time,count,longest */

/* ---- --between: only what threads did in windows ----------------------------- */

/* The thread of the sample that was added last to times. */
static void timeline_note_owner(struct timeline_lines *t, const struct timed_samples *times, int pid, int tid)
{
	size_t row = times->items[times->count - 1].row;

	t->owners = xgrow(t->owners, &t->owner_cap, row + 1, sizeof(*t->owners));
	t->owners[row] = (struct timeline_owner){ pid, tid };
}

/* A span is counted where it ends; a sample, which takes no time, at its time. */
static void timeline_windows_add_pieces(const struct windows *w, const struct timeline_owner *owner,
					const struct timed_sample *s, const uint64_t *more, struct timed_samples *to)
{
	uint64_t at_ns = s->wall_ns, end_ns = s->wall_ns + s->value;

	do {
		struct window_piece p = windows_at(w, owner->pid, owner->tid, at_ns, end_ns);
		uint64_t values[VALUES] = { p.end_ns - at_ns, p.end_ns == end_ns ? more[0] : 0, p.end_ns - at_ns };

		if (p.wanted)
			times_add(to, at_ns, values, s->stack);
		at_ns = p.end_ns;
	} while (at_ns < end_ns);
}

/* Cut the spans at the borders of windows, and leave out the parts outside.  Sums, which have no place in time, are
 * left out, too.  Returns how many sums there were. */
static size_t timeline_cut(const struct timeline_lines *t, const struct windows *w, struct timed_samples *times)
{
	struct timed_samples cut = { .width = times->width, .by_value = times->by_value };
	size_t left_out = 0;

	for (size_t i = 0; i < times->count; i++) {
		const struct timed_sample *s = &times->items[i];

		if (s->wall_ns == TIMES_NONE)
			left_out++;
		else
			timeline_windows_add_pieces(w, &t->owners[s->row], s, times_more(times, s), &cut);
	}
	times_free(times);
	*times = cut;
	return left_out;
}

/* ---- reading --------------------------------------------------------------------------- */

static bool is_sleep(const struct recorded_sample *s)
{
	return s->state >= RECORDING_SLEEPING && s->state <= RECORDING_IDLE;
}

/* offcpu sums up the same time as sched, with stacks, but without the time of idle kernel threads. */
static bool is_double_sum(const struct reading *r, const struct recorded_sample *s)
{
	if (!s->event->spans || s->span_flags & RECORDING_SINGLE || history_has_stack(s) || !is_sleep(s) ||
	    s->state == RECORDING_IDLE)
		return false;
	for (size_t i = 0; i < r->data.event_count; i++) {
		const struct recorded_event *e = &r->data.events[i];

		if (e->sample_count && e->spans && !strcmp(e->name, RECORDING_OFFCPU))
			return true;
	}
	return false;
}

/* The number of the stack of a sample that makes no line, but whose thread may have made other threads wait. */
static uint32_t timeline_stack_of(struct reading *r, struct recorded_sample *s)
{
	struct gather *g = &r->gather;
	uint32_t words[ROOT_WORDS_MAX], root;
	uint64_t none[COLUMNS_MAX] = { 0 };
	size_t count = roots_key(&g->roots, s, words);

	root = intern_add(&g->root_keys, (const char *)words, count * sizeof(*words));
	user_stacks_walk(g->user_stacks, s);
	return stacks_add(&g->stacks, s, root, &r->sideband, none);
}

/* Note a single span in which its thread was blocked, and the span's item in the times. */
static void note_sleep(struct timeline_lines *t, const struct recorded_sample *s, uint64_t begin_ns, size_t item)
{
	struct timeline_sleep sleep = { item, history_thread(&t->history, s->pid, s->tid), s->state, begin_ns,
					begin_ns + s->period };

	if (history_has_stack(s)) {
		t->blocks = xgrow(t->blocks, &t->block_cap, t->block_count + 1, sizeof(*t->blocks));
		t->blocks[t->block_count++] = sleep;
	} else if (is_sleep(s)) {
		t->sleeps = xgrow(t->sleeps, &t->cap, t->count + 1, sizeof(*t->sleeps));
		t->sleeps[t->count++] = sleep;
	}
}

/* Note a sum of blocks. */
static void timeline_note_sum(struct timeline_lines *t, const struct reading *r, const struct recorded_sample *s,
			      size_t item)
{
	t->sums = xgrow(t->sums, &t->sum_cap, t->sum_count + 1, sizeof(*t->sums));
	t->sums[t->sum_count++] = (struct timeline_blocks){ .item = item,
							    .thread = history_thread(&t->history, s->pid, s->tid),
							    .state = s->state,
							    .begin_ns = clock_wall(&r->clock, s->begin_ns),
							    .end_ns = clock_wall(&r->clock, s->time_ns),
							    .longest_ns = s->longest_ns };
}

/* Where samples go. */
struct timeline_target {
	struct timeline_lines *lines;
	struct reading *reading;
};

static void timeline_add_sample(void *target, struct recorded_sample *s)
{
	struct reading *r = ((struct timeline_target *)target)->reading;
	struct timeline_lines *t = ((struct timeline_target *)target)->lines;
	struct recorded_sample whole = *s;
	struct timed_samples *times = &r->gather.times;
	uint64_t begin_ns = clock_wall(&r->clock, s->event->spans ? s->begin_ns : s->time_ns);
	size_t before = times->count;
	uint32_t stack = HISTORY_NONE;

	if (!history_wants(s) || is_double_sum(r, s))
		return;
	if (!s->event->spans)
		s->period = s->longest_ns = 0;
	gather_add(&r->gather, s);
	if (history_has_stack(s))
		stack = times->count > before ? times->items[before].stack : timeline_stack_of(r, &whole);
	history_add(&t->history, &whole, begin_ns, stack, history_by(&t->history, &r->sideband.comms, &whole));
	if (times->count == before)
		return;
	timeline_note_owner(t, times, whole.pid, whole.tid);
	if (!s->event->spans)
		return;
	if (s->span_flags & RECORDING_SINGLE)
		note_sleep(t, &whole, begin_ns, before);
	else if (history_has_stack(s))
		timeline_note_sum(t, r, &whole, before);
}

static int timeline_by_thread_and_begin(const void *a, const void *b)
{
	const struct timeline_sleep *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->begin_ns, y->begin_ns) ?: ORDER(x->item, y->item);
}

static int timeline_by_thread(const void *a, const void *b)
{
	const struct timeline_blocks *x = a, *y = b;

	return ORDER(x->thread, y->thread) ?: ORDER(x->item, y->item);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The sum of offcpu that contains a block which sched has as a span; NULL: none.  If several sums may contain the
 * block, the one whose longest block is closest to it in length. */
static const struct timeline_blocks *find_sum(const struct timeline_lines *t, const struct timeline_sleep *s,
					      const struct timed_samples *times)
{
	uint64_t ns = s->end_ns - s->begin_ns;
	const struct timeline_blocks *best = NULL;

	for (size_t i = FIRST_NOT(at, t->sum_count, t->sums[at].thread < s->thread);
	     i < t->sum_count && t->sums[i].thread == s->thread; i++) {
		const struct timeline_blocks *sum = &t->sums[i];

		if (sum->state == s->state && sum->begin_ns <= s->begin_ns + BETWEEN_MAX_NS &&
		    s->end_ns <= sum->end_ns + BETWEEN_MAX_NS && ns <= sum->longest_ns + BETWEEN_MAX_NS &&
		    ns <= times->items[sum->item].value + BETWEEN_MAX_NS &&
		    (!best || distance(sum->longest_ns, ns) < distance(best->longest_ns, ns)))
			best = sum;
	}
	return best;
}

/* offcpu summed up a block because there were too many, but sched has it as a span.  Keep the span, because its time is
 * known, and reduce the sum. */
static void take_from_sum(struct timeline_lines *t, const struct timeline_sleep *s, struct timed_samples *times)
{
	const struct timeline_blocks *sum = find_sum(t, s, times);
	struct timed_sample *item = sum ? &times->items[sum->item] : NULL;
	uint64_t ns = times->items[s->item].value, *more;

	if (!sum)
		return;
	more = &times->more[item->row * times->width];
	item->value -= ns < item->value ? ns : item->value;
	more[COUNT] -= more[COUNT] > 0;
	if (!more[COUNT])
		item->value = 0; /* a smaller remainder is only the difference between two clocks */
	if (more[LONGEST] > item->value)
		more[LONGEST] = item->value;
}

/* The blocked span that was noted for this one; NULL: it made no line. */
static const struct timeline_sleep *find_block(const struct timeline_lines *t, const struct history_span *block)
{
	const struct timeline_sleep wanted = { .thread = block->thread, .begin_ns = block->begin_ns };
	size_t i = FIRST_NOT(at, t->block_count, timeline_by_thread_and_begin(&t->blocks[at], &wanted) < 0);
	const struct timeline_sleep *found = &t->blocks[i];

	return i < t->block_count && found->thread == block->thread && found->begin_ns == block->begin_ns ? found
													  : NULL;
}

/* A blocked span of offcpu ends when its thread runs again, but the wait for a CPU before that belongs to sched. */
static void end_block(const struct timeline_sleep *block, struct timed_samples *times, uint64_t end_ns)
{
	struct timed_sample *item = &times->items[block->item];

	if (end_ns <= item->wall_ns || end_ns >= item->wall_ns + item->value)
		return;
	item->value = end_ns - item->wall_ns;
	times->more[item->row * times->width + LONGEST] = item->value;
}

/* Did the thread run or wait for a CPU during all of the block, or most of it, because it was woken before it slept? */
static bool is_awake(const struct history *h, const struct timeline_sleep *b, uint64_t ns)
{
	uint32_t by;
	uint64_t end_ns = b->begin_ns + ns;

	return (history_ran(h, b->thread, b->begin_ns, end_ns) +
		history_waited(h, b->thread, b->begin_ns, end_ns, &by)) *
		       2 >
	       ns;
}

/* Remove time that both sched and offcpu have: offcpu's block stays, because it has a stack, and sched's span keeps
 * only the part before the block.  Returns whether nothing is left of the span. */
static bool cut_sleep(struct timeline_lines *t, const struct timeline_sleep *s, struct timed_samples *times)
{
	const struct history_span *same = history_block(&t->history, s->thread, s->begin_ns, s->end_ns);
	const struct timeline_sleep *block = same ? find_block(t, same) : NULL;
	struct timed_sample *item = &times->items[s->item];
	uint64_t left_ns = same && same->begin_ns > s->begin_ns ? same->begin_ns - s->begin_ns : 0;

	if (!same && s->begin_ns == s->end_ns) /* even a block that took no time is in both */
		return find_block(t, &(struct history_span){ .thread = s->thread, .begin_ns = s->begin_ns });
	if (!same) {
		take_from_sum(t, s, times);
		return false;
	}
	if (block)
		end_block(block, times, s->end_ns);
	end_block(s, times, same->begin_ns);
	return left_ns < CLOCK_ERROR_NS || !item->value;
}

static void drop_doubles(struct timeline_lines *t, struct timed_samples *times)
{
	bool *drop = xcalloc(times->count + 1, sizeof(*drop));
	size_t kept = 0;

	if (t->block_count)
		qsort(t->blocks, t->block_count, sizeof(*t->blocks), timeline_by_thread_and_begin);
	if (t->sum_count)
		qsort(t->sums, t->sum_count, sizeof(*t->sums), timeline_by_thread);
	for (size_t i = 0; i < t->block_count; i++) {
		const struct timeline_sleep *b = &t->blocks[i];

		end_block(b, times, history_next_state(&t->history, b->thread, b->begin_ns));
		drop[b->item] = is_awake(&t->history, b, times->items[b->item].value);
	}
	for (size_t i = 0; i < t->count; i++)
		drop[t->sleeps[i].item] = cut_sleep(t, &t->sleeps[i], times);
	for (size_t i = 0; i < t->sum_count; i++)
		drop[t->sums[i].item] = !times->items[t->sums[i].item].value;
	for (size_t i = 0; i < times->count; i++) {
		if (!drop[i])
			times->items[kept++] = times->items[i];
	}
	times->count = kept;
	free(drop);
}

/* Cut at windows only for --between: other views need all spans, to know which thread waited for which. */
static int cut_windows(struct timeline_lines *t, struct reading *r)
{
	size_t sums;

	if (!r->between)
		return 0;
	sums = timeline_cut(t, &r->windows, &r->gather.times);
	if (sums)
		inform("%s: %zu sums of short spans are left out: whether these were in windows is not known",
		       r->data.path, sums);
	if (r->gather.times.count)
		return 0;
	return error("%s: nothing is left after --between %s", r->data.path, r->between);
}

int timeline_lines_read(struct timeline_lines *t, struct reading *r)
{
	if (reading_history(r, timeline_add_sample, &(struct timeline_target){ t, r }) < 0)
		return -1;
	r->nothing = !r->gather.singles;
	if (r->nothing)
		return error("%s: has no spans of time one by one, which a timeline is made of (pyrograph collect "
			     "cpu,sched,offcpu --events --wakers)",
			     r->data.path);
	history_sort(&t->history);
	drop_doubles(t, &r->gather.times);
	return cut_windows(t, r);
}

/* ---- stalls ---------------------------------------------------------------------------- */

/* The name of a thread, in the form of root `thread`. */
static void timeline_add_thread(struct reading *r, const struct history_thread *thread, struct str *out)
{
	struct recorded_sample last = { .pid = thread->pid, .tid = thread->tid, .time_ns = UINT64_MAX };
	uint32_t words[THREAD_WORDS];

	thread_root_key(&r->gather.roots, thread->pid, thread->tid, &last, words);
	thread_root_write(&r->gather.roots, words, out);
}

static const char *did_word(enum cause_kind did)
{
	switch (did) {
	case CAUSE_SLEPT: return "slept";
	case CAUSE_IO: return "io";
	case CAUSE_NO_CPU: return "no-cpu";
	case CAUSE_OUTSIDE: return "network";
	case CAUSE_PROCESS: return "process";
	case CAUSE_THREAD: return "waited";
	default: return "ran";
	}
}

static const char *for_word(const struct stall *s)
{
	if (s->of == STALL_OF_WAITS)
		return wait_word(s->wait);
	return s->of == STALL_OF_CPU ? FOLDED_STALL_FOR_CPU : FOLDED_STALL_FOR_EVENTS;
}

/* The part of a stall that lies in the selected time. */
static void timeline_add_stall(struct reading *r, const struct timeline_lines *t, const struct stall *s,
			       struct str *out)
{
	const struct gather *g = &r->gather;
	struct str thread = { 0 };

	if (s->from_ns >= g->to_ns || s->to_ns <= g->from_ns)
		return;
	str_puts(out, FOLDED_STALL);
	pair_add_instant(out, FOLDED_STALL_START, s->from_ns > g->from_ns ? s->from_ns : g->from_ns);
	pair_add_instant(out, FOLDED_STALL_END, s->to_ns < g->to_ns ? s->to_ns : g->to_ns);
	pair_add_count(out, FOLDED_STALL_THREADS, s->threads);
	pair_add_count(out, FOLDED_STALL_LONGEST, s->longest_ns);
	pair_add_count(out, FOLDED_STALL_WAITS, s->waits_ns);
	pair_add(out, FOLDED_STALL_FOR, for_word(s));
	timeline_add_thread(r, &t->history.threads[s->guilty], &thread);
	pair_add(out, FOLDED_STALL_BY, str_text(&thread));
	if (s->function.text != UINT32_MAX)
		pair_add(out, FOLDED_STALL_IN, intern_text(&r->names.texts, s->function.text));
	pair_add(out, FOLDED_STALL_DID, did_word(s->did));
	out->buf[out->len - 1] = '\n';
	str_free(&thread);
}

static void timeline_add_to_list(struct reading *r, const struct history_thread *thread, struct str *list)
{
	if (list->len)
		str_addc(list, ';');
	timeline_add_thread(r, thread, list);
}

/* Note the threads of the headline's finding, and its stalls. */
static void timeline_find_first(struct timeline_lines *t, struct reading *r, struct cause_frames *frames,
				struct stalls *stalls)
{
	struct findings findings = { 0 };
	const struct finding *f;

	findings_make(&findings, &t->history, frames, explain_roles_of, r);
	f = findings.items;
	if (findings.count && f->guilty != HISTORY_NONE)
		timeline_add_to_list(r, &t->history.threads[f->guilty], &t->guilty);
	for (size_t i = 0; findings.count && i < FINDING_VICTIMS && i < f->victim_count; i++)
		timeline_add_to_list(r, &t->history.threads[f->victims[i].thread], &t->victims);
	if (findings.count && f->guilty != HISTORY_NONE)
		stalls_add_finding(stalls, &findings, f, &t->history, frames);
	findings_free(&findings);
}

void timeline_lines_explain(struct timeline_lines *t, struct reading *r)
{
	struct cause_frames frames = { .stacks = &r->gather.stacks, .names = &r->names };
	struct stalls stalls = { 0 };

	explain_prepare(r, &t->history, &frames);
	stalls_find(&stalls, &t->history, &frames);
	timeline_find_first(t, r, &frames, &stalls);
	for (size_t i = 0; i < stalls.count; i++)
		timeline_add_stall(r, t, &stalls.items[i], &t->stalls);
	stalls_free(&stalls);
	frames_free(&frames);
}

void timeline_lines_comments(const struct timeline_lines *t, struct str *out)
{
	str_add(out, str_text(&t->stalls), t->stalls.len);
}

void timeline_lines_free(struct timeline_lines *t)
{
	history_free(&t->history);
	free(t->owners);
	free(t->sleeps);
	free(t->blocks);
	free(t->sums);
	str_free(&t->stalls);
	str_free(&t->guilty);
	str_free(&t->victims);
}
