/* bars_text: amounts and names for human readers. */
#ifndef RENDER_BARS_TEXT_H
#define RENDER_BARS_TEXT_H

#include "core/str.h"
#include "render/bars/bars.h"

/* Append one of b's values: a duration, or a number and its unit (value_add()). */
void bars_value_add(struct str *out, const struct bars *b, uint64_t value);

/* Append the measure that is drawn: a count ("1,203 times"), or a value. */
void bars_measure_add(struct str *out, const struct bars *b, bool by_count, uint64_t value);

/* How many threads the rows from first on stand for. */
uint64_t bars_members(const struct bars *b, size_t first);

/* Append the name in the form that is shown (bars_shown_len()). */
void bars_name_add(struct str *out, const struct bars *b, uint32_t name);

/* A state's name (FOLDED_STATE_TABLE) in words, if it is not a word itself: "time slice used up" for "quantum-over";
 * NULL: the name is a word.  Lines and tables for programs keep the name, which filters and scripts know. */
const char *bars_state_word(const char *name, size_t len);

/* Is by a known thread? */
bool bars_is_thread(const struct bars *b, uint32_t by);

/* Append the name of a by so that it can follow "for": "spin-b-4712", "threads not told apart", "an idle CPU". */
void bars_by_add(struct str *out, const struct bars *b, uint32_t by);

/* Append "the CPU limit (0.2 CPUs, pod prod/shop)" for FOLDED_BY_LIMIT.  Returns false, and appends nothing, for other
 * names. */
bool bars_limit_add(struct str *out, const char *name);

/* The same, for a place beside the row called row: leaves out the process if the row has the same one, as in "dw-1" for
 * "java-8/dw-1" beside "java-8/dw-2". */
void bars_near_add(struct str *out, const struct bars *b, uint32_t by, uint32_t row);

/* Is the name shown like that of a process, without the thread ("spin-4711" for "spin-4711/spin")? */
bool bars_is_process(const struct bars *b, uint32_t name);

/* A row's name with the number of its members: "dw-* ×16". */
void bars_row_name(struct str *out, const struct bars *b, const struct bars_row *row);

static inline uint64_t bars_measure(const struct bars_amount *a, bool by_count)
{
	return by_count ? a->count : a->value;
}

#endif
