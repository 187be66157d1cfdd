/* heat_doubts: warnings about lines that, by their headers, are not what a heat map assumes: they are sums over
 * a second instead of events, or spans that had not ended. */
#ifndef RENDER_HEAT_DOUBTS_H
#define RENDER_HEAT_DOUBTS_H

#include "core/str.h"
#include "render/heat/heat.h"

/* If some lines are sums, append "569 of 569 lines are sums of about 1 s"; returns whether there
 * are any. */
bool heat_sums_add(struct str *out, const struct heat *h);

/* What of "pyrograph collect" records the same as single spans: "sched --events". */
const char *heat_singly(const struct heat *h);

/* Append "569 of 569 lines are sums of about 1 s, drawn at the time of counting: ..."; nothing if there are no
 * sums. */
void heat_doubt_sums(struct str *out, const struct heat *h);

/* Append "Waits under 1 ms are not drawn: 3.4 s in 12,345 waits"; nothing if there are none. */
void heat_doubt_short(struct str *out, const struct heat *h);

/* Is a part of the time or the events so large (1%) that its line is red? */
bool heat_is_much(uint64_t part, uint64_t whole);

/* What spans are: "waits", or "spans" if they may be of other kinds too. */
const char *heat_spans_word(const struct heat *h);

/* Append "28 waits were unfinished: true durations and percentiles are higher"; nothing if all had ended, or if
 * lines are sums.  of_values: the picture shows lengths of spans.  Returns how many were unfinished. */
uint64_t heat_doubt_open(struct str *out, const struct heat *h, bool of_values);

#endif
