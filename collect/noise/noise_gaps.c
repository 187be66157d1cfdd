#include "collect/noise/noise_gaps.h"

#include <inttypes.h>
#include <stdlib.h>

#include "collect/noise/noise_lines.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { KEPT = 1 << 14, CPUS = NOISE_CPUS, NAMED = 4 };

/* The longest gap of a CPU. */
struct worst {
	uint64_t times, ns, at_ns;
	struct str inside; /* "interrupt local-timer 12.0 us, ..." */
};

static struct {
	struct noise_record *kept; /* [KEPT], as a ring */
	size_t count;              /* that were put into it */
	struct worst *worst;
} gaps;

void noise_gaps_keep(const struct noise_record *r)
{
	if (!gaps.kept)
		gaps.kept = xcalloc(KEPT, sizeof(*gaps.kept));
	gaps.kept[gaps.count++ % KEPT] = *r;
}

static int noise_gaps_by_length(const void *a, const void *b)
{
	const struct noise_record *const *x = a, *const *y = b;

	return ORDER((*y)->ns, (*x)->ns) ?: ORDER((*x)->begin_ns, (*y)->begin_ns);
}

/* Returns how many records of the gap's time and CPU there are; the caller frees *found. */
static size_t find_inside(const struct spinner_gap *gap, const struct noise_record ***found)
{
	size_t first = gaps.count > KEPT ? gaps.count - KEPT : 0, count = 0, cap = 0;

	for (size_t i = first; i < gaps.count; i++) {
		const struct noise_record *k = &gaps.kept[i % KEPT];

		if (k->cpu != (uint32_t)gap->cpu || k->end_ns < gap->begin_ns || k->begin_ns > gap->end_ns)
			continue;
		*found = xgrow(*found, &cap, count + 1, sizeof(**found));
		(*found)[count++] = k;
	}
	if (count)
		qsort(*found, count, sizeof(**found), noise_gaps_by_length);
	return count;
}

/* The longest ones of those that were in it. */
static void add_inside(const struct noise_sources *s, const struct spinner_gap *gap, struct str *out)
{
	const struct noise_record **found = NULL;
	size_t count = find_inside(gap, &found);

	for (size_t i = 0; i < count && i < NAMED; i++) {
		const struct noise_record *r = found[i];

		str_addf(out, "%s%s ", i ? ", " : "", noise_state_word(noise_state(r->kind, r->id)));
		noise_name_add(s, r->kind, r->id, r->name, out);
		str_addf(out, " %.1f us", (double)r->ns / 1e3);
	}
	if (count > NAMED)
		str_addf(out, ", %zu more", count - NAMED);
	if (!count)
		str_puts(out, gap->has_cause ? "many that are short" : "no cause in software");
	free(found);
}

void noise_gaps_add(const struct noise_sources *s, const struct spinner_gap *gap)
{
	uint64_t ns = gap->end_ns - gap->begin_ns;
	struct worst *w;

	if (!s->budget_ns || ns <= s->budget_ns || gap->cpu >= CPUS)
		return;
	if (!gaps.worst)
		gaps.worst = xcalloc(CPUS, sizeof(*gaps.worst));
	w = &gaps.worst[gap->cpu];
	w->times++;
	if (ns <= w->ns)
		return;
	w->ns = ns;
	w->at_ns = gap->begin_ns;
	str_clear(&w->inside);
	add_inside(s, gap, &w->inside);
}

bool noise_gaps_over(const struct noise_sources *s)
{
	struct str at = { 0 };
	bool any = false;

	for (int cpu = 0; gaps.worst && cpu < CPUS; cpu++) {
		const struct worst *w = &gaps.worst[cpu];

		if (!w->times)
			continue;
		any = true;
		str_clear(&at);
		noise_time_add(&at, w->at_ns);
		error("cpu%d: over the budget of %.1f us: --spin was kept from the clock %" PRIu64
		      " times, the longest %.1f us at %s: %s",
		      cpu, (double)s->budget_ns / 1e3, w->times, (double)w->ns / 1e3, at.buf, w->inside.buf);
	}
	str_free(&at);
	return any;
}

void noise_gaps_free(void)
{
	for (int cpu = 0; gaps.worst && cpu < CPUS; cpu++)
		str_free(&gaps.worst[cpu].inside);
	free(gaps.worst);
	free(gaps.kept);
	gaps.worst = NULL;
	gaps.kept = NULL;
	gaps.count = 0;
}
