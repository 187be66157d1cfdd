/* shipping: what pyrograph ship, watch --ship and collapse agree on. */
#ifndef CORE_FORMAT_SHIPPING_H
#define CORE_FORMAT_SHIPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Exit status of pyrograph-ship --by-watch: neither the store nor the spool could take the recording, but they may
 * later.  Status 1: the recording cannot be sent completely, or the spool dropped its oldest parcels for lack of
 * room. */
enum { SHIPPING_LATER = 3 };

/* The suffix of the empty file beside a recording of watch that has not been sent yet.  For Pyroscope and OTLP,
 * pyrograph-ship --by-watch notes in it which events have been sent (ship/main.c). */
#define SHIPPING_MARK ".unshipped"

/* Whose server it is. */
enum shipping_kind { SHIPPING_CLICKHOUSE, SHIPPING_PYROSCOPE, SHIPPING_OTLP };

/* The beginning of an address, and what its URL begins with instead. */
struct shipping_scheme {
	const char *begins, *url;
	enum shipping_kind kind;
	bool readable; /* collapse can read it in place of a recording */
};

/* For help: forms of an address, after the column of options. */
#define SHIPPING_FORMS                                  \
	"http[s]://host:port/database of ClickHouse;\n" \
	"                            pyroscope+http[s]://..., otlp+http[s]://..."

/* For messages: what to try. */
#define SHIPPING_EXAMPLES "http://host:8123/database, pyroscope+http://host:4040 or otlp+http://host:4318"

/* NULL: it is not an address. */
static inline const struct shipping_scheme *shipping_scheme_of(const char *address)
{
	static const struct shipping_scheme schemes[] = {
		{ "http://", "http://", SHIPPING_CLICKHOUSE, false },
		{ "https://", "https://", SHIPPING_CLICKHOUSE, false },
		{ "clickhouse://", "http://", SHIPPING_CLICKHOUSE, true },
		{ "clickhouses://", "https://", SHIPPING_CLICKHOUSE, true },
		{ "pyroscope+http://", "http://", SHIPPING_PYROSCOPE, false },
		{ "pyroscope+https://", "https://", SHIPPING_PYROSCOPE, false },
		{ "otlp+http://", "http://", SHIPPING_OTLP, false },
		{ "otlp+https://", "https://", SHIPPING_OTLP, false },
	};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		if (!strncmp(address, schemes[i].begins, strlen(schemes[i].begins)))
			return &schemes[i];
	}
	return NULL;
}

/* Pyroscope and OTLP do not get batches, which could wait in a spool. */
static inline bool shipping_has_spool(const char *address)
{
	const struct shipping_scheme *scheme = shipping_scheme_of(address);

	return scheme && scheme->kind == SHIPPING_CLICKHOUSE;
}

#endif
