#include "collect/run/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static const int64_t rates[] = { 49, 19 };

enum { RATES = sizeof(rates) / sizeof(*rates) };

/* This much of the budget must have been left over before more is done. */
static const double room = 0.5;

/* Above this many times the budget, the level changes before the end of the window. */
static const double far = 1.5;

enum { OVER_MOST = 2 };

unsigned budget_rates(int64_t hz)
{
	unsigned count = 0;

	for (unsigned i = 0; i < RATES; i++)
		count += rates[i] < hz;
	return count;
}

unsigned budget_levels(int64_t hz, size_t collectors)
{
	return budget_rates(hz) + (unsigned)collectors;
}

struct budget_level budget_level(int64_t hz, size_t collectors, unsigned level)
{
	unsigned lower = budget_rates(hz);

	if (level <= lower)
		return (struct budget_level){ level ? rates[RATES - lower + level - 1] : hz, collectors };
	return (struct budget_level){ lower ? rates[RATES - 1] : hz, collectors - (level - lower) };
}

static bool budget_change(struct budget *b, unsigned level, bool more)
{
	b->level = level;
	b->tried = more;
	b->calm = 0;
	return true;
}

/* If doing more was tried and was too much, wait longer until the next try. */
static bool lower(struct budget *b, unsigned level)
{
	b->calm = b->over = 0;
	if (b->level + 1 >= b->levels)
		return false;
	if (b->tried && b->patience < BUDGET_PATIENCE_MAX)
		b->patience *= 2;
	return budget_change(b, level < b->levels ? level : b->levels - 1, false);
}

/* If BPF programs alone exceed the budget, lower rates do not help.  All collectors are taken to cost the same. */
static unsigned level_of_haste(const struct budget *b, double bpf)
{
	unsigned from = b->level > b->rates ? b->level : b->rates, drop;

	if (bpf <= b->limit)
		return b->level + 1;
	drop = (unsigned)((1 - b->limit / bpf) * (b->levels - 1 - from) + 0.999);
	return from + (drop ? drop : 1);
}

bool budget_hurry(struct budget *b, double own, double bpf)
{
	if (!b->limit || own + bpf <= far * b->limit) {
		b->over = 0;
		return false;
	}
	if (++b->over < OVER_MOST)
		return false;
	if (!b->patience)
		b->patience = BUDGET_PATIENCE;
	return lower(b, level_of_haste(b, bpf));
}

static double budget_sum(const struct budget *b, const double *shares, unsigned level)
{
	size_t collectors = b->levels - (level > b->rates ? level : b->rates);
	double sum = 0;

	for (size_t i = 0; i < collectors; i++)
		sum += shares[i];
	return sum;
}

bool budget_foresee(struct budget *b, const double *shares)
{
	unsigned level = b->level;

	while (b->limit && level + 1 < b->levels && budget_sum(b, shares, level) > far * b->limit)
		level++;
	if (level == b->level)
		return false;
	if (!b->patience)
		b->patience = BUDGET_PATIENCE;
	return lower(b, level);
}

bool budget_judge(struct budget *b, double share)
{
	if (!b->patience)
		b->patience = BUDGET_PATIENCE;
	if (!b->limit)
		return false;
	if (share > b->limit)
		return lower(b, b->level + 1);
	if (!b->level || share > b->limit * room) {
		b->calm = 0;
		return false;
	}
	return ++b->calm >= b->patience ? budget_change(b, b->level - 1, true) : false;
}

double budget_read(const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	if (!strcmp(text, "none"))
		return 0;
	if (end == text || (*end && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 1000))
		die_usage("--budget is in percent of one CPU, such as 1%%, or none, not '%s'", text);
	return percent / 100;
}

void budget_format(const struct budget *b, char text[64])
{
	snprintf(text, 64, "%u %u %u %d", b->level, b->calm, b->patience, b->tried);
}

void budget_parse(struct budget *b, const char *text)
{
	unsigned level, calm, patience;
	int tried;

	if (!text || sscanf(text, "%u %u %u %d", &level, &calm, &patience, &tried) != 4 || level >= b->levels ||
	    patience > BUDGET_PATIENCE_MAX)
		return;
	b->level = level;
	b->calm = calm;
	b->patience = patience;
	b->tried = tried;
}
