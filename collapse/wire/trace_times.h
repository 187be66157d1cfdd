/* trace_times: when a slice of a trace begins, and how long it is, in us as the Trace Event Format has them.
 *
 *     "ts":392774.656,"dur":884781.2710000001      ends at 1277555.927
 *
 * Viewers in JavaScript, DevTools among them, add both in double precision, and take a slice that ends later than the
 * one around it, if only by the last bit, for damaged: it is dropped.  So where the plain decimals do not add up to the
 * number that the end is, the length has more digits.  Rounded to ns, numbers up to 26 days are exact.  Above 104 days
 * doubles have no ns: decimals are plain. */
#ifndef COLLAPSE_WIRE_TRACE_TIMES_H
#define COLLAPSE_WIRE_TRACE_TIMES_H

#include <stdint.h>

#include "collapse/wire/json_stream.h"

/* Members ts and dur. */
void trace_times_add(struct json_stream *j, uint64_t start_ns, uint64_t end_ns);

#endif
