#include "collapse/perfdata/same_boot.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/symbols/kallsyms.h"
#include "core/symbols/kernel_copy.h"
#include "core/wallclock.h"

#define NO_NAMES ": kernel frames have no names, other frames have those of local files with the same build-id"

/* Tolerances: for the time between reading two clocks, and between taking a sample and writing it. */
static const uint64_t READING_NS = 2 * NS_PER_SEC, WRITING_NS = 10 * NS_PER_SEC;

/* The kernel's clocks can drift apart by 500 ppm, the limit for their correction by NTP. */
static uint64_t slack(void)
{
	return WRITING_NS + clock_ns(CLOCK_BOOTTIME) / 2000;
}

static bool same_boot_is_near(uint64_t a, uint64_t b, uint64_t within)
{
	return (a > b ? a - b : b - a) <= within;
}

/* --- evidence against it ------------------------------------------------------------ */

static bool is_other_build(const struct sideband *s)
{
	static const char name[] = "[kernel.kallsyms]";
	uint8_t recorded[BUILD_ID_MAX], here[BUILD_ID_MAX];
	size_t len = build_ids_find(&s->build_ids, name, sizeof(name) - 1, recorded);

	return len && kernel_build_id(here) == len && memcmp(recorded, here, len) != 0;
}

static bool is_at_other_address(const struct sideband *s)
{
	uint64_t here = s->kernel_address ? kallsyms_look_up(s->kernel_symbol) : 0;

	return here && here != s->kernel_address;
}

/* Are the recording's times counted from boot? */
static bool counts_from_boot(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct perf_event_attr *attr = &d->events[i].attr;

		if (attr->use_clockid && attr->clockid != CLOCK_MONOTONIC && attr->clockid != CLOCK_MONOTONIC_RAW &&
		    attr->clockid != CLOCK_BOOTTIME)
			return false;
	}
	return true;
}

static bool is_too_late(const struct perfdata *d, const struct sideband *s)
{
	return counts_from_boot(d) && s->last_ns > clock_ns(CLOCK_BOOTTIME) + slack();
}

static bool was_written_before(const struct perfdata *d)
{
	return d->mtime_ns + slack() < clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME);
}

static bool is_contradicted(const struct perfdata *d, const struct sideband *s, const struct utsname *here,
			    struct str *why)
{
	if (d->osrelease && strcmp(d->osrelease, here->release))
		str_addf(why, "recorded on kernel %s, this is %s" NO_NAMES, d->osrelease, here->release);
	else if (d->hostname && strcmp(d->hostname, here->nodename))
		str_addf(why, "recorded on host %s, this is %s" NO_NAMES, d->hostname, here->nodename);
	else if (d->arch && strcmp(d->arch, here->machine))
		str_addf(why, "recorded on a processor %s, this is %s" NO_NAMES, d->arch, here->machine);
	else if (is_other_build(s))
		str_addf(why, "recorded on another build of this kernel" NO_NAMES);
	else if (is_at_other_address(s) || is_too_late(d, s) || was_written_before(d))
		str_addf(why, "recorded on another machine, or before this one was booted" NO_NAMES);
	else
		return false;
	return true;
}

/* --- evidence for it ----------------------------------------------------------------- */

/* Does the first anchor of the clock imply the time at which this machine was booted? */
static bool has_our_clocks(const struct perfdata *d, const struct clock *clock)
{
	uint64_t boot_ns;

	if (!clock->count || !counts_from_boot(d))
		return false;
	boot_ns = clock->anchors[0].wall_ns - clock->anchors[0].record_ns;
	return same_boot_is_near(boot_ns, clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC), READING_NS) ||
	       same_boot_is_near(boot_ns, clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME), READING_NS);
}

/* Was the file written just after the last sample, if the sample's time is read as one of this machine's clock? */
static bool was_written_then(const struct perfdata *d, const struct sideband *s)
{
	uint64_t wall_ns = clock_ns(CLOCK_REALTIME);

	return counts_from_boot(d) && s->last_ns &&
	       (same_boot_is_near(wall_ns - clock_ns(CLOCK_MONOTONIC) + s->last_ns, d->mtime_ns, slack()) ||
		same_boot_is_near(wall_ns - clock_ns(CLOCK_BOOTTIME) + s->last_ns, d->mtime_ns, slack()));
}

bool is_same_boot(const struct perfdata *d, const struct sideband *s, const struct clock *clock, struct str *why)
{
	struct utsname here;

	if (uname(&here) || is_contradicted(d, s, &here, why))
		return false;
	if ((d->osrelease && d->hostname) || has_our_clocks(d, clock) || was_written_then(d, s))
		return true;
	str_addf(why, "nothing shows that it was recorded on this machine after its last boot" NO_NAMES);
	return false;
}
