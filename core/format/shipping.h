/* shipping: what pyrograph watch and pyrograph ship agree on. */
#ifndef CORE_FORMAT_SHIPPING_H
#define CORE_FORMAT_SHIPPING_H

#include <stdbool.h>
#include <string.h>

/* Exit status of pyrograph-ship --by-watch: neither the store nor the spool could take it, but later they may.  1: the
 * recording cannot be sent, or some of it, or what waited longest had no room in the spool. */
enum { SHIPPING_LATER = 3 };

/* Pyroscope and OTLP have no batches that could wait. */
static inline bool shipping_has_spool(const char *address)
{
	return !strncmp(address, "http", 4) || !strncmp(address, "clickhouse", 10);
}

#endif
