#include "collect/recording/losses.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"

static const struct {
	const char *key, *about;
} table[LOSS_COUNT] = {
#define LOSS_ROW(key, about) { #key, about },
	RECORDING_LOSS_TABLE(LOSS_ROW)
#undef LOSS_ROW
};

void losses_raise(uint64_t losses[LOSS_COUNT], enum recording_loss key, uint64_t count)
{
	if (losses[key] < count)
		losses[key] = count;
}

void losses_format(const uint64_t losses[LOSS_COUNT], struct str *out)
{
	for (size_t i = 0; i < LOSS_COUNT; i++)
		str_addf(out, "%s %" PRIu64 "\n", table[i].key, losses[i]);
}

/* Is data missing completely?  The other rows of the table are about data that is missing in part, or are warnings. */
static bool is_loss(size_t i)
{
	return i == LOSS_lost_samples || i == LOSS_unwritten_records || i == LOSS_lost_spans ||
	       i == LOSS_missed_events || i == LOSS_unwinding_late || i == LOSS_untracked_threads ||
	       i == LOSS_untracked_switches || i == LOSS_cpus_off;
}

/* Does the summary report this row in words of its own? */
static bool is_measure(size_t i)
{
	return i == LOSS_short_stacks || i == LOSS_unresolved_frames || i == LOSS_total_frames ||
	       i == LOSS_total_samples || i == LOSS_others_ns || i == LOSS_missed_switches || i == LOSS_missed_ns ||
	       i == LOSS_summed_spans || i == LOSS_late_reads || i == LOSS_uncopied_stacks;
}

/* Add "1 thread that found no room", "2 threads that ...", "1 switch that ...", "1 Java frame that ...".  The first
 * word that ends with s is taken for the plural. */
static void add_counted(struct str *out, uint64_t count, const char *about)
{
	size_t word = strcspn(about, " "), keep;

	while (about[word - 1] != 's' && about[word])
		word += 1 + strcspn(about + word + 1, " ");
	keep = word;
	if (count == 1 && about[word - 1] == 's')
		keep -= !strncmp(about + word - 3, "hes", 3) ? 2 : 1;
	str_addf(out, "%" PRIu64 " %.*s%s", count, (int)keep, about, about + word);
}

static void losses_tell_lost(uint64_t count, const char *about, const struct str *of)
{
	struct str text = { 0 };

	add_counted(&text, count, about);
	if (of && of->len)
		str_addf(&text, ": %s", of->buf);
	inform("lost: %s", text.buf);
	str_free(&text);
}

static void losses_tell_noticed(uint64_t count, const char *about)
{
	struct str text = { 0 };

	add_counted(&text, count, about);
	detail("noticed: %s", text.buf);
	str_free(&text);
}

static const struct str *losses_sources_of(size_t i, const struct losses_by_source *by)
{
	if (!by)
		return NULL;
	return i == LOSS_lost_spans ? &by->spans : i == LOSS_missed_events ? &by->events : NULL;
}

void losses_report(const uint64_t losses[LOSS_COUNT], const struct losses_by_source *by)
{
	uint64_t late = losses[LOSS_late_reads];
	struct str full = { 0 };
	bool any = false;

	for (size_t i = 0; i < LOSS_COUNT; i++) {
		if (is_loss(i) && losses[i]) {
			losses_tell_lost(losses[i], table[i].about, losses_sources_of(i, by));
			any = true;
		}
	}
	if (late > 1)
		str_addf(&full, "buffer over half full %" PRIu64 " times", late);
	else if (late)
		str_puts(&full, "buffer over half full once");
	if (!any)
		str_puts(&full, late ? "; nothing lost" : "nothing lost");
	if (full.len)
		detail("%s", full.buf);
	str_free(&full);
	for (size_t i = 0; i < LOSS_COUNT; i++) {
		if (!is_loss(i) && !is_measure(i) && losses[i])
			losses_tell_noticed(losses[i], table[i].about);
	}
}

void losses_by_source_free(struct losses_by_source *by)
{
	str_free(&by->spans);
	str_free(&by->events);
}
