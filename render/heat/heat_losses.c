/* The losses of all recordings, summed: those that affect cells in the heading, those that affect only stacks among
 * its details; and the recordings' hosts in a few words. */
#include "render/heat/heat_draw.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/drawing/doubts.h"
#include "render/profile/number.h"

enum { HOSTS_NAMED = 6 };

/* ---- losses ----------------------------------------------------------------- */

/* Add up the losses of each recording: in the joined header, equal texts appear only once. */
static void find_losses(struct doubts *d, const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++)
		doubts_add(d, &h->recordings[i].source);
}

/* Append the losses that touch cells, as a header lists them. */
static void list_losses(struct str *out, const struct heat *h)
{
	struct doubts d = { 0 };

	find_losses(&d, h);
	for (size_t i = 0; i < d.count; i++) {
		const struct doubt *loss = &d.items[i];

		if (doubt_is_of_stacks(loss))
			continue;
		str_addf(out, "%s%s", out->len ? ", " : "", loss->what);
		if (loss->count)
			str_addf(out, " %" PRIu64, loss->count);
		if (loss->of)
			str_addf(out, " of %" PRIu64, loss->of);
	}
	doubts_free(&d);
}

/* The quality of stacks, of one recording or as its share in all. */
static void heat_losses_say_quality(struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	const char *quality = h->recording_count == 1 ? source_get(&h->source, FOLDED_QUALITY) : NULL;
	uint64_t part, whole;
	struct str text = { 0 };

	if (quality) {
		str_puts(&text, quality);
	} else if (source_ratio(&h->source, FOLDED_UNRESOLVED, &part, &whole) && part && whole) {
		percent_add(&text, part, whole);
		str_puts(&text, " of frames without a name");
	}
	heat_say(p, TEXT_DOUBT, &text);
	str_free(&text);
}

void heat_tell_stacks(struct heat_plan *p)
{
	struct doubts d = { 0 };
	struct str text = { 0 };

	find_losses(&d, p->chart->heat);
	for (size_t i = 0; i < d.count; i++) {
		if (!doubt_is_of_stacks(&d.items[i]))
			continue;
		doubt_say(&d, &d.items[i], &text);
		heat_say(p, strcmp(d.items[i].what, FOLDED_BROKEN_STACKS) ? TEXT_DOUBT : TEXT_ALARM, &text);
	}
	heat_losses_say_quality(p);
	doubts_free(&d);
	str_free(&text);
}

/* ---- the header ------------------------------------------------------------- */

/* "db1, db2", or "100 hosts" if they are many. */
static char *hosts_of(const char *list)
{
	struct str text = { 0 };
	size_t count = 1;

	for (const char *at = list; (at = strstr(at, ", ")); at++)
		count++;
	if (count <= HOSTS_NAMED)
		return xstrdup(list);
	number_add(&text, count);
	str_puts(&text, " hosts");
	return text.buf;
}

static bool is_said_elsewhere(const char *key)
{
	static const char *const keys[] = { FOLDED_START, FOLDED_END, FOLDED_LOSSES, FOLDED_UNRESOLVED,
					    FOLDED_QUALITY };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(key, keys[i]))
			return true;
	}
	return false;
}

void heat_source_make(struct folded_source *s, const struct heat *h)
{
	struct str losses = { 0 };

	*s = (struct folded_source){ 0 };
	for (size_t i = 0; i < h->source.count; i++) {
		const struct source_pair *pair = &h->source.pairs[i];
		char *hosts = strcmp(pair->key, FOLDED_HOST) ? NULL : hosts_of(pair->value);

		if (!is_said_elsewhere(pair->key))
			source_join(s, pair->key, hosts ? hosts : pair->value);
		free(hosts);
	}
	list_losses(&losses, h);
	if (losses.len)
		source_join(s, FOLDED_LOSSES, losses.buf);
	str_free(&losses);
}
