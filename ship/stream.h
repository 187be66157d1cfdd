/* stream: samples as text (core/format/samples.h), made into parcels. */
#ifndef SHIP_STREAM_H
#define SHIP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lines.h"
#include "ship/batch.h"

struct stream {
	struct lines *in;
	const char *path;           /* for messages */
	const char *host, *service; /* host: NULL: the recording's */
	unsigned number;            /* of the event in its recording */
	const char *event;          /* NULL: the header's */
	/* Receives a parcel; returns whether the store has the parcel's definitions.  Sets *failed to end the
	 * stream. */
	bool (*send)(void *argument, const struct parcel *p, bool *failed);
	void *argument;
	uint64_t samples, wrong, untimed; /* counted */
};

/* Read the stream to its end.  Wrong lines are reported, skipped and counted.  Returns 0, or -1 after a message. */
int stream_run(struct stream *s);

#endif
