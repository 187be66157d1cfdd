/* states_words: the sentences of a chart of states: which threads wait, and for which others. */
#ifndef RENDER_STATES_STATES_WORDS_H
#define RENDER_STATES_STATES_WORDS_H

#include "render/bars/bars_style.h"

struct states_words { /* {0} is empty */
	/* "spin-a-4711 waited 49.8% of 10 s for a CPU, 99.1% of it for spin-b-4712." */
	struct str headline;
	struct str *notes; /* by row: "4.98 s: 99% spin-b-4712" */
	struct str others; /* "2.1% of the waiting could not be ..."; empty: all waiting was attributed */
	bool others_alarm; /* that share is large: shown as a warning */
};

/* b: with its rows sorted and its kinds dressed. */
void states_words_make(struct states_words *w, const struct bars *b);
void states_words_free(struct states_words *w, size_t row_count);

/* Are there only waits for a CPU (collapse --wakeup)?  Kinds must be dressed. */
bool states_only_waits(const struct bars *b);

/* The plural for what the rows are: "threads", if they are threads. */
const char *states_many(const struct bars *b);

/* Append for a tooltip: "spin-b-4712 had the CPU". */
void states_tell_by(struct str *out, const struct bars *b, uint32_t by);

#endif
