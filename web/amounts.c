#include "web/amounts.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "core/amount.h"
#include "core/opts.h"
#include "core/wallclock.h"

void add_duration(struct str *out, uint64_t ns)
{
	uint64_t seconds = ns / NS_PER_SEC, minutes = seconds / 60;

	if (seconds < 120)
		duration_add(out, ns);
	else if (minutes < 120)
		str_addf(out, "%" PRIu64 " min %02" PRIu64 " s", minutes, seconds % 60);
	else
		str_addf(out, "%" PRIu64 " h %02" PRIu64 " min", minutes / 60, minutes % 60);
}

void add_total(struct str *out, const char *total, const char *unit)
{
	uint64_t n;

	if (!total || !parse_u64(total, &n))
		return;
	if (unit && !strcmp(unit, "ns")) {
		duration_add(out, n);
	} else if (unit && !strcmp(unit, "bytes")) {
		size_add(out, n); /* as in the picture */
	} else {
		number_add(out, n);
		str_addf(out, " %s", unit ? unit : "in all");
	}
}

int ratio_parse(struct ratio *r, const char *text)
{
	const char *slash = text ? strchr(text, '/') : NULL;
	char part[32];

	if (!slash || (size_t)(slash - text) >= sizeof(part))
		return -1;
	memcpy(part, text, (size_t)(slash - text));
	part[slash - text] = '\0';
	return parse_u64(part, &r->part) && parse_u64(slash + 1, &r->whole) ? 0 : -1;
}

void add_ratio(struct str *out, const struct ratio *r)
{
	number_add(out, r->part);
	str_puts(out, " of ");
	number_add(out, r->whole);
	if (!r->whole)
		return;
	str_puts(out, " (");
	percentage_add(out, r->part, r->whole);
	str_addc(out, ')');
}

void add_cpus(struct str *out, uint64_t milli)
{
	uint64_t hundredths = (milli + 5) / 10;

	str_addf(out, "%" PRIu64 ".%02" PRIu64, hundredths / 100, hundredths % 100);
}
