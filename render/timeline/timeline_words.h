/* timeline_words: sentences about a timeline's rows. */
#ifndef RENDER_TIMELINE_WORDS_H
#define RENDER_TIMELINE_WORDS_H

#include "core/str.h"
#include "render/timeline/timeline.h"

/* Append the name of a row of an arranged timeline, as it is shown. */
void timeline_row_name(const struct timeline *t, const struct timeline_row *row, struct str *out);

/* Append "49.80% Â· 123 moves" of the window, "31.00% waiting Â· 60.20% running" of states. */
void timeline_row_note(const struct timeline *t, const struct timeline_row *row, struct str *out);

/* Append the name of the thread that had the CPU while another waited, or "an idle CPU". */
void timeline_by_add(struct str *out, const struct timeline *t, uint32_t by);

/* Append "3 threads waited 202 ms; cache-refresher ran rebuild_index"; brief: without the function; short: "3 waited
 * 202 ms". */
enum timeline_stall_words { STALL_WHOLE, STALL_BRIEF, STALL_SHORT };
void timeline_stall_add(struct str *out, const struct timeline *t, const struct timeline_stall *stall,
			enum timeline_stall_words how);

/* Append a sentence: what stands out. */
void timeline_sum_up(const struct timeline *t, struct str *out);

#endif
