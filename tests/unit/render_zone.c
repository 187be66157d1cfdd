/* Time zones of heat maps. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/wallclock.h"
#include "render/heat/zone.h"
#include "tests/unit/check.h"

#define SEC NS_PER_SEC
#define NOON (1795262400 * SEC) /* 2026-11-21T12:00:00Z */

static const char *clock_in(const struct zone *z, uint64_t ns, int digits)
{
	static struct str text;

	str_clear(&text);
	zone_date_add(&text, z, ns);
	str_addc(&text, ' ');
	zone_clock_add(&text, z, ns, digits);
	return text.buf;
}

static void test_offsets(void)
{
	struct zone z;

	CHECK(zone_find(&z, "UTC", NOON, NOON) && z.offset_ns == 0 && !z.changes);
	CHECK_TEXT(z.label, "UTC");
	CHECK_TEXT(clock_in(&z, NOON + 2014325678, 9), "2026-11-21 12:00:02.014325678");
	CHECK_TEXT(clock_in(&z, NOON + 2014325678, 3), "2026-11-21 12:00:02.014");
	CHECK_TEXT(clock_in(&z, NOON, 0), "2026-11-21 12:00:00");
	CHECK_TEXT(clock_in(&z, NOON, -1), "2026-11-21 12:00");
	CHECK(zone_find(&z, "+05:30", NOON, NOON) && z.offset_ns == 19800 * (int64_t)SEC);
	CHECK_TEXT(z.label, "UTC+05:30");
	CHECK_TEXT(clock_in(&z, NOON, -1), "2026-11-21 17:30");
	CHECK(zone_find(&z, "-0800", NOON, NOON) && z.offset_ns == -28800 * (int64_t)SEC);
	CHECK_TEXT(z.label, "UTC-08:00");
	CHECK(zone_find(&z, "+2", NOON, NOON) && z.offset_ns == 7200 * (int64_t)SEC);
	CHECK(zone_find(&z, "-14", 0, 0) && !strcmp(clock_in(&z, SEC, -1), "1970-01-01 00:00")); /* no time before it */
}

static void test_no_zones(void)
{
	static const char *const none[] = {
		"",
		"Nowhere",
		"../../../etc/passwd",
		"Europe/../../../../etc/passwd",
		"/etc/localtime",
		":UTC",
		"CET-1CEST",
		"Europe",
		"+15:00",
		"+1:75",
		"+",
		"+x",
		"+05:30x",
		"utc ",
		"A/B\nC",
		"Europe/Berlinnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
	};
	struct zone z;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (zone_find(&z, none[i], NOON, NOON))
			printf("# '%s' is taken for a zone\n", none[i]);
		CHECK(!zone_find(&z, none[i], NOON, NOON));
	}
}

static void test_database(void)
{
	struct zone z;

	if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK)) {
		printf("ok - zones of the database # SKIP there is none\n");
		return;
	}
	CHECK(zone_find(&z, "Europe/Berlin", NOON, NOON + SEC) && z.offset_ns == 3600 * (int64_t)SEC && !z.changes);
	CHECK_TEXT(z.label, "CET");
	CHECK_TEXT(clock_in(&z, NOON, 0), "2026-11-21 13:00:00");
	/* 2026-10-25, 01:00 UTC: the end of summer time. */
	CHECK(zone_find(&z, "Europe/Berlin", 1792886400 * SEC, 1792892000 * SEC) && z.changes);
	CHECK_TEXT(z.label, "CEST");
	CHECK(zone_find(&z, "America/New_York", NOON, NOON) && z.offset_ns == -18000 * (int64_t)SEC);
	CHECK(zone_find(&z, "Asia/Dubai", NOON, NOON)); /* its short name is digits */
	CHECK_TEXT(z.label, "UTC+04:00");
	/* The program's own zone is as before. */
	CHECK_TEXT(getenv("TZ"), "UTC0");
	CHECK(localtime(&(time_t){ 0 })->tm_hour == 0);
	setenv("TZ", "Europe/Berlin", 1);
	CHECK(zone_find(&z, "local", NOON, NOON) && z.offset_ns == 3600 * (int64_t)SEC);
	CHECK_TEXT(z.name, "local");
}

int main(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	test_offsets();
	test_no_zones();
	test_database();
	return check_done();
}
