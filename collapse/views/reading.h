/* reading: an open recording, and what was chosen from it, as the source of lines and views. */
#ifndef COLLAPSE_VIEWS_READING_H
#define COLLAPSE_VIEWS_READING_H

#include <stdbool.h>

#include "collapse/fold/gather.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/frames/names.h"
#include "collapse/input/input.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/sideband.h"
#include "collapse/roots/windows.h"
#include "collapse/sched/derived.h"
#include "core/error.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/live.h"
#include "core/symbols/space/places.h"

/* {0} is valid and empty.  Members are in the order in which they are set. */
struct reading {
	const struct name_style *style; /* how frames are named */
	const char *between;            /* --between; NULL: not given */
	struct perfdata data;           /* of text, only the path */
	struct recorded_symbols recorded;
	struct live live;
	struct sideband sideband;
	struct clock clock;    /* converts the recording's times to wall-clock time */
	struct str elsewhere;  /* why names cannot be looked up on this machine; empty: they can be */
	struct jit_files jit;  /* dumps of JIT-compiled code, if the recording has no names */
	places_source *source; /* where names are looked up: in the recording, or on this machine */
	void *source_argument;
	struct recorded_event *event; /* the only one used; NULL: all */
	bool may_be_nothing;          /* --if-any: finding nothing to read is no error */
	bool nothing;                 /* set after a failure, if the wanted data was recorded, but none is left */
	struct windows windows;       /* {0}: no windows were recorded, or they do not limit what is read */
	struct user_stacks user_stacks;
	struct gather gather;
	struct names names;
};

/* Open the recording that begins in `in`, which is closed, and read everything but samples.  looks_up: names are
 * wanted.  Returns 0, or -1 after a message. */
int reading_open(struct reading *r, struct input_stream *in, bool looks_up);

/* Nothing of what was asked for is there: an error, unless --if-any was given.  Returns -1. */
int reading_nothing(const struct reading *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Choose where names are looked up, and which times are wall-clock times. */
void reading_find_source(struct reading *r);

/* Pass to sink all samples that a history is made of (collapse/cause/history.h): samples of our events, and those
 * derived from the scheduler's tracepoints, but not samples of the tracepoints themselves.  Returns 0, or -1 after a
 * message. */
int reading_history(struct reading *r, derived_sink *sink, void *argument);

/* Look up the names of all stacks that were gathered; r->names then has them. */
void reading_resolve(struct reading *r);

void reading_free(struct reading *r);

#endif
