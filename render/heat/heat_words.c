/* How the picture of a heat map says counts, values and times. */
#include "render/heat/heat_draw.h"

#include "core/wallclock.h"
#include "render/profile/number.h"

void heat_count_add(struct str *out, uint64_t n, const char *many)
{
	size_t len = strlen(many);

	number_add(out, n);
	str_addc(out, ' ');
	str_add(out, many, n == 1 && len > 1 && many[len - 1] == 's' ? len - 1 : len);
}

void heat_value_add(struct str *out, const struct heat_plan *p, uint64_t value)
{
	const struct heat *h = p->chart->heat;
	struct unit unit = { p->style->unit ? p->style->unit : "", h->decimals, 1 };

	if (!value && !strcmp(unit.name, "ns")) { /* beside "2 ms" */
		str_addc(out, '0');
		return;
	}
	value_add(out, value, &unit);
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

void heat_clock_add(struct str *out, const struct heat_plan *p, uint64_t time_ns, int digits)
{
	const struct heat_axes *a = &p->chart->axes;
	uint64_t from = heat_column_ns(a, 0);
	struct zone none = { .name = "UTC", .label = "UTC" };

	if (!p->chart->heat->relative) {
		zone_clock_add(out, &p->style->zone, time_ns, digits);
		return;
	}
	zone_clock_add(out, &none, time_ns > from ? time_ns - from : 0, digits);
}

void heat_span_add(struct str *out, uint64_t ns)
{
	static const struct { uint64_t ns; const char *name; } units[] = {
		{ 86400 * NS_PER_SEC, "d" }, { 3600 * NS_PER_SEC, "h" }, { 60 * NS_PER_SEC, "min" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (ns >= units[i].ns && ns % units[i].ns == 0) {
			number_add(out, ns / units[i].ns);
			str_addf(out, " %s", units[i].name);
			return;
		}
	}
	duration_add(out, ns);
}
