/* Counts, values and times as text in a heat map's picture. */
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

uint64_t heat_unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", NS_PER_SEC },
	};

	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	}
	return 0;
}

struct unit heat_unit(const struct heat_style *style, const struct heat *h)
{
	uint64_t ns = heat_unit_ns(style->unit);

	if (ns)
		return (struct unit){ "ns", h->decimals, (double)ns };
	return (struct unit){ style->unit ? style->unit : "", h->decimals, 1 };
}

void heat_value_add(struct str *out, const struct heat_plan *p, uint64_t value)
{
	struct unit unit = heat_unit(p->style, p->chart->heat);

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
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = {
		{ 86400 * NS_PER_SEC, "d" },
		{ 3600 * NS_PER_SEC, "h" },
		{ 60 * NS_PER_SEC, "min" },
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
