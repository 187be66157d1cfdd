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

uint64_t heat_unit_ns(const char *unit)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", NS_PER_SEC },
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

/* Has it characters that turn the direction of what follows?  U+200E.., U+202A..2E, U+2066..9, U+061C. */
static bool turns(const char *name)
{
	for (const char *at = name; (at = strpbrk(at, "\xe2\xd8")); at++) {
		unsigned char last = at[1] ? (unsigned char)at[2] : 0;

		if (!memcmp(at, "\xd8\x9c", at[1] ? 2 : 1) || (!strncmp(at, "\xe2\x80", 2) &&
		    (last == 0x8e || last == 0x8f || (last >= 0xaa && last <= 0xae))) ||
		    (!strncmp(at, "\xe2\x81", 2) && last >= 0xa6 && last <= 0xa9))
			return true;
	}
	return false;
}

void heat_name_add(struct str *out, const char *name)
{
	bool isolated = turns(name);

	str_puts(out, isolated ? "\xe2\x81\xa8" : ""); /* first strong isolate */
	str_puts(out, name);
	str_puts(out, isolated ? "\xe2\x81\xa9" : ""); /* ... popped */
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
