#include "collect/losses.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

static const struct {
	const char *key, *about;
} table[LOSS_COUNT] = {
#define LOSS_ROW(key, about) { #key, about },
	RECORDING_LOSS_TABLE(LOSS_ROW)
#undef LOSS_ROW
};

void losses_format(const uint64_t losses[LOSS_COUNT], struct str *out)
{
	for (size_t i = 0; i < LOSS_COUNT; i++)
		str_addf(out, "%s %" PRIu64 "\n", table[i].key, losses[i]);
}

/* What is missing altogether; the rest of the table is missing in part, or a warning. */
static bool is_loss(size_t i)
{
	return i == LOSS_lost_samples || i == LOSS_unwritten_records || i == LOSS_lost_spans ||
	       i == LOSS_untracked_threads || i == LOSS_untracked_switches;
}

/* The summary speaks of these in its own words. */
static bool is_measure(size_t i)
{
	return i == LOSS_short_stacks || i == LOSS_unresolved_frames || i == LOSS_total_frames ||
	       i == LOSS_total_samples || i == LOSS_others_ns || i == LOSS_missed_switches ||
	       i == LOSS_missed_ns;
}

void losses_report(const uint64_t losses[LOSS_COUNT])
{
	bool any = false;

	for (size_t i = 0; i < LOSS_COUNT; i++) {
		if (is_loss(i) && losses[i]) {
			inform("lost: %" PRIu64 " %s", losses[i], table[i].about);
			any = true;
		}
	}
	if (!any)
		inform("nothing lost");
	for (size_t i = 0; i < LOSS_COUNT; i++) {
		if (!is_loss(i) && !is_measure(i) && losses[i])
			inform("noticed: %" PRIu64 " %s", losses[i], table[i].about);
	}
}
