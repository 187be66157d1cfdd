#include "collect/bpf/detail.h"

#include <inttypes.h>

#include "core/error.h"
#include "core/opts.h"

struct detail detail_parse(const char *value, char **command)
{
	struct detail d = { .singly = value };
	uint64_t ns;

	if (value && !*value && command && parse_duration(command[0], &ns))
		die_usage("--events takes its time after '=': --events=%s", command[0]);
	if (value && *value && (!parse_duration(value, &d.min_ns) || !d.min_ns))
		die_usage("--events=%s: not a time, such as 10us, 1ms, 2 (seconds)", value);
	return d;
}

void detail_note(const struct detail *d, struct event *e)
{
	e->attr.config2 = !d->singly ? 0 : d->min_ns ? d->min_ns : 1;
}

void detail_say(const struct detail *d, const char *source, uint64_t over_budget)
{
	bool ms = d->min_ns >= 1000000, one = over_budget == 1;

	if (over_budget)
		inform("%s: %" PRIu64 " span%s of %g %s or more %s summed: too many a second to record them one by one",
		       source, over_budget, one ? "" : "s", (double)d->min_ns / (ms ? 1e6 : 1e3), ms ? "ms" : "us",
		       one ? "was" : "were");
}
