#include "collect/noise/noise_sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/utf8.h"

/* include/linux/interrupt.h */
static const char *const softirqs[] = { "hi",       "timer",   "net-tx", "net-rx",  "block",
					"irq-poll", "tasklet", "sched",  "hrtimer", "rcu" };

static const char *const vectors[NOISE_VECTORS] = {
	[NOISE_LOCAL_TIMER] = "local-timer",     [NOISE_RESCHEDULE] = "reschedule",
	[NOISE_CALL_FUNCTION] = "call-function", [NOISE_CALL_FUNCTION_SINGLE] = "call-function-single",
	[NOISE_IRQ_WORK] = "irq-work",           [NOISE_THERMAL] = "thermal",
	[NOISE_PLATFORM] = "platform-ipi",       [NOISE_ERROR] = "apic-error",
	[NOISE_SPURIOUS] = "spurious",
};

#define UNKNOWN "[unknown]"

#define OTHERS UINT64_MAX /* the id for all threads that no longer have a total of their own */

enum { TOTALS_MANY = 1 << 16, NAMES_MANY = 2 * TOTALS_MANY };

/* ---- kinds --------------------------------------------------------------------------- */

bool noise_is_thread(uint32_t kind)
{
	return kind == NOISE_RUN || kind == NOISE_THREAD;
}

enum recording_state noise_state(uint32_t kind, uint64_t id)
{
	switch (kind) {
	case NOISE_RUN: return id ? RECORDING_RUNNING : RECORDING_IDLE;
	case NOISE_THREAD: return RECORDING_NOISE_THREAD;
	case NOISE_INTERRUPT:
	case NOISE_VECTOR: return RECORDING_INTERRUPT;
	case NOISE_CALL: return RECORDING_CALL;
	case NOISE_SOFTIRQ: return RECORDING_SOFTIRQ;
	case NOISE_TIMER: return RECORDING_TIMER;
	case NOISE_WORK: return RECORDING_WORK;
	case NOISE_NMI: return RECORDING_NMI;
	case NOISE_HARDWARE: return RECORDING_HARDWARE;
	default: return RECORDING_STATE_UNKNOWN;
	}
}

const char *noise_state_word(enum recording_state state)
{
#define WORD(id, text) [RECORDING_##id] = text,
	static const char *const words[RECORDING_STATE_COUNT] = { FOLDED_STATE_TABLE(WORD) };
#undef WORD

	return words[state];
}

/* ---- names --------------------------------------------------------------------------- */

static void name_thread(uint64_t tid, const char label[NOISE_NAME], struct str *out)
{
	if (!tid || tid == OTHERS) {
		str_puts(out, tid ? "[other threads]" : FOLDED_BY_IDLE);
		return;
	}
	printable_add(out, label, strnlen(label, NOISE_NAME));
	str_addf(out, "-%" PRIu64, tid);
}

static void name_interrupt(uint32_t number, const char label[NOISE_NAME], struct str *out)
{
	str_addf(out, "%" PRIu32, number);
	if (!*label)
		return;
	str_addc(out, ':');
	printable_add(out, label, strnlen(label, NOISE_NAME));
}

static void name_function(const struct kallsyms *symbols, uint64_t address, struct str *out)
{
	struct place place = { .address = address };
	struct arena names = { 0 };

	kallsyms_resolve(symbols, &place, 1, &names);
	if (place.name)
		printable_add(out, place.name, strlen(place.name));
	else
		str_puts(out, UNKNOWN);
	arena_free(&names);
}

void noise_name_add(const struct noise_sources *s, uint32_t kind, uint64_t id, const char label[NOISE_NAME],
		    struct str *out)
{
	size_t from = out->len;

	switch (kind) {
	case NOISE_RUN:
	case NOISE_THREAD: name_thread(id, label, out); break;
	case NOISE_INTERRUPT: name_interrupt((uint32_t)id, label, out); break;
	case NOISE_VECTOR: str_puts(out, id < NOISE_VECTORS ? vectors[id] : UNKNOWN); break;
	case NOISE_SOFTIRQ: str_puts(out, id < sizeof(softirqs) / sizeof(*softirqs) ? softirqs[id] : UNKNOWN); break;
	case NOISE_HARDWARE: str_puts(out, "[no cause in software]"); break;
	default: name_function(&s->symbols, id, out);
	}
	for (; from < out->len; from++)
		out->buf[from] = out->buf[from] == ';' ? ':' : out->buf[from];
}

static uint32_t name_in(struct intern *names, const struct noise_sources *s, uint32_t kind, uint64_t id,
			const char label[NOISE_NAME])
{
	struct str text = { 0 };
	uint32_t name;

	noise_name_add(s, kind, id, label, &text);
	name = intern_add(names, text.buf, text.len);
	str_free(&text);
	return name;
}

uint32_t noise_sources_name(struct noise_sources *s, uint32_t kind, uint64_t id, const char label[NOISE_NAME])
{
	uint32_t known = map_get(&s->numbers, id, kind + 1), name;

	if (known)
		return known - 1;
	name = name_in(&s->names, s, kind, id, label);
	*map_at(&s->numbers, id, kind + 1) = name + 1;
	return name;
}

const char *noise_total_name(const struct noise_sources *s, const struct noise_total *t)
{
	return intern_text(noise_is_thread(t->kind) ? &s->threads : &s->names, t->name);
}

/* ---- totals -------------------------------------------------------------------------- */

void noise_sources_begin(struct noise_sources *s, uint64_t budget_ns)
{
	s->budget_ns = budget_ns;
	kallsyms_read(&s->symbols, NULL);
}

static struct noise_total *noise_sources_total_of(struct noise_sources *s, uint32_t kind, uint64_t id, uint32_t cpu)
{
	uint32_t *place = map_at(&s->places, id, cpu * NOISE_KINDS + kind);

	if (!*place) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count] =
			(struct noise_total){ .state = noise_state(kind, id), .id = id, .kind = kind, .cpu = cpu };
		*place = (uint32_t)++s->count;
	}
	return &s->items[*place - 1];
}

/* Only threads may be dropped, beginning with those that had the least time. */
static int by_worth(const void *a, const void *b)
{
	const struct noise_total *x = a, *y = b;
	uint64_t of_x = noise_is_thread(x->kind) && x->id != OTHERS ? x->ns : UINT64_MAX;
	uint64_t of_y = noise_is_thread(y->kind) && y->id != OTHERS ? y->ns : UINT64_MAX;

	return ORDER(of_y, of_x) ?: ORDER(x->cpu, y->cpu) ?: ORDER(x->kind, y->kind) ?: ORDER(x->id, y->id);
}

static void noise_sources_add_to(struct noise_total *to, uint64_t ns, uint64_t count, uint64_t longest_ns,
				 uint64_t longest_at_ns)
{
	to->ns += ns;
	to->count += count;
	if (longest_ns >= to->longest_ns) {
		to->longest_ns = longest_ns;
		to->longest_at_ns = longest_at_ns;
	}
}

/* Over weeks there are ever more threads, and ever more names that they give themselves.  So keep only the threads with
 * the most time, and the last names. */
static void join_threads(struct noise_sources *s)
{
	static const char nobody[NOISE_NAME];
	struct noise_total *old = s->items, *to;
	struct intern names = s->threads;
	size_t count = s->count;

	qsort(old, count, sizeof(*old), by_worth);
	map_free(&s->places);
	s->items = NULL;
	s->count = s->cap = 0;
	s->threads = (struct intern){ 0 };
	for (size_t i = 0; i < count; i++) {
		bool is_thread = noise_is_thread(old[i].kind), joins = is_thread && i >= TOTALS_MANY / 2;

		to = noise_sources_total_of(s, old[i].kind, joins ? OTHERS : old[i].id, old[i].cpu);
		noise_sources_add_to(to, old[i].ns, old[i].count, old[i].longest_ns, old[i].longest_at_ns);
		to->over += old[i].over;
		if (joins)
			to->name = name_in(&s->threads, s, old[i].kind, OTHERS, nobody);
		else if (is_thread)
			to->name = intern_add(&s->threads, intern_text(&names, old[i].name),
					      intern_len(&names, old[i].name));
		else
			to->name = old[i].name;
	}
	intern_free(&names);
	free(old);
}

void noise_sources_add(struct noise_sources *s, uint32_t kind, uint64_t id, uint32_t cpu, const struct noise_sum *times)
{
	struct noise_total *t;

	if (s->count >= TOTALS_MANY || s->threads.count >= NAMES_MANY)
		join_threads(s);
	t = noise_sources_total_of(s, kind, id, cpu);
	t->name = noise_is_thread(kind) ? name_in(&s->threads, s, kind, id, times->name)
					: noise_sources_name(s, kind, id, times->name);
	noise_sources_add_to(t, times->ns, times->count, times->longest_ns, times->longest_at_ns);
	if (s->budget_ns && t->state >= RECORDING_NOISE_THREAD && times->longest_ns > s->budget_ns)
		t->over += times->count;
}

static int noise_sources_by_place(const void *a, const void *b, void *sources)
{
	const struct noise_total *x = a, *y = b;

	return ORDER(x->cpu, y->cpu) ?: ORDER(x->state, y->state) ?:
	       strcmp(noise_total_name(sources, x), noise_total_name(sources, y)) ?: ORDER(x->id, y->id);
}

void noise_sources_sort(struct noise_sources *s)
{
	map_free(&s->places);
	if (s->count)
		qsort_r(s->items, s->count, sizeof(*s->items), noise_sources_by_place, s);
}

void noise_sources_format(const struct noise_sources *s, struct str *out)
{
	for (uint32_t i = 0; i < s->names.count; i++)
		str_addf(out, "%" PRIu32 " %s\n", i, intern_text(&s->names, i));
}

void noise_sources_free(struct noise_sources *s)
{
	intern_free(&s->names);
	intern_free(&s->threads);
	kallsyms_free(&s->symbols);
	map_free(&s->numbers);
	map_free(&s->places);
	free(s->items);
	*s = (struct noise_sources){ 0 };
}
