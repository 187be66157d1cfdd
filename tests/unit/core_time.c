/* Times and numbers as people write them. */
#include <stdlib.h>
#include <time.h>

#include "core/amount.h"
#include "core/opts.h"
#include "core/wallclock.h"
#include "tests/unit/check.h"

static void test_durations(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = { { "5", 5000000000 }, { "20ms", 20000000 },   { "1.5s", 1500000000 }, { "7ns", 7 },
		     { "100us", 100000 }, { "2m", 120000000000 }, { "1h", 3600000000000 } };
	static const char *const bad[] = { "", "x", "-1", "5 s", "5x", "1e999", "ms", " 5" };
	uint64_t ns;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK(parse_duration(rows[i].text, &ns) && ns == rows[i].ns);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!parse_duration(bad[i], &ns));
	CHECK(parse_u64("18446744073709551615", &ns) && ns == UINT64_MAX);
	CHECK(!parse_u64("18446744073709551616", &ns) && !parse_u64("-1", &ns) && !parse_u64("7x", &ns));
}

static void test_seconds(void)
{
	struct str text = { 0 };

	wallclock_add_seconds(&text, 0);
	str_addc(&text, ' ');
	wallclock_add_seconds(&text, 1795342502014325678u);
	str_addc(&text, ' ');
	wallclock_add_seconds(&text, UINT64_MAX);
	CHECK_TEXT(text.buf, "0.000000000 1795342502.014325678 18446744073.709551615");
	str_free(&text);
}

/* A recording of 10 s from 2026-11-21T10:15:00Z on. */
#define START_NS 1795256100000000000u
#define END_NS (START_NS + 10 * NS_PER_SEC)

static void test_instants(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{ "2026-11-21T10:15:02Z", START_NS + 2000000000 },
		{ "2026-11-21 10:15:02.014325678Z", START_NS + 2014325678 },
		{ "2026-11-21T11:15:02+01:00", START_NS + 2000000000 },
		{ "2026-11-21T10:15:02", START_NS + 2000000000 }, /* local: UTC in this test */
		{ "10:15:02.5", START_NS + 2500000000 },
		{ "10:16", START_NS + 60 * NS_PER_SEC },
		{ "2026-11-21T10:16", START_NS + 60 * NS_PER_SEC },
		{ "2026-11-21T10:16Z", START_NS + 60 * NS_PER_SEC },
		{ "2026-11-21 11:16+01:00", START_NS + 60 * NS_PER_SEC },
		{ "1795256101.25", START_NS + 1250000000 },
		{ "@1795256101.25", START_NS + 1250000000 },
		{ "2.5", START_NS + 2500000000 },
		{ "+1500ms", START_NS + 1500000000 },
		{ "-3s", START_NS + 7000000000 },
	};
	static const char *const bad[] = { "",
					   "noon",
					   "25",
					   "2026-11-21",
					   "10:",
					   "10:15:",
					   "10:15:02:1",
					   "10:60",
					   "25:00",
					   "10:15x",
					   "10.5:15",
					   "2026-11-21T10",
					   "2026-11-21T10:15:02X" };
	struct instant when;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK(instant_parse(rows[i].text, &when));
		CHECK(instant_resolve(&when, START_NS, END_NS) == rows[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (i != 2) /* "25" is 25 s after the start */
			CHECK(!instant_parse(bad[i], &when));
	}
}

static void test_writing(void)
{
	struct str s = { 0 };

	wallclock_add(&s, START_NS + 14325678);
	CHECK_TEXT(s.buf, "2026-11-21T10:15:00.014325678Z");
	str_free(&s);
}

/* tests/browser/model_picture.js has the same. */
static void test_lengths(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0 ns" },
		{ 981, "981 ns" },
		{ 999, "999 ns" },
		{ 1000, "1 \xc2\xb5s" },
		{ 1001, "1 \xc2\xb5s" },
		{ 12300, "12.3 \xc2\xb5s" },
		{ 12345, "12.3 \xc2\xb5s" },
		{ 99995, "100 \xc2\xb5s" },
		{ 999499, "999 \xc2\xb5s" },
		{ 999500, "1 ms" },
		{ 12344999, "12.3 ms" },
		{ 144200000, "144 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1 s" },
		{ 1000500000, "1 s" },
		{ 9999499999, "10 s" },
		{ 9999500000, "10 s" },
		{ 23090858348, "23.1 s" },
		{ 99994999999, "100 s" },
		{ 99995000000, "100 s" },
		{ 999949999999, "1,000 s" },
		{ 999950000000, "1,000 s" },
		{ 23090858348000, "23,091 s" },
		{ UINT64_MAX, "18,446,744,074 s" },
	};
	struct str text = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		str_clear(&text);
		duration_add(&text, rows[i].ns);
		CHECK_TEXT(text.buf, rows[i].text);
	}
	str_clear(&text);
	number_add(&text, 0);
	str_addc(&text, ' ');
	number_add(&text, 999);
	str_addc(&text, ' ');
	number_add(&text, 1000);
	str_addc(&text, ' ');
	number_add(&text, UINT64_MAX);
	CHECK_TEXT(text.buf, "0 999 1,000 18,446,744,073,709,551,615");
	str_free(&text);
}

/* tests/browser/model_picture.js has the same. */
static void test_sizes(void)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 bytes" },           { 1023, "1,023 bytes" },    { 1024, "1 KiB" },
		{ 1025, "1 KiB" },      { 1536, "1.5 KiB" },        { 10289, "10 KiB" },
		{ 1048063, "1,023 KiB" },   { 1048064, "1 MiB" },       { 536837280, "512 MiB" },
		{ 1099511627776, "1 TiB" }, { 3298534883329, "3 TiB" }, { UINT64_MAX, "16 EiB" },
	};
	struct str text = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		str_clear(&text);
		size_add(&text, rows[i].bytes);
		CHECK_TEXT(text.buf, rows[i].text);
		CHECK_TEXT(size_text(rows[i].bytes).text, rows[i].text);
	}
	str_free(&text);
}

static void test_percentages(void)
{
	static const struct {
		uint64_t part, whole;
		const char *text;
	} rows[] = {
		{ 0, 7, "0 %" },
		{ 0, 0, "0 %" },
		{ 1, 3, "33.3 %" },
		{ 2, 3, "66.7 %" },
		{ 913628, 1000000, "91.4 %" },
		{ 1, 80, "1.25 %" },
		{ 9994, 100000, "9.99 %" },
		{ 9995, 100000, "10 %" },
		{ 1, 2, "50 %" },
		{ 1, 1000000, "under 0.01 %" },
		{ 999, 1000, "99.9 %" },
		{ 9999, 10000, "over 99.9 %" },
		{ 5, 5, "100 %" },
		{ 3, 2, "150 %" },
		{ UINT64_MAX, UINT64_MAX, "100 %" },
	};
	struct str text = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		str_clear(&text);
		percentage_add(&text, rows[i].part, rows[i].whole);
		CHECK_TEXT(text.buf, rows[i].text);
		CHECK_TEXT(percentage_text(rows[i].part, rows[i].whole).text, rows[i].text);
	}
	CHECK_TEXT(duration_text(6023539000).text, "6.02 s");
	str_free(&text);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	test_durations();
	test_seconds();
	test_instants();
	test_writing();
	test_lengths();
	test_sizes();
	test_percentages();
	return check_done();
}
