#include "collapse/choice.h"

#include <string.h>

#include "core/error.h"
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
			inform("it has: %s (times of scheduler states, without stacks)", d->events[i].name);
		else if (d->events[i].derived)
			inform("it has: %s (worked out from switches)", d->events[i].name);
		else
			inform("it has: %s (%llu samples)", d->events[i].name,
			       (unsigned long long)d->events[i].sample_count);
	}
	die_usage("--event: %s holds no event '%s'", d->path, name);
}

/* Does it say what ran? */
static bool is_sampled(const struct recorded_event *event)
{
	return !event->spans && !event->allocations;
}

/* One line: what is not used, and what to ask for to see it. */
static void tell_of_others(const struct perfdata *d, const struct recorded_event *used, bool sampled)
{
	struct str others = { 0 }, name = { 0 };

	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *event = &d->events[i];

		if (event == used || (sampled && !is_sampled(event)) || (!event->sample_count && !event->derived))
			continue;
		str_clear(&name);
		options_asking_for(event, &name);
		str_addf(&others, "%s%s", others.len ? ", " : "", name.buf);
	}
	if (others.len)
		inform("using event %s; also there: %s", used->name, others.buf);
	str_free(&others);
	str_free(&name);
}

/* Values of different events cannot be added: take one, and say so. */
static struct recorded_event *first_with_samples(struct perfdata *d, bool sampled)
{
	for (size_t i = 0; i < d->event_count; i++) {
		struct recorded_event *event = &d->events[i];

		if (!event->sample_count || (sampled && !is_sampled(event)))
			continue;
		tell_of_others(d, event, sampled);
		return event;
	}
	return NULL;
}

static bool has_event(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *event = &d->events[i];

		if (!strcmp(event->name, name) && (event->sample_count || event->derived))
			return true;
	}
	return false;
}

/* Was it measured, and never found? */
static bool is_empty_event(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, name) && d->events[i].spans)
			return true;
	}
	return false;
}

static int explain_missing(const struct perfdata *d, const struct preset *preset, struct choice *choice)
{
	const char *cut = !d->cut ? ""
			  : is_empty_event(d, preset->event)
				  ? "; it is cut off: what had not ended by then is not in it"
				  : "; it is cut off, and the formats of tracepoints come last";

	choice->nothing = is_empty_event(d, preset->event);
	if (choice->nothing)
		return error("%s: %s was recorded, but found nothing%s", d->path, preset->event, cut);
	return error("%s: has no %s%s", d->path, preset->missing, cut);
}

int choice_make(struct perfdata *d, const struct options *o, struct choice *choice)
{
	const struct preset *preset = o->preset;
	struct roots asked = { 0 };

	*choice = (struct choice){ 0 };
	roots_parse(&asked, o->root ? o->root : "");
	if (preset && !has_event(d, preset->event))
		return explain_missing(d, preset, choice);
	if (o->event && strcmp(o->event, "all"))
		choice->event = event_named(d, o->event);
	else if (!o->event && (o->sampled || !roots_has(&asked, "event")))
		choice->event = first_with_samples(d, o->sampled);
	choice->nothing = o->sampled && !choice->event;
	if (choice->nothing)
		return error("%s: holds no samples of what ran", d->path);
	if (preset && !choice->event->spans)
		return error("%s: its event %s was not recorded by pyrograph", d->path, preset->event);
	choice->preset = preset ? preset : preset_of_event(choice->event ? choice->event->name : NULL);
	return 0;
}
