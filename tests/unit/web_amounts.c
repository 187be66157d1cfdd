/* Amounts on the page: rounding, units, and numbers from outside. */
#include "core/amount.h"
#include "tests/unit/check.h"
#include "web/amounts.h"

static struct str text;

/* What add(&text, ...) appends. */
#define AMOUNT(add, ...) (str_clear(&text), add(&text, __VA_ARGS__), str_text(&text))

static void test_bytes(void)
{
	CHECK_TEXT(AMOUNT(size_add, 0), "0 bytes");
	CHECK_TEXT(AMOUNT(size_add, 999), "999 bytes");
	CHECK_TEXT(AMOUNT(size_add, 1000), "1,000 bytes");
	CHECK_TEXT(AMOUNT(size_add, 99999), "97.7 KiB");
	CHECK_TEXT(AMOUNT(size_add, 100000), "97.7 KiB");
	CHECK_TEXT(AMOUNT(size_add, 999999), "977 KiB");
	CHECK_TEXT(AMOUNT(size_add, 4300000), "4.1 MiB");
	CHECK_TEXT(AMOUNT(size_add, 12345678901), "11.5 GiB");
	CHECK_TEXT(AMOUNT(size_add, UINT64_MAX), "16 EiB");
}

static void test_durations(void)
{
	CHECK_TEXT(AMOUNT(add_duration, 0), "0 ns");
	CHECK_TEXT(AMOUNT(add_duration, 999), "999 ns");
	CHECK_TEXT(AMOUNT(add_duration, 1500), "1.5 \xc2\xb5s");
	CHECK_TEXT(AMOUNT(add_duration, 150000000), "150 ms");
	CHECK_TEXT(AMOUNT(add_duration, 5010000000), "5.01 s");
	CHECK_TEXT(AMOUNT(add_duration, 119999999999), "120 s");
	CHECK_TEXT(AMOUNT(add_duration, 120000000000), "2 min 00 s");
	CHECK_TEXT(AMOUNT(add_duration, 7199000000000), "119 min 59 s");
	CHECK_TEXT(AMOUNT(add_duration, 7200000000000), "2 h 00 min");
}

static void test_totals(void)
{
	CHECK_TEXT(AMOUNT(add_total, "12345", "samples"), "12,345 samples");
	CHECK_TEXT(AMOUNT(add_total, "12345", NULL), "12,345 in all");
	CHECK_TEXT(AMOUNT(add_total, "23090858348", "ns"), "23.1 s");
	CHECK_TEXT(AMOUNT(add_total, "950742630", "bytes"), "907 MiB");
	CHECK_TEXT(AMOUNT(add_total, NULL, "ns"), "");
	CHECK_TEXT(AMOUNT(add_total, "many", "samples"), "");
	CHECK_TEXT(AMOUNT(add_total, "-1", "samples"), "");
}

static void test_ratios(void)
{
	static const char *const bad[] = { "",    "/",   "3",    "3/",    "/7",
					   "x/7", "3/x", "-3/7", "3/7/9", "11111111111111111111111111111111111111/7" };
	static const struct {
		const char *ratio, *wanted;
	} rows[] = {
		{ "0/7", "0 of 7 (0 %)" },
		{ "3/12348", "3 of 12,348 (0.02 %)" },
		{ "1/1000000", "1 of 1,000,000 (under 0.01 %)" },
		{ "99/10000", "99 of 10,000 (0.99 %)" },
		{ "700/9000", "700 of 9,000 (7.78 %)" },
		{ "7/7", "7 of 7 (100 %)" },
		{ "3/0", "3 of 0" }, /* no share of nothing */
		{ "18446744073709551615/18446744073709551615",
		  "18,446,744,073,709,551,615 of 18,446,744,073,709,551,615 (100 %)" },
	};
	struct ratio r;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK(!ratio_parse(&r, rows[i].ratio));
		CHECK_TEXT(AMOUNT(add_ratio, &r), rows[i].wanted);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(ratio_parse(&r, bad[i]) < 0);
	CHECK(ratio_parse(&r, NULL) < 0);
}

static void test_cpus(void)
{
	CHECK_TEXT(AMOUNT(add_cpus, 0), "0.00");
	CHECK_TEXT(AMOUNT(add_cpus, 4), "0.00");
	CHECK_TEXT(AMOUNT(add_cpus, 5), "0.01");
	CHECK_TEXT(AMOUNT(add_cpus, 1994), "1.99");
	CHECK_TEXT(AMOUNT(add_cpus, 1995), "2.00");
	CHECK_TEXT(AMOUNT(add_cpus, 64000), "64.00");
}

int main(void)
{
	test_bytes();
	test_durations();
	test_totals();
	test_ratios();
	test_cpus();
	str_free(&text);
	return check_done();
}
