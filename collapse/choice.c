#include "collapse/choice.h"

#include <string.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/str.h"

static struct recorded_event *event_named(struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		size_t len = strcspn(d->events[i].name, ":");

		if (!strcmp(d->events[i].name, name))
			return &d->events[i];
		/* "cycles" also means "cycles:ppp" and "cycles:u" */
		if (!strncmp(d->events[i].name, name, len) && !name[len] &&
		    d->events[i].attr.type != PERF_TYPE_TRACEPOINT)
			return &d->events[i];
	}
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].from_states)
			inform("available: %s (times of scheduler states, without stacks)", d->events[i].name);
		else if (d->events[i].derived)
			inform("available: %s (derived from context switches)", d->events[i].name);
		else
			inform("available: %s (%llu samples)", d->events[i].name,
			       (unsigned long long)d->events[i].sample_count);
	}
	die_usage("--event: %s has no event '%s'", d->path, name);
}

/* Are the event's samples about running code, rather than spans of time or allocations? */
static bool choice_is_sampled(const struct recorded_event *event)
{
	return !event->spans && !event->allocations && !event->lanes;
}

/* Report the unused events in one line, with the options that select them. */
static void choice_tell_of_others(const struct perfdata *d, const struct recorded_event *used, bool sampled)
{
	struct str others = { 0 }, name = { 0 };

	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *event = &d->events[i];

		if (event == used || (sampled && !choice_is_sampled(event)) ||
		    (!event->sample_count && !event->derived))
			continue;
		str_clear(&name);
		presets_of_event(event, &name);
		str_addf(&others, "%s%s", others.len ? ", " : "", name.buf);
	}
	if (others.len)
		inform("using event %s; also available: %s", used->name, others.buf);
	str_free(&others);
	str_free(&name);
}

/* Values of different events cannot be added up: use one event, and report the others. */
static struct recorded_event *first_with_samples(struct perfdata *d, bool sampled)
{
	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *event = &d->events[i];

		if (!event->sample_count || (sampled && !choice_is_sampled(event)))
			continue;
		choice_tell_of_others(d, event, sampled);
		return event;
	}
	return NULL;
}

static bool choice_has_event(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *event = &d->events[i];

		if (!strcmp(event->name, name) && (event->sample_count || event->derived))
			return true;
	}
	return false;
}

/* Was the event recorded, even if it never occurred? */
static bool is_empty_event(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, name) && (d->events[i].spans || d->events[i].lanes))
			return true;
	}
	return false;
}

static int explain_missing(struct reading *r, const struct preset *preset)
{
	const struct perfdata *d = &r->data;
	const char *cut = !d->cut ? ""
			  : is_empty_event(d, preset->event)
				  ? "; the file is cut off: spans that were still open are missing"
				  : "; the file is cut off, and its tracepoint formats were at the end";

	r->nothing = is_empty_event(d, preset->event) ||
		     (event_row_of(preset->event)->kind == EVENT_VALUES && is_empty_event(d, RECORDING_SCHED));
	if (r->nothing)
		return reading_nothing(r, "%s was recorded, but has no samples%s", preset->event, cut);
	return error("%s: has no %s%s", d->path, preset->missing, cut);
}

int choice_make(struct reading *r, const struct options *o, const struct preset **used)
{
	struct perfdata *d = &r->data;
	const struct preset *preset = o->preset;
	struct roots asked = { 0 };

	roots_parse(&asked, o->root ? o->root : "");
	if (preset && !choice_has_event(d, preset->event) &&
	    !(preset->wall && (choice_has_event(d, RECORDING_OFFCPU) || choice_has_event(d, RECORDING_WALL))))
		return explain_missing(r, preset);
	if (o->event && strcmp(o->event, "all"))
		r->event = event_named(d, o->event);
	else if (!o->event && (o->sampled || !roots_has(&asked, "event")))
		r->event = first_with_samples(d, o->sampled);
	r->nothing = o->sampled && !r->event;
	if (r->nothing)
		return reading_nothing(r, "has no samples of running code");
	if (preset && r->event && !r->event->spans && !r->event->lanes)
		return error("%s: its event %s was not recorded by pyrograph", d->path, preset->event);
	*used = preset ? preset : preset_of_event(r->event ? r->event->name : NULL);
	return 0;
}
