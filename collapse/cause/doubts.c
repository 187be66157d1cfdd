#include "collapse/cause/doubts.h"

#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"

/* A loss that is counted in the same unit as the total.  A smaller share than this is unlikely to hide the worst. */
static const struct {
	const char *key, *what;
	double least; /* per cent */
} losses[] = {
	{ "lost_spans", "of the spans of time were lost", 1 },
	{ "lost_stacks", "of the waits have no stack", 5 },
	{ "lost_samples", "of the samples were lost", 5 },
	{ "missed_events", "of the events were missed", 1 },
};

static uint64_t all_of(const struct history *h, size_t loss)
{
	uint64_t spans = h->states.count + h->blocks.count;
	const uint64_t counts[] = { spans, h->blocks.count, h->samples.count, spans };

	return counts[loss];
}

static void cause_doubts_begin(struct str *out, size_t start)
{
	str_puts(out, out->len == start ? "Another cause is possible: " : ", ");
}

void doubts_of_recording(const struct perfdata *d, const struct history *h, struct str *out)
{
	size_t start = out->len;
	uint64_t threads;
	bool found;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		uint64_t lost = recorded_loss(d, losses[i].key, &found), all = all_of(h, i);
		double percent = (double)lost * 100 / (double)(lost + all + !all);

		if (percent < losses[i].least)
			continue;
		cause_doubts_begin(out, start);
		str_addf(out, "%.1f %% %s", percent, losses[i].what);
	}
	threads = recorded_loss(d, "untracked_threads", &found);
	if (threads) {
		cause_doubts_begin(out, start);
		number_add(out, threads);
		str_puts(out, threads == 1 ? " thread was not tracked" : " threads were not tracked");
	}
	if (d->cut) {
		cause_doubts_begin(out, start);
		str_puts(out, "the file is cut off, and waits that still went on are missing");
	}
}

/* ---- what was not recorded ------------------------------------------------------------- */

static bool unknown_has(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, name))
			return true;
	}
	return false;
}

static bool unknown_has_samples(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!d->events[i].spans && !d->events[i].allocations && !d->events[i].lanes)
			return true;
	}
	return false;
}

void unknown_of_recording(const struct perfdata *d, const struct slow *slow, struct str *out)
{
	struct str what = { 0 }, collectors = { 0 }, options = { 0 };
	const struct event_row *row;
	bool reports = !strcmp(program_name, "pyrograph report") && unknown_has_samples(d) &&
		       unknown_has(d, RECORDING_SCHED) && unknown_has(d, RECORDING_OFFCPU); /* which it always records */

	if (!unknown_has_samples(d)) {
		str_puts(&what, "what threads ran");
		str_puts(&collectors, "cpu");
	}
	for (unsigned i = 0; (row = event_row_at(i)); i++) {
		if (!row->tells || unknown_has(d, row->name))
			continue;
		str_addf(&what, "%s%s", what.len ? "; " : "", row->tells);
		str_addf(&collectors, "%s%s", collectors.len ? "," : "", row->name);
		str_addf(&options, " --%s", row->name);
	}
	if (what.len && reports)
		str_addf(out, "%s: not recorded (pyrograph report%s)\n", str_text(&what), str_text(&options));
	else if (what.len)
		str_addf(out, "%s: not recorded (pyrograph collect %s)\n", str_text(&what), str_text(&collectors));
	str_free(&what);
	str_free(&collectors);
	str_free(&options);
	if (!slow->summed)
		return;
	number_add(out, slow->summed);
	str_puts(out,
		 " short ones of what is above: only their sums were recorded (--min makes single ones of more)\n");
}

static size_t unknown_count_hot(const struct findings *all, const struct history *h, uint32_t process)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->items[i].kind == FINDING_HOT && h->threads[all->items[i].guilty].process == process;
	return count;
}

void unknown_of_running(const struct findings *all, const struct history *h, struct str *out)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i].kind != FINDING_HOT ||
		    unknown_count_hot(all, h, h->threads[all->items[i].guilty].process) < 2)
			continue;
		str_puts(out, "whether threads that ran all the time computed, or spun until another one let a lock go "
			      "or set "
			      "a value: both look the same\n");
		return;
	}
}
