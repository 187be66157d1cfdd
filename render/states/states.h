/* states: the states of the scheduler as kinds of bars (core/format/folded.h), which thread waited for which other one,
 * and the words for these facts. */
#ifndef RENDER_STATES_STATES_H
#define RENDER_STATES_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "render/bars/bars.h"
#include "render/bars/bars_style.h"
#include "render/bars/table.h"

/* The group of the states in which a thread waits for a CPU. */
#define STATES_RUNNABLE "runnable"

/* The group of what disturbs a CPU (collapse --noise). */
#define STATES_NOISE "noise"

bool states_is_state(const char *name, size_t len);
bool states_has_by(const char *name, size_t len);

/* Is text a valid sort key: a state, a group, "time", "longest" or "name"? */
bool states_is_key(const char *name);

/* The callback for bars_dress(). */
void states_dress(struct bars_kind *kind, const char *name, size_t len);

/* ---- How long each thread had the CPU while another one waited for it, and a table of these threads ---- */

/* The time for which one usurper kept one row waiting. */
struct wait {
	uint32_t row, by; /* by may be BARS_NOBODY: unknown */
	struct bars_amount amount;
};

/* The waits of all rows, summed by usurper and row, the largest first. */
struct waits {
	const struct bars *bars;
	struct wait *items; /* freed by the caller */
	size_t count;
};

struct waits waits_find(const struct bars *b);

/* Compares two waits for qsort_r(), whose argument is the bars: the largest first; equal ones by name and row. */
int waits_by_weight(const void *a, const void *b, void *bars);

enum { WAITS_TOP = 3 };

/* For one row: its total waiting time, and the usurpers that took most of it, the largest first. */
struct row_wait {
	uint64_t value;
	const struct wait *top[WAITS_TOP];
	const struct wait *thread; /* the largest wait whose usurper is a thread; NULL: none */
	size_t top_count, threads;
};

/* One for each row; the caller frees them. */
struct row_wait *waits_sum_rows(const struct waits *w);

/* Make the table of the threads that had the CPU while others waited, with those others. */
void states_contenders(struct bars_table *t, const struct bars *b);

/* ---- The sentences of a chart of states: which threads wait, and for which others ---- */

struct states_words { /* {0} is empty */
	/* "spin-a-4711 waited 49.8% of 10 s for a CPU, 99.1% of it for spin-b-4712." */
	struct str headline;
	struct str *notes; /* by row: "4.98 s: 99% spin-b-4712" */
	struct str others; /* "2.1% of the waiting could not be ..."; empty if all waiting was attributed */
	bool others_alarm; /* that share is large, so that it is shown as a warning */
};

/* b: with its rows sorted and its kinds dressed. */
void states_words_make(struct states_words *w, const struct bars *b);
void states_words_free(struct states_words *w, size_t row_count);

/* Are there only waits for a CPU (collapse --wakeup)?  Call this when kinds are dressed. */
bool states_only_waits(const struct bars *b);

/* The plural of what a row is: "threads" if rows are threads. */
const char *states_many(const struct bars *b);

/* Append for a tooltip: "spin-b-4712 had the CPU". */
void states_tell_by(struct str *out, const struct bars *b, uint32_t by);

#endif
