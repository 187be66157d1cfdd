#include "collapse/cause/queues.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collapse/cause/stripped.h"
#include "collapse/roots/wait_kind.h"
#include "core/hash.h"
#include "core/memory.h"

/* The place where a thread waits for another one, as a number for each function and its caller. */
static uint64_t queues_place_of(struct finding_maker *m, uint32_t stack)
{
	struct frames_function *place = &m->queues.places[stack];

	if (!m->queues.known_places[stack]) {
		m->queues.known_places[stack] = true;
		*place = frames_function(m->f, stack);
	}
	return (uint64_t)place->text << 32 | place->caller;
}

static uint32_t queues_text_of(uint64_t place)
{
	return (uint32_t)(place >> 32);
}

/* Of the place's function: inlined or not, it is the same. */
static uint64_t queues_name_of(const struct finding_maker *m, uint64_t place)
{
	const struct intern *texts = &m->f->names->texts;
	uint32_t text = queues_text_of(place);

	if (text == UINT32_MAX)
		return 0;
	return hash_bytes(intern_text(texts, text), wait_name_len(intern_text(texts, text), intern_len(texts, text)));
}

static bool queues_is_place(struct frames_function function, uint64_t place)
{
	return ((uint64_t)function.text << 32 | function.caller) == place;
}

static bool queues_may_be(const struct finding_maker *m, uint32_t stack)
{
	enum wait_kind wait = frames_wait_named(m->f, stack);

	return wait == WAIT_UNKNOWN || wait == WAIT_ANOTHER_THREAD;
}

static bool queues_is_for_thread(const struct finding_maker *m, const struct history_span *b)
{
	return queues_may_be(m, b->stack) && b->other < HISTORY_INTERRUPT && history_length(b) >= HISTORY_LONG_NS;
}

/* Was the thread woken by one that was in this place itself, and so had only just been woken there? */
static bool queues_hands_on(struct finding_maker *m, uint32_t stack, uint64_t place)
{
	return queues_is_place(frames_function(m->f, stack | FRAMES_OF_WAKER), place);
}

/* Of the threads that wait there, does one that does something else in between wake another? */
static void queues_note_turn(struct finding_maker *m, const struct history_span *b)
{
	uint64_t place = queues_place_of(m, b->stack);

	if (b->other != b->thread && map_get(&m->queues.waits_at, place, b->other) &&
	    !queues_hands_on(m, b->stack, place))
		*map_at(&m->queues.turns_at, place, 0) = 1;
}

/* The function in which the thread waits, however briefly. */
static void queues_note_function(struct finding_maker *m, uint32_t stack, uint32_t thread)
{
	if (queues_may_be(m, stack))
		*map_at(&m->queues.waits_in, queues_name_of(m, queues_place_of(m, stack)), thread) = 1;
}

void queues_find(struct finding_maker *m)
{
	const struct history *h = m->h;

	m->queues.places = xcalloc(m->f->stacks->count + 1, sizeof(*m->queues.places));
	m->queues.known_places = xcalloc(m->f->stacks->count + 1, sizeof(*m->queues.known_places));
	for (size_t i = 0; i < h->wake_count; i++)
		queues_note_function(m, h->wakes[i].stack, h->wakes[i].woken);
	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];

		if (b->other < HISTORY_INTERRUPT)
			queues_note_function(m, b->stack, b->thread);
		if (queues_is_for_thread(m, b))
			*map_at(&m->queues.waits_at, queues_place_of(m, b->stack), b->thread) = 1;
	}
	for (size_t i = 0; i < h->blocks.count; i++) {
		if (queues_is_for_thread(m, &h->blocks.items[i]))
			queues_note_turn(m, &h->blocks.items[i]);
	}
}

/* Where threads take turns, may another thread of their process have what they wait for, because it waits in the same
 * function at other times, but calls that from elsewhere? */
static bool queues_is_outsider(struct finding_maker *m, const struct history_span *b, uint64_t place, uint32_t thread)
{
	return m->h->threads[thread].process == m->h->threads[b->thread].process &&
	       map_get(&m->queues.turns_at, place, 0) && map_get(&m->queues.waits_in, queues_name_of(m, place), thread);
}

/* Does the thread wait in b's place at other times, or was it in the function when it had the stack: did it get what is
 * waited for there? */
static bool queues_is_past(struct finding_maker *m, const struct history_span *b, uint32_t thread, uint32_t stack)
{
	uint64_t place = queues_place_of(m, b->stack);

	return map_get(&m->queues.waits_at, place, thread) ||
	       (stack != HISTORY_NONE && frames_contain(m->f, stack, queues_text_of(place))) ||
	       queues_is_outsider(m, b, place, thread);
}

/* Did the guilty thread have nothing: did it wait in the same place itself, or get a CPU late, and do nothing but wake the
 * next one? */
static bool queues_is_idle(struct finding_maker *m, uint64_t place, const struct cause *c)
{
	enum wait_kind wait;

	if (c->stack == HISTORY_NONE)
		return c->kind == CAUSE_NO_CPU && c->ran_ns < HISTORY_LONG_NS && c->let_go != HISTORY_NONE &&
		       queues_hands_on(m, c->let_go, place);
	wait = frames_wait_named(m->f, c->stack);
	return (wait == WAIT_UNKNOWN || wait == WAIT_ANOTHER_THREAD || wait == WAIT_GIL) &&
	       queues_is_place(frames_function(m->f, c->stack), place);
}

/* Does a word begin here: "take_task", "runJob", "Pool::work"? */
static bool queues_begins_word(const char *name, size_t i)
{
	return !i || !isalpha((unsigned char)name[i - 1]) ||
	       (islower((unsigned char)name[i - 1]) && isupper((unsigned char)name[i]));
}

/* Workers that take tasks hand on the next one as threads hand on a connection: only the name of the place tells. */
static bool queues_is_for_tasks(const struct finding_maker *m, uint64_t place)
{
	static const char *const words[] = { "task", "job", "work", "executor", "dequeue", "consume", "command" };
	uint32_t text = queues_text_of(place);
	const char *name = text == UINT32_MAX ? "" : intern_text(&m->f->names->texts, text);

	for (size_t i = 0; name[i]; i++) {
		for (size_t k = 0; queues_begins_word(name, i) && k < sizeof(words) / sizeof(*words); k++) {
			if (!strncasecmp(name + i, words[k], strlen(words[k])))
				return true;
		}
	}
	return false;
}

/* The thread that releases it, and the thread that had it, also wait in this place at other times, or have it in
 * functions called from there.  In contrast, a thread that waits for work is woken by a thread that does not wait there,
 * or that has no work itself.  Functions without names are no places: they may be any. */
bool queues_have(struct finding_maker *m, const struct history_span *b, const struct cause *c)
{
	uint64_t place;

	if (!queues_is_for_thread(m, b) || c->guilty == b->thread)
		return false;
	place = queues_place_of(m, b->stack);
	return !stripped_is(m->f->names, queues_text_of(place)) && !queues_is_for_tasks(m, place) &&
	       !queues_is_idle(m, place, c) && queues_is_past(m, b, b->other, b->stack | FRAMES_OF_WAKER) &&
	       queues_is_past(m, b, c->guilty, c->stack);
}

bool queues_leave(struct finding_maker *m, const struct history_span *b, const struct cause *c)
{
	return m->h->threads[c->guilty].process != m->h->threads[b->thread].process && queues_is_for_thread(m, b) &&
	       map_get(&m->queues.waits_at, queues_place_of(m, b->stack), b->other);
}

void queues_free(struct queues *q)
{
	free(q->places);
	free(q->known_places);
	map_free(&q->waits_at);
	map_free(&q->waits_in);
	map_free(&q->turns_at);
}
