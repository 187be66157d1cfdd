#include "collapse/cause/unknown.h"

#include <string.h>

#include "core/amount.h"
#include "core/format/events.h"

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
	struct str what = { 0 }, collectors = { 0 };
	const struct event_row *row;

	if (!unknown_has_samples(d)) {
		str_puts(&what, "what threads ran");
		str_puts(&collectors, "cpu");
	}
	for (unsigned i = 0; (row = event_row_at(i)); i++) {
		if (!row->tells || unknown_has(d, row->name))
			continue;
		str_addf(&what, "%s%s", what.len ? "; " : "", row->tells);
		str_addf(&collectors, "%s%s", collectors.len ? "," : "", row->name);
	}
	if (what.len)
		str_addf(out, "%s: not recorded (pyrograph collect %s)\n", str_text(&what), str_text(&collectors));
	str_free(&what);
	str_free(&collectors);
	if (!slow->summed)
		return;
	number_add(out, slow->summed);
	str_puts(out,
		 " short ones of what is above: only their sums were recorded (--min makes single ones of more)\n");
}
