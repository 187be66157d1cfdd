#include "collapse/cause/leaders.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/cause/function_text.h"
#include "core/amount.h"
#include "core/format/events.h"
#include "core/format/picture.h"
#include "core/format/recording.h"
#include "core/intern.h"
#include "core/memory.h"

/* The number of the event's row; UINT_MAX: no chart begins with it. */
static unsigned leaders_kind(const struct recorded_sample *s)
{
	const struct event_row *row;

	for (unsigned i = 0; (row = event_row_at(i)); i++) {
		if (!strcmp(row->name, s->event->name))
			return row->most ? i : UINT_MAX;
	}
	return UINT_MAX;
}

bool leaders_want(const struct recorded_sample *s)
{
	/* A throttled thread does not wait for a CPU. */
	return leaders_kind(s) != UINT_MAX && s->state != RECORDING_THROTTLED;
}

void leaders_add(struct leaders *l, const struct recorded_sample *s, uint32_t thread, uint32_t stack)
{
	unsigned kind = leaders_kind(s);
	bool busy = s->event->spans && (s->state == RECORDING_BLOCKED || s->state == RECORDING_BLOCKED_IO);
	uint32_t *number = map_at(&l->by_stack, (uint64_t)(kind * 2 + busy) << 32 | thread, stack);

	if (!*number) {
		l->parts = xgrow(l->parts, &l->cap, l->count + 1, sizeof(*l->parts));
		l->parts[l->count++] = (struct leader_part){ kind, thread, stack, 0, busy };
		*number = (uint32_t)l->count;
	}
	l->parts[*number - 1].value += s->period;
}

/* Waits that say by themselves that the thread has work to do. */
static bool leaders_is_sure(enum wait_kind waits)
{
	return wait_is_for_lock(waits) || waits == WAIT_IO || waits == WAIT_FAULT || waits == WAIT_PAUSE;
}

/* Does a finding say, without doubt, that the thread had work to do when it waited there? */
static bool leaders_is_victim(const struct explanation *e, const struct leader_part *p)
{
	struct frames_function site = frames_function(e->frames, p->stack);

	for (size_t i = 0; i < e->findings->count; i++) {
		const struct finding *f = &e->findings->items[i];

		if (f->kind >= FINDING_MAYBE || f->site.text != site.text || f->site.caller != site.caller)
			continue;
		if (finding_has_victim(f, p->thread))
			return true;
		/* Of many victims, not all are listed. */
		if (f->victim_count > FINDING_VICTIMS &&
		    e->history->threads[f->victims[0].thread].process == e->history->threads[p->thread].process)
			return true;
	}
	return false;
}

/* Did the thread suffer from this, rather than have nothing to do? */
static bool leaders_suffers(const struct explanation *e, const struct leader_part *p)
{
	/* of stacks without the kernel's functions */
	static const char *const idles[] = { "*pthread_join*",
					     "*pthread_clockjoin*",
					     "*pthread_timedjoin*",
					     "*wait4",
					     "*waitpid",
					     "*epoll_wait*",
					     "*epoll_pwait*",
					     "poll",
					     "*_poll",
					     "ppoll*",
					     "*select",
					     "*select64",
					     "*nanosleep*",
					     "usleep",
					     "*accept",
					     "*accept4",
					     "*sigtimedwait*",
					     "*sigwaitinfo",
					     "*pause",
					     NULL };
	enum wait_kind waits = frames_wait_kind(e->frames, p->stack);

	if (!frames_has_user(e->frames, p->stack) || waits == WAIT_SLEEP || waits == WAIT_WORK)
		return false;
	if (leaders_is_sure(waits))
		return true;
	if (frames_has(e->frames, p->stack, idles))
		return false;
	/* Without waits one by one, no finding tells. */
	return p->busy || !e->history->blocks.count || leaders_is_victim(e, p);
}

static bool leaders_count(const struct explanation *e, const struct leader_part *p, unsigned kind)
{
	const struct history_thread *t = &e->history->threads[p->thread];

	return p->kind == kind && t->tid && !t->recorder &&
	       (!event_row_at(kind)->most_is_work || leaders_suffers(e, p));
}

/* The thread that has most of a kind, and its part of *all, the sum of all threads; HISTORY_NONE: no thread has any. */
static uint32_t leaders_find(const struct leaders *l, const struct explanation *e, unsigned kind, uint64_t *most,
			     uint64_t *all)
{
	uint64_t *sums = xcalloc(e->history->count + 1, sizeof(*sums));
	uint32_t best = HISTORY_NONE;

	*most = *all = 0;
	for (size_t i = 0; i < l->count; i++) {
		if (!leaders_count(e, &l->parts[i], kind))
			continue;
		sums[l->parts[i].thread] += l->parts[i].value;
		*all += l->parts[i].value;
	}
	for (uint32_t i = 0; i < e->history->count; i++) {
		if (sums[i] > *most) {
			*most = sums[i];
			best = i;
		}
	}
	free(sums);
	return best;
}

/* The function of the program in which that thread has most, and how much; functions of the same name count
 * together. */
static uint64_t leaders_function(const struct leaders *l, const struct explanation *e, unsigned kind, uint32_t thread,
				 struct frames_function *function)
{
	struct intern texts = { 0 };
	struct str text = { 0 };
	uint64_t *sums = NULL, most = 0;
	size_t cap = 0, before = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct leader_part *p = &l->parts[i];
		struct frames_function f;
		uint32_t id;

		if (p->thread != thread || !leaders_count(e, p, kind))
			continue;
		f = frames_function(e->frames, p->stack);
		if (f.text == UINT32_MAX)
			continue;
		str_clear(&text);
		function_text_add(e->names, f.text, &text);
		id = intern_add(&texts, str_text(&text), text.len);
		sums = xgrow(sums, &cap, texts.count, sizeof(*sums));
		for (; before < texts.count; before++)
			sums[before] = 0;
		sums[id] += p->value;
		if (sums[id] > most) {
			most = sums[id];
			*function = (struct frames_function){ f.text, UINT32_MAX };
		}
	}
	free(sums);
	str_free(&text);
	intern_free(&texts);
	return most;
}

static void leaders_add_who(const struct explanation *e, uint32_t thread, struct str *out)
{
	struct str name = { 0 }, process = { 0 };

	explanation_thread(e, thread, &name);
	explanation_process(e, thread, &process);
	if (name.len && (name.len > process.len || memcmp(name.buf, process.buf, name.len) != 0))
		str_addf(out, "%s of ", str_text(&name));
	str_puts(out, str_text(&process));
	str_free(&name);
	str_free(&process);
}

static void leaders_add_amount(unsigned kind, uint64_t value, struct str *out)
{
	if (event_row_at(kind)->kind == EVENT_ALLOCATIONS)
		size_add(out, value);
	else
		duration_add(out, value);
}

/* Does the headline only say that threads may wait for work?  Then charts of waits begin with that, too. */
static bool leaders_are_unsure(const struct explanation *e)
{
	return explanation_count(e) && e->findings->items->kind == FINDING_MAYBE;
}

/* "3.2 s of 5.3 s, 61.2 % of that in Desk.rebuildCache" */
static void leaders_add_most(const struct leaders *l, const struct explanation *e, unsigned kind, uint32_t thread,
			     uint64_t most, uint64_t all, struct str *out)
{
	struct frames_function function = { UINT32_MAX, UINT32_MAX };
	uint64_t in = leaders_function(l, e, kind, thread, &function);

	leaders_add_amount(kind, most, out);
	str_puts(out, " of ");
	leaders_add_amount(kind, all, out);
	if (!in)
		return;
	str_puts(out, ", ");
	if (in < most)
		percentage_add(out, in, most);
	str_puts(out, in < most ? " of that in " : "all in ");
	explanation_function(e, function, out);
}

static void leaders_line(const struct leaders *l, const struct explanation *e, unsigned kind, struct str *out)
{
	uint64_t most, all;
	uint32_t thread = leaders_find(l, e, kind, &most, &all);

	if (thread == HISTORY_NONE || (event_row_at(kind)->most_is_work && leaders_are_unsure(e)))
		return;
	str_addf(out, HEADLINE_OF "%s: ", event_row_at(kind)->source);
	leaders_add_who(e, thread, out);
	str_addf(out, " %s: ", event_row_at(kind)->most);
	leaders_add_most(l, e, kind, thread, most, all, out);
	str_addc(out, '\n');
}

void leaders_lines(const struct leaders *l, const struct explanation *e, struct str *out)
{
	for (unsigned kind = 0; event_row_at(kind); kind++)
		leaders_line(l, e, kind, out);
}

void leaders_add_allocator(const struct leaders *l, const struct explanation *e, uint32_t process, struct str *out)
{
	uint64_t most, all;
	uint32_t thread;
	unsigned kind = 0;

	while (event_row_at(kind)->kind != EVENT_ALLOCATIONS)
		kind++;
	thread = leaders_find(l, e, kind, &most, &all);
	if (thread == HISTORY_NONE) {
		str_puts(out, "; for garbage collection, who allocates (pyrograph collect alloc)");
		return;
	}
	if (e->history->threads[thread].process != process)
		return;
	str_puts(out, "; for garbage collection, ");
	explanation_thread(e, thread, out);
	str_addf(out, ", which %s: ", event_row_at(kind)->most);
	leaders_add_most(l, e, kind, thread, most, all, out);
}

void leaders_free(struct leaders *l)
{
	free(l->parts);
	map_free(&l->by_stack);
	*l = (struct leaders){ 0 };
}
