#include "collapse/cause/unknown.h"

#include <string.h>

#include "core/amount.h"

/* What an event of ours tells. */
static const struct {
	const char *event, *what;
} tells[] = {
	{ RECORDING_SCHED, "when threads ran, and who had the CPU that others waited for" },
	{ RECORDING_OFFCPU, "where threads waited, and who let them go on" },
	{ RECORDING_FAULTS, "page faults" },
	{ RECORDING_CALLS, "system calls" },
	{ RECORDING_IO, "requests to devices" },
	{ RECORDING_LOCKS, "who had locks" },
	{ RECORDING_LANE, "memory, queues and pressure" },
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

void unknown_of_recording(const struct perfdata *d, const struct slow *slow, struct str *out)
{
	struct str what = { 0 }, collectors = { 0 };

	if (!has_samples(d)) {
		str_puts(&what, "what threads ran");
		str_puts(&collectors, "cpu");
	}
	for (size_t i = 0; i < sizeof(tells) / sizeof(*tells); i++) {
		if (has(d, tells[i].event))
			continue;
		str_addf(&what, "%s%s", what.len ? "; " : "", tells[i].what);
		str_addf(&collectors, "%s%s", collectors.len ? "," : "", tells[i].event);
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
