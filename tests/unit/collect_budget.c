/* What a continuous recording reduces when it costs too much, and when it increases it again. */
#include "collect/run/budget.h"

#include "tests/unit/check.h"

static void check_levels(void)
{
	CHECK(budget_levels(99, 3) == 5 && budget_rates(99) == 2 && budget_rates(49) == 1 && budget_rates(19) == 0);
	CHECK(budget_level(99, 3, 0).hz == 99 && budget_level(99, 3, 0).collectors == 3);
	CHECK(budget_level(99, 3, 1).hz == 49 && budget_level(99, 3, 1).collectors == 3);
	CHECK(budget_level(99, 3, 2).hz == 19 && budget_level(99, 3, 2).collectors == 3);
	CHECK(budget_level(99, 3, 3).hz == 19 && budget_level(99, 3, 3).collectors == 2);
	CHECK(budget_level(99, 3, 4).hz == 19 && budget_level(99, 3, 4).collectors == 1);
	CHECK(budget_levels(49, 2) == 3);
	CHECK(budget_level(49, 2, 1).hz == 19 && budget_level(49, 2, 2).collectors == 1);
	CHECK(budget_levels(19, 2) == 2);
	CHECK(budget_level(19, 2, 1).hz == 19 && budget_level(19, 2, 1).collectors == 1);
	CHECK(budget_levels(5, 1) == 1 && budget_level(5, 1, 0).hz == 5);
}

static int judge_times(struct budget *b, double share, int times)
{
	int changes = 0;

	while (times--)
		changes += budget_judge(b, share);
	return changes;
}

static void check_judging(void)
{
	struct budget b = { .limit = 0.01, .levels = 3 }, none = { .levels = 3 };

	CHECK(!judge_times(&none, 5, 10) && !none.level);
	CHECK(!judge_times(&b, 0.01, 10) && b.level == 0);
	CHECK(budget_judge(&b, 0.011) && b.level == 1);
	CHECK(budget_judge(&b, 0.5) && b.level == 2);
	CHECK(!judge_times(&b, 0.5, 5) && b.level == 2);    /* nothing is left to be left out */
	CHECK(!judge_times(&b, 0.006, 20) && b.level == 2); /* enough, but no room for more */
	CHECK(!judge_times(&b, 0.004, BUDGET_PATIENCE - 1) && budget_judge(&b, 0.004) && b.level == 1);
	CHECK(!judge_times(&b, 0.004, BUDGET_PATIENCE - 1) && !budget_judge(&b, 0.007)); /* in a row */
}

static void check_foreseeing(void)
{
	struct budget b = { .limit = 0.01, .levels = 5, .rates = 2 }, none = { .levels = 5, .rates = 2 };
	const double cheap[] = { 0, 0.008, 0.006 }, dear[] = { 0, 0.02, 0.03 }, last[] = { 0, 0.014, 0.03 };

	CHECK(!budget_foresee(&none, dear) && !none.level);
	CHECK(!budget_foresee(&b, cheap) && !b.level);
	CHECK(budget_foresee(&b, dear) && budget_level(99, 3, b.level).collectors == 1);
	CHECK(!budget_foresee(&b, dear)); /* the first is kept, and is as cheap as it can be */
	b = (struct budget){ .limit = 0.01, .levels = 5, .rates = 2 };
	CHECK(budget_foresee(&b, last) && budget_level(99, 3, b.level).collectors == 2);
	/* More was tried in vain: the next try comes later. */
	b = (struct budget){ .limit = 0.01, .levels = 5, .rates = 2, .level = 4 };
	CHECK(judge_times(&b, 0, BUDGET_PATIENCE) && b.level == 3 && b.tried);
	CHECK(budget_foresee(&b, dear) && b.level == 4 && b.patience == 2 * BUDGET_PATIENCE);
}

/* A step that was tried and cost too much is not tried again so soon. */
static void check_patience(void)
{
	struct budget b = { .limit = 0.01, .levels = 2, .level = 1 };
	int wanted = BUDGET_PATIENCE;

	for (int i = 0; i < 6; i++) {
		int windows = 1;

		while (!budget_judge(&b, 0.001))
			windows++;
		CHECK(windows == wanted && b.level == 0);
		CHECK(budget_judge(&b, 0.02) && b.level == 1);
		wanted = wanted * 2 < BUDGET_PATIENCE_MAX ? wanted * 2 : BUDGET_PATIENCE_MAX;
	}
}

/* Two seconds far above the limit are enough: two rates and three collectors, of which the first always runs. */
static void check_haste(void)
{
	static const struct row {
		double own, bpf;
		unsigned level, then;
	} rows[] = {
		{ 0.1, 0.001, 0, 1 },    /* our own work: a lower rate */
		{ 0.1, 0.001, 2, 3 },    /* ... then a collector */
		{ 0.001, 0.0155, 0, 3 }, /* programs: a collector at once */
		{ 0.001, 0.021, 1, 4 },  /* ... or two of them */
		{ 0.001, 0.5, 0, 4 },
		{ 0.001, 0.5, 3, 4 },
		{ 0.001, 0.5, 4, 4 }, /* nothing is left */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct budget b = { .limit = 0.01, .levels = 5, .rates = 2, .level = rows[i].level };

		CHECK(!budget_hurry(&b, rows[i].own, rows[i].bpf) && b.level == rows[i].level);
		CHECK(!budget_hurry(&b, 0.002, 0.012)); /* not far above it: they are no longer in a row */
		CHECK(!budget_hurry(&b, rows[i].own, rows[i].bpf) && b.level == rows[i].level);
		CHECK(budget_hurry(&b, rows[i].own, rows[i].bpf) == (rows[i].then != rows[i].level));
		CHECK(b.level == rows[i].then);
	}
}

static void check_state(void)
{
	struct budget b = { .limit = 0.01, .levels = 4, .level = 2, .calm = 1, .patience = 6, .tried = true };
	struct budget again = { .limit = 0.01, .levels = 4 }, wrong = again;
	char text[64];

	budget_format(&b, text);
	CHECK_TEXT(text, "2 1 6 1");
	budget_parse(&again, text);
	CHECK(again.level == 2 && again.calm == 1 && again.patience == 6 && again.tried);
	budget_parse(&wrong, NULL);
	budget_parse(&wrong, "");
	budget_parse(&wrong, "4 0 3 0");
	budget_parse(&wrong, "1 0 4000000000 0");
	budget_parse(&wrong, "x");
	CHECK(!wrong.level && !wrong.patience);
}

int main(void)
{
	check_levels();
	check_judging();
	check_foreseeing();
	check_patience();
	check_haste();
	check_state();
	return check_done();
}
