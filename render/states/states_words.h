/* states_words: what a chart of states says in words: who waits, and for whom. */
#ifndef RENDER_STATES_STATES_WORDS_H
#define RENDER_STATES_STATES_WORDS_H

#include "render/bars/bars_style.h"
#include "render/bars/table.h"

struct states_words { /* {0} is empty */
	/* "spin-a-4711 waited 49.8% of 10 s for a CPU, 99.1% of it for spin-b-4712." */
	struct str headline;
	struct str *notes; /* by row: "4.98 s: 99% spin-b-4712" */
	struct str others; /* "2.1% of the waiting could not be ..."; empty: all of it could */
	bool others_alarm; /* ... and that is much */
};

/* The rows are sorted, the kinds dressed. */
void states_words_make(struct states_words *w, const struct bars *b);
void states_words_free(struct states_words *w, size_t row_count);

/* Who had the CPU while others waited, and who these were. */
void states_contenders(struct bars_table *t, const struct bars *b);

/* Is there nothing but waits for a CPU (collapse --wakeup)?  Kinds are dressed. */
bool states_only_waits(const struct bars *b);

/* What is in the rows: "threads", if they are. */
const char *states_many(const struct bars *b);

/* For tooltips: "spin-b-4712 had the CPU". */
void states_tell_by(struct str *out, const struct bars *b, uint32_t by);

#endif
