/* The error message for an animation whose step is too small. */
#include "render/flame/modes.h"

#include <inttypes.h>

#include "core/error.h"
#include "core/wallclock.h"

/* Append the smallest round step that makes few enough windows, as an option. */
static void modes_windows_add_step(struct str *out, uint64_t span_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "s", NS_PER_SEC },
		{ "ms", NS_PER_SEC / 1000 },
		{ "us", 1000 },
		{ "ns", 1 },
	};
	uint64_t least = span_ns / (WINDOWS_MAX - 1) + 1, power = 1, step;
	size_t u = 0;

	while (power < least / 5)
		power *= 10;
	step = power >= least ? power : 2 * power >= least ? 2 * power : 5 * power >= least ? 5 * power : 10 * power;
	while (step % units[u].ns)
		u++;
	str_addf(out, "%" PRIu64 "%s", step / units[u].ns, units[u].name);
}

void mode_too_many_windows(const struct mode *m, const struct profile *p)
{
	struct str step = { 0 };

	modes_windows_add_step(&step, p->last_ns - p->first_ns);
	die_usage("--animate %s makes more than %d windows: choose a larger step, such as %s", m->step, WINDOWS_MAX,
		  step.buf);
}
