/* Warnings about lines of several kinds in one map, and about lines without meaningful values. */
#include "core/format/folded.h"
#include "render/heat/heat_draw.h"

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
