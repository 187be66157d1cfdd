/* metadata: reads the facts in a picture (core/format/picture.h). */
#ifndef WEB_METADATA_H
#define WEB_METADATA_H

#include <stddef.h>

#include "core/arena.h"

enum fact {
	FACT_KIND,
	FACT_TITLE,
	FACT_UNIT,
	FACT_TOTAL,
	FACT_THREAD,
	FACT_HOST,
	FACT_EVENT,
	FACT_START,
	FACT_END,
	FACT_RATE,
	FACT_KERNEL,
	FACT_COMMAND,
	FACT_FILTER,
	FACT_PODS,
	FACT_CONTAINERS,
	FACT_UNITS,
	FACT_LOST,
	FACT_LOSSES,
	FACT_UNRESOLVED,
	FACT_LONGEST,
	FACT_IDLE,
	FACT_HEADLINE,
	FACT_PLOT,
	FACT_COUNT
};

struct picture_metadata {              /* {0} is empty */
	const char *facts[FACT_COUNT]; /* UTF-8 as found, NULL when missing */
};

enum metadata_found {
	METADATA_NONE, /* not a picture of ours */
	METADATA_READ,
	METADATA_BROKEN, /* cut short, or not a flat JSON object; m is empty */
};

/* Read the metadata from the first bytes of a picture.  The facts live in text. */
enum metadata_found metadata_read(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len);

#endif
