/* presets: ways to show an event, --states, --offcpu, ...: one name for several options.  To add one: a row in presets.c. */
#ifndef COLLAPSE_PRESETS_H
#define COLLAPSE_PRESETS_H

#include <stdbool.h>

#include "collapse/perfdata/perfdata.h"
#include "core/str.h"

enum { PRESETS_MAX = 32 };

struct preset {
	const char *name; /* "states": --states */
	const char *help; /* as in struct opt */
	const char *event;
	const char *missing;   /* for messages: what a file without the event lacks */
	const char *root;      /* the frames at the root ... */
	const char *heat_root; /* ... and with --heat */
	bool own_root;         /* append root to the roots of --root, too */
	bool no_stack;
	const char *state, *columns; /* NULL: all states; the event's own columns */
	bool no_idle;                /* leave out the idle threads */
	bool timeline;               /* everything that a thread did, over time (collapse/views/timeline.h) */
	bool wall;                   /* everything that a thread did, by stack (collapse/views/wall.h) */
};

/* The presets of an event are in order of preference; the first one is its default. */
extern const struct preset presets[]; /* ended by one without a name */

/* For events that have no preset, and for several events at once. */
extern const struct preset preset_plain;

/* The default preset for the event of this name (NULL: several).  Never NULL. */
const struct preset *preset_of_event(const char *event);

/* Append the name of an event and the options that show it: "sched (--states, --tenancy)". */
void presets_of_event(const struct recorded_event *event, struct str *out);

#endif
