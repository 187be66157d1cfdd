#include "render/heat/heat_draw.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "render/drawing/doubts.h"
#include "render/profile/number.h"

/* ---- headers ---------------------------------------------------------------- */

/* Add up a list such as "209, 5", as in joined headers.  Returns false if the text is not such a list. */
static bool add_counts(const char *list, uint64_t *sum)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		uint64_t count = strtoull(list, &end, 10);

		if (__builtin_add_overflow(*sum, count, sum))
			return false;
		list = end;
		list += strspn(list, ", ");
	}
	return !*list;
}

/* The sum over all recordings. */
static uint64_t heat_doubts_count_of(const struct heat *h, const char *key)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->recording_count; i++) {
		const char *value = source_get(&h->recordings[i].source, key);

		if (value && !add_counts(value, &sum))
			return 0;
	}
	return sum;
}

/* ---- sums ------------------------------------------------------------------- */

/* Append "1 s" for the header's "1s"; returns NULL if this is not a number and a unit, or if headers differ. */
static const char *heat_doubts_about(const struct heat *h, struct str *out)
{
	const char *text = source_get(&h->source, FOLDED_SUMS_OF);
	size_t digits = text ? strspn(text, "0123456789") : 0;

	if (!digits || (strcmp(text + digits, "s") && strcmp(text + digits, "ms")))
		return NULL;
	str_addf(out, "%.*s %s", (int)digits, text, text + digits);
	return out->buf;
}

bool heat_sums_add(struct str *out, const struct heat *h)
{
	struct str length = { 0 };
	const char *how_long;
	uint64_t sums, all;

	if (!source_ratio(&h->source, FOLDED_SUMS, &sums, &all) || !sums || sums > all)
		return false;
	how_long = heat_doubts_about(h, &length);
	number_add(out, sums);
	str_puts(out, " of ");
	heat_count_add(out, all, "lines");
	str_addf(out, " %s of %s", sums == 1 ? "is a sum" : "are sums", how_long ? "about " : "some time");
	str_puts(out, how_long ? how_long : "");
	str_free(&length);
	return true;
}

static const struct event_row *heat_doubts_row_of(const struct heat *h)
{
	return event_row_of(source_get(&h->source, FOLDED_EVENT));
}

const char *heat_singly(const struct heat *h)
{
	return heat_doubts_row_of(h)->singly;
}

void heat_doubt_sums(struct str *out, const struct heat *h)
{
	if (heat_sums_add(out, h))
		str_addf(out, ", drawn at the time of counting: 'pyrograph collect %s' records single spans",
			 heat_singly(h));
}

bool heat_is_much(uint64_t part, uint64_t whole)
{
	return part && (__uint128_t)part * 100 >= whole;
}

/* ---- spans that had not ended ------------------------------------------------ */

const char *heat_spans_word(const struct heat *h)
{
	return heat_doubts_row_of(h)->noun;
}

/* Append "Waits under 1 ms" for the header's "1ms". */
static void add_which(struct str *out, const struct heat *h)
{
	const char *least = source_get(&h->source, FOLDED_SHORT), *what = heat_spans_word(h);
	size_t digits = least ? strspn(least, "0123456789") : 0, start = out->len;

	str_puts(out, what);
	out->buf[start] = (char)toupper((unsigned char)out->buf[start]);
	if (digits && !strchr(least, ','))
		str_addf(out, " under %.*s %s", (int)digits, least, least + digits);
	if (source_get(&h->source, FOLDED_SHORT_MORE))
		str_addf(out, "%s beyond the limit per second%s", digits ? ", and longer ones" : "", digits ? "," : "");
}

void heat_doubt_short(struct str *out, const struct heat *h)
{
	uint64_t spans, ns;

	if (!source_ratio(&h->source, FOLDED_SHORT_SUMS, &spans, &ns))
		return;
	add_which(out, h);
	str_puts(out, " are not drawn: ");
	duration_add(out, ns);
	str_puts(out, " in ");
	heat_count_add(out, spans, heat_spans_word(h));
	if (h->filtered_lines)
		str_puts(out, ", before filters");
}

uint64_t heat_doubt_open(struct str *out, const struct heat *h, bool of_values)
{
	uint64_t open = heat_doubts_count_of(h, FOLDED_OPEN), sums, all;

	if (!open || (source_ratio(&h->source, FOLDED_SUMS, &sums, &all) && sums))
		return 0;
	heat_count_add(out, open, heat_spans_word(h));
	str_addf(out, " %s unfinished: ", open == 1 ? "was" : "were");
	if (of_values)
		str_addf(out, "%s and percentiles are higher", open == 1 ? "the true duration" : "true durations");
	else
		str_puts(out, open == 1 ? "the true duration is longer" : "true durations are longer");
	return open;
}

/* ---- lines of several kinds ---- */

/* Add warnings about lines of several kinds in one map, and about lines without meaningful values. */

/* The unit of a recording's values; NULL: unknown. */
static const char *heat_kinds_unit_of(const struct heat_recording *r)
{
	const char *spans = source_get(&r->source, FOLDED_SPANS), *unit = source_get(&r->source, FOLDED_UNIT);

	return spans && !strcmp(spans, "start") ? "ns of time" : unit;
}

bool heat_units_agree(const struct heat *h, struct str *why)
{
	const struct heat_recording *first = NULL;

	for (size_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (!heat_kinds_unit_of(r))
			continue;
		first = first ? first : r;
		if (!strcmp(heat_kinds_unit_of(first), heat_kinds_unit_of(r)))
			continue;
		str_addf(why, "%s has %s and %s has %s, which do not add up: draw each on its own", first->path,
			 heat_kinds_unit_of(first), r->path, heat_kinds_unit_of(r));
		return false;
	}
	return true;
}

/* Do the headers name several events: "cpu-clock", "offcpu"? */
static bool events_differ(const struct heat *h)
{
	const char *first = NULL;

	for (size_t i = 0; i < h->recording_count; i++) {
		const char *event = source_get(&h->recordings[i].source, FOLDED_EVENT);

		if (!event)
			continue;
		first = first ? first : event;
		if (strcmp(first, event))
			return true;
	}
	return false;
}

void heat_remarks(const struct heat *h, const struct heat_axes *a, struct str *out)
{
	if (events_differ(h))
		str_addf(out, "Events of several kinds are added up: %s", source_get(&h->source, FOLDED_EVENT));
	if (a->y != HEAT_Y_VALUE || h->value || h->spans || h->event_count < 2)
		return;
	str_addf(out,
		 "%sAll values are equal: these lines tell how many events there were, not how long or large (--y "
		 "offset shows when)",
		 out->len ? ". " : "");
}

/* ---- losses ---- */

/* Add the summed losses of all recordings: those that affect cells to the heading, those that affect only stacks to its
 * details; also the recordings' hosts in a few words. */

enum { HOSTS_NAMED = 6 };

/* ---- losses ----------------------------------------------------------------- */

/* Add up the losses of each recording by itself, since equal texts appear only once in the joined header. */
static void find_losses(struct doubts *d, const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++)
		doubts_add(d, &h->recordings[i].source);
}

/* Append the losses that affect cells, as a header lists them. */
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

/* The quality of stacks: of one recording, or its contribution to that of all. */
static void heat_losses_say_quality(struct heat_plan *p)
{
	const struct heat *h = p->chart->heat;
	const char *quality = h->recording_count == 1 ? source_get(&h->source, FOLDED_QUALITY) : NULL;
	uint64_t part, whole;
	struct str text = { 0 };

	if (quality) {
		str_puts(&text, quality);
	} else if (source_ratio(&h->source, FOLDED_UNRESOLVED, &part, &whole) && part && whole) {
		percentage_add(&text, part, whole);
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
		heat_say(p,
			 !strcmp(d.items[i].what, FOLDED_BROKEN_STACKS) && doubt_is_alarm(&d, &d.items[i]) ? TEXT_ALARM
													   : TEXT_DOUBT,
			 &text);
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
