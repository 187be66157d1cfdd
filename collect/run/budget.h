/* budget: decides how much work a continuous recording (windows.h) does, so that it stays within its budget.
 *
 * Level 0 is everything that was asked for; each level above it does less: first a lower rate, then fewer
 * collectors.  It is raised within seconds when much too much is used, else at the end of a window. */
#ifndef COLLECT_RUN_BUDGET_H
#define COLLECT_RUN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget {
	double limit; /* share of one CPU; 0: none */
	unsigned level, levels;
	unsigned rates;    /* the first level above this one has fewer collectors */
	unsigned over;     /* seconds in a row that were far above the limit */
	unsigned calm;     /* windows in a row that left room for more */
	unsigned patience; /* how many such windows it takes before more is done */
	bool tried;        /* the last change was to do more */
};

enum { BUDGET_PATIENCE = 3, BUDGET_PATIENCE_MAX = 48 };

/* A window has used this share of one CPU.  Changes the level by one at most, and returns whether it did. */
bool budget_judge(struct budget *b, double share);

/* The last second has used these shares of one CPU, outside of BPF programs and inside.  If two seconds in a row were
 * far above the limit, raises the level, and returns true: by as many collectors as the share of their programs
 * demands, otherwise by one. */
bool budget_hurry(struct budget *b, double own, double bpf);

/* The collectors are expected to cost these shares of one CPU.  If that is far above the limit, raises the level to the
 * first one that is not, or to the last, and returns true. */
bool budget_foresee(struct budget *b, const double *shares);

/* What a level does: the rate, and how many of the collectors run, beginning with the first. */
struct budget_level {
	int64_t hz;
	size_t collectors;
};

/* How many rates there are below the given one. */
unsigned budget_rates(int64_t hz);

/* How many levels there are for the given rate and collectors. */
unsigned budget_levels(int64_t hz, size_t collectors);

/* 0 is what was asked for. */
struct budget_level budget_level(int64_t hz, size_t collectors, unsigned level);

/* "1%", "0.5": percent of one CPU, as a share; "none", "0": 0.  Wrong usage exits 2. */
double budget_read(const char *text);

/* The state, so that it survives an exec: "LEVEL CALM PATIENCE TRIED". */
void budget_format(const struct budget *b, char text[64]);

/* Take a state; a wrong one changes nothing. */
void budget_parse(struct budget *b, const char *text);

#endif
