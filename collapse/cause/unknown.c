#include "collapse/cause/unknown.h"

#include <string.h>

#include "core/amount.h"

/* What an event of ours tells. */
static const struct {
	const char *event, *what;
} tells[] = {
	{ RECORDING_SCHED, "when threads ran, and who had the CPU that others waited for" },
	{ RECORDING_OFFCPU, "where threads waited, and who let them go on" },
	{ RECORDING_FAULTS, "page faults, with their files" },
};

static bool has(const struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, name))
			return true;
	}
	return false;
}

static bool has_samples(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (!d->events[i].spans && !d->events[i].allocations && !d->events[i].lanes)
			return true;
	}
	return false;
}

static void add(struct str *out, const char *what, const char *collector)
{
	str_addf(out, "%s: not recorded (pyrograph collect %s)\n", what, collector);
}

void unknown_of_recording(const struct perfdata *d, const struct slow *slow, struct str *out)
{
	if (!has_samples(d))
		add(out, "what threads ran", "cpu");
	for (size_t i = 0; i < sizeof(tells) / sizeof(*tells); i++) {
		if (!has(d, tells[i].event))
			add(out, tells[i].what, tells[i].event);
	}
	if (!slow->summed)
		return;
	number_add(out, slow->summed);
	str_puts(out, " short page faults: only their sums were recorded (--min makes single ones of more)\n");
}
