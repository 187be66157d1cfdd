#include "collect/summary.h"

#include <inttypes.h>

#include "core/error.h"
#include "core/wallclock.h"

enum { FEW_STACKS = 100 };

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "21 kB", "4.3 MB" */
static void add_size(struct str *out, uint64_t bytes)
{
	if (bytes < 1000000)
		str_addf(out, "%" PRIu64 " kB", (bytes + 999) / 1000);
	else
		str_addf(out, "%.1f MB", (double)bytes / 1e6);
}

static void add_events(struct str *out, const struct events *events)
{
	for (size_t i = 0; i < events->count; i++)
		str_addf(out, "%s%s", i ? ", " : "", events->list[i].name);
}

static void give_hints(const struct recording *r)
{
	const struct tally *t = &r->tally;
	const uint64_t *losses = t->losses;

	if (losses[LOSS_lost_samples] || losses[LOSS_late_reads])
		inform("hint: rings were full, or nearly: a larger --ring or a lower -F helps");
	if (losses[LOSS_truncated_stacks])
		inform("hint: sudo sysctl kernel.perf_event_max_stack=512 keeps deeper stacks");
	if (t->user_stacks > FEW_STACKS && losses[LOSS_short_stacks] * 2 > t->user_stacks)
		inform("hint: %.0f %% of the user stacks end after one or two frames, before the start "
		       "of their thread: the code was probably built without frame pointers "
		       "(-fno-omit-frame-pointer; Java: -XX:+PreserveFramePointer)",
		       percent(losses[LOSS_short_stacks], t->user_stacks));
	if (!losses[LOSS_total_samples] && !r->failed)
		inform("hint: no samples: did the targets use any CPU time? -a shows who does");
}

void summarize(const struct recording *r, uint64_t ns)
{
	const uint64_t *losses = r->tally.losses;
	struct str size = {0}, events = {0};

	add_size(&size, r->size);
	add_events(&events, r->events);
	inform("%s: %s, %.1f s, %" PRIu64 " samples of %s", r->path, size.buf,
	       (double)ns / (double)NS_PER_SEC, losses[LOSS_total_samples], events.buf);
	if (r->kept)
		inform("the older recording is now %s", r->kept);
	losses_report(losses);
	if (losses[LOSS_total_frames])
		inform("%.1f %% of %" PRIu64 " frames have no name",
		       percent(losses[LOSS_unresolved_frames], losses[LOSS_total_frames]),
		       losses[LOSS_total_frames]);
	give_hints(r);
	str_free(&size);
	str_free(&events);
}
