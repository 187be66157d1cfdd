#include "collect/noise/noise_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/printable.h"
#include "core/sorted.h"
#include "core/symbols/kallsyms.h"
#include "core/wallclock.h"

/* include/linux/interrupt.h */
static const char *const softirqs[] = { "hi",       "timer",   "net-tx", "net-rx",  "block",
					"irq-poll", "tasklet", "sched",  "hrtimer", "rcu" };

static const char *const vectors[NOISE_VECTORS] = {
	[NOISE_LOCAL_TIMER] = "local-timer",     [NOISE_RESCHEDULE] = "reschedule",
	[NOISE_CALL_FUNCTION] = "call-function", [NOISE_CALL_FUNCTION_SINGLE] = "call-function-single",
	[NOISE_IRQ_WORK] = "irq-work",           [NOISE_THERMAL] = "thermal",
};

static const char *const kinds[NOISE_KINDS] = {
	[NOISE_THREAD] = "thread",   [NOISE_INTERRUPT] = "interrupt", [NOISE_VECTOR] = "interrupt",
	[NOISE_SOFTIRQ] = "softirq", [NOISE_TIMER] = "timer",         [NOISE_WORK] = "work"
};

/* A source, as lines show it. */
struct line {
	const struct noise_source *source;
	bool is_run;
	char *name;
};

static struct line *lines; /* [count], sorted */
static size_t count;

static bool is_idle(const struct noise_source *s)
{
	return s->key.kind == NOISE_THREAD && (!s->key.id || s->key.id == NOISE_UNSEEN);
}

/* ---- names --------------------------------------------------------------------------- */

static void name_thread(const struct noise_source *s, struct str *out)
{
	if (s->key.id == NOISE_UNSEEN) {
		str_puts(out, "[nothing seen]");
	} else if (!s->key.id) {
		str_puts(out, "[idle]");
	} else {
		printable_add(out, s->sum.name, strnlen(s->sum.name, NOISE_NAME));
		str_addf(out, "-%llu", s->key.id);
	}
}

static void name_function(uint64_t address, const struct kallsyms *symbols, struct str *out)
{
	struct place place = { .address = address };
	struct arena names = { 0 };

	kallsyms_resolve(symbols, &place, 1, &names);
	if (place.name)
		printable_add(out, place.name, strlen(place.name));
	else
		str_puts(out, "[unknown]");
	arena_free(&names);
}

static char *name_of(const struct noise_source *s, const struct kallsyms *symbols)
{
	struct str out = { 0 };

	switch (s->key.kind) {
	case NOISE_THREAD: name_thread(s, &out); break;
	case NOISE_INTERRUPT:
		str_addf(&out, "%llu:", s->key.id);
		printable_add(&out, s->sum.name, strnlen(s->sum.name, NOISE_NAME));
		break;
	case NOISE_VECTOR: str_puts(&out, s->key.id < NOISE_VECTORS ? vectors[s->key.id] : "[unknown]"); break;
	case NOISE_SOFTIRQ:
		str_puts(&out, s->key.id < sizeof(softirqs) / sizeof(*softirqs) ? softirqs[s->key.id] : "[unknown]");
		break;
	default: name_function(s->key.id, symbols, &out);
	}
	for (char *at = out.buf; *at; at++)
		*at = *at == ';' ? ':' : *at == ' ' ? '_' : *at;
	return out.buf;
}

/* ---- lines --------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return ORDER(x->source->key.cpu, y->source->key.cpu) ?: ORDER(x->is_run, y->is_run) ?:
	       strcmp(kinds[x->source->key.kind], kinds[y->source->key.kind]) ?: strcmp(x->name, y->name) ?:
	       ORDER(x->source->key.id, y->source->key.id);
}

/* The thread that had this CPU longest, idle or not. */
static const struct noise_source *main_of(const struct noise_sources *s, uint32_t cpu)
{
	const struct noise_source *best = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct noise_source *one = &s->items[i];

		if (one->key.cpu == cpu && one->key.kind == NOISE_THREAD && (!best || one->sum.ns > best->sum.ns))
			best = one;
	}
	return best;
}

void noise_lines_prepare(struct noise_sources *s)
{
	struct kallsyms symbols = { 0 };

	kallsyms_read(&symbols, NULL);
	lines = xcalloc(s->count + 1, sizeof(*lines));
	for (count = 0; count < s->count; count++) {
		const struct noise_source *source = &s->items[count];

		lines[count] = (struct line){ source, is_idle(source) || source == main_of(s, source->key.cpu),
					      name_of(source, &symbols) };
	}
	kallsyms_free(&symbols);
	if (count)
		qsort(lines, count, sizeof(*lines), by_place);
}

void noise_lines_write(FILE *out, const void *sources)
{
	char host[256] = "";

	(void)sources;
	gethostname(host, sizeof(host) - 1);
	fprintf(out, FOLDED_HEADER "host=%s event=noise root=cpu columns=time,count,longest unit=ns\n", host);
	for (size_t i = 0; i < count; i++) {
		const struct noise_source *s = lines[i].source;

		fprintf(out, "cpu%u;%s%s%s;%s %llu %llu %llu\n", s->key.cpu, lines[i].is_run ? "run" : "noise",
			lines[i].is_run ? "" : ";", lines[i].is_run ? "" : kinds[s->key.kind], lines[i].name, s->sum.ns,
			s->sum.count, s->sum.longest_ns);
	}
}

/* ---- summary ------------------------------------------------------------------------- */

static double us(uint64_t ns)
{
	return (double)ns / 1e3;
}

static void tell_cpu(const struct noise_sources *s, uint32_t cpu)
{
	const struct line *longest = NULL;
	uint64_t run_ns = 0, noise_ns = 0;

	for (size_t i = 0; i < count; i++) {
		const struct line *line = &lines[i];

		if (line->source->key.cpu != cpu)
			continue;
		*(line->is_run ? &run_ns : &noise_ns) += line->source->sum.ns;
		if (!line->is_run && (!longest || line->source->sum.longest_ns > longest->source->sum.longest_ns))
			longest = line;
	}
	inform("cpu%u: %.3f s, of which %.3f ms noise, %.4f %%%s%s%s%s", cpu, (double)s->wall_ns / 1e9,
	       (double)noise_ns / 1e6, 100.0 * (double)noise_ns / (double)(run_ns + noise_ns ? run_ns + noise_ns : 1),
	       longest ? "; the longest: " : "", longest ? kinds[longest->source->key.kind] : "", longest ? " " : "",
	       longest ? longest->name : "");
}

void noise_lines_tell(const struct noise_sources *s, const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->count; i++)
		tell_cpu(s, (uint32_t)cpus->list[i]);
	if (s->missed)
		warn("%" PRIu64
		     " events came while another was noted: their time counts as that of what they interrupted",
		     s->missed);
	if (s->unplaced)
		warn("more than %d sources: %" PRIu64 " times of others are missing", NOISE_SOURCES, s->unplaced);
}

bool noise_lines_over(const struct noise_sources *s, uint64_t budget_ns)
{
	uint64_t wall_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	bool any = false;
	struct str at = { 0 };

	(void)s;
	for (size_t i = 0; i < count; i++) {
		const struct noise_sum *sum = &lines[i].source->sum;

		if (lines[i].is_run || !sum->over)
			continue;
		any = true;
		str_clear(&at);
		wallclock_add(&at, sum->longest_at + wall_ns);
		error("cpu%u: over the budget of %.1f us: %s %s, %llu times, the longest %.1f us at %s",
		      lines[i].source->key.cpu, us(budget_ns), kinds[lines[i].source->key.kind], lines[i].name,
		      sum->over, us(sum->longest_ns), at.buf);
	}
	str_free(&at);
	return any;
}
