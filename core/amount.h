/* amount: counts, lengths of time and sizes for people, the same in every message, picture and page. */
#ifndef CORE_AMOUNT_H
#define CORE_AMOUNT_H

#include <stdint.h>

#include "core/str.h"

/* Append 1234567 as "1,234,567". */
void number_add(struct str *out, uint64_t n);

/* Append ns as "23.1 s", "144 ms", "12.4 µs", "4 ms", "981 ns", "23,090 s": three
 * significant digits, or all those before the point, rounded half up. */
void duration_add(struct str *out, uint64_t ns);

/* Append value / parts likewise: "91.4", "1,234". */
void quantity_add(struct str *out, uint64_t value, uint64_t parts);

/* Append part / whole as "91.4 %", "1.25 %", "50 %", "under 0.01 %": three digits, at most two of them decimals. */
void percentage_add(struct str *out, uint64_t part, uint64_t whole);

/* Append bytes as "512 bytes", "17.3 MiB", in the same way as times. */
void size_add(struct str *out, uint64_t bytes);

/* The same for messages, "%s": size_text(bytes).text lives until its call returns. */
struct amount_text {
	char text[24];
};
struct amount_text size_text(uint64_t bytes);
struct amount_text duration_text(uint64_t ns);
struct amount_text percentage_text(uint64_t part, uint64_t whole);

#endif
