#include "collapse/cause/doubts.h"

#include "collapse/perfdata/recorded.h"
#include "core/amount.h"

/* A loss that is counted in the things it is a part of.  A smaller share hardly hides the worst. */
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
