/* shipment: recordings, and a spool, on their way to a store. */
#ifndef SHIP_SHIPMENT_H
#define SHIP_SHIPMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/opts.h"
#include "ship/spool.h"
#include "ship/store.h"

struct shipment {
	/* As the user asked: */
	const char *to, *service, *host, *spool_path;
	struct text_list events;
	uint64_t spool_max; /* UINT64_MAX: not given */
	bool is_text, create;
	bool retry;    /* also send parcels in the spool that were refused before */
	bool by_watch; /* no summaries; report `later`; a recording may have nothing to send */
	bool check;    /* do nothing: only wrong usage is told */
	struct http_access access;
	struct schema_choice schema;
	const char **inputs; /* [input_count] */
	size_t input_count;

	/* How it goes: */
	struct store store;
	struct spool spool;
	bool later;   /* what could not be sent may be sent later */
	bool away;    /* the store is away, or refuses: further parcels go to the spool */
	bool refused; /* ... so that somebody must mend it, which was reported */
	uint64_t sent_batches, sent_samples, known_batches, known_samples, spooled_batches, spooled_samples;
};

/* Ship everything.  Returns 0, or -1 after a message: some data are neither in the store nor in the spool. */
int shipment_run(struct shipment *s);

#endif
