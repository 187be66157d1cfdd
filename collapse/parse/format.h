/* format: defines an input format.
 *
 * To add a text format: write a file here that defines its struct input_format, and add a row in
 * collapse/formats.h.  A format only finds stacks and their values; reading, threads, options, --from
 * and --to, filters, the header and the output are done elsewhere.  See collapse/fold/text_stacks.h
 * for the functions that it calls, and folded.c for an example. */
#ifndef COLLAPSE_PARSE_FORMAT_H
#define COLLAPSE_PARSE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/frames/span.h"

/* How sure a format is that the input has this format, judging by its beginning.  With SNIFF_SURE, users need no
 * --format. */
enum sniffed { SNIFF_NO, SNIFF_MAYBE, SNIFF_SURE };

/* Properties of a format's samples; they decide which options make sense. */
enum {
	TEXT_HAS_TIMES = 1 << 0,
	TEXT_HAS_STACKS = 1 << 1,
	TEXT_HAS_COMMS = 1 << 2,
	TEXT_HAS_PIDS = 1 << 3,
	TEXT_HAS_TIDS = 1 << 4,
	TEXT_HAS_CPUS = 1 << 5,
	TEXT_HAS_EVENTS = 1 << 6,
	TEXT_HAS_UNITS = 1 << 7,     /* --unit and --unitstime give the units of the input's numbers */
	TEXT_STAYS_TIMED = 1 << 8,   /* its samples are written with their times, if they have them,
				      even without --timed */
	TEXT_HAS_STATES = 1 << 10,   /* of threads */
	TEXT_IS_BINARY = 1 << 11,    /* it has no lines */
	TEXT_IS_FOLDED = 1 << 9,     /* its comments, including the header, are those of folded text */
	TEXT_HAS_PERIODS = 1 << 12,  /* --weight chooses between samples and their periods */
	TEXT_COMMS_JOINED = 1 << 13, /* blanks in names of threads become '_', as is usual for the format */
	TEXT_NEVER = 1 << 14,        /* no text format has it */
	TEXT_HAS_ROOTS = 1 << 15,    /* samples carry the frames for --root, root by root, and the input has a header */
	TEXT_IN_ORDER = 1 << 16,     /* later parts need definitions of earlier ones, so one thread parses all parts */
	TEXT_HAS_FILES = 1 << 17,    /* of functions, apart from their names: text_frame_at() */
	TEXT_HAS_LINES = 1 << 18,    /* of frames: --srcline shows them */
	TEXT_HAS_SPANS = 1 << 19,    /* samples in ns begin at their time and last as long as their value */
	TEXT_HAS_LIBRARIES =
		1 << 21, /* the files are programs and libraries, and all functions have one, so they are shown
				 * only on request */
	TEXT_HAS_OWNERS = 1 << 22, /* containers, pods and control groups */
	TEXT_IS_JSON = 1 << 20,    /* the input is one object or array of JSON; text after it is not read */
};

struct input_format {
	const char *name;
	const char *holds;    /* "stacks and values", for messages */
	const char *wanted;   /* how a record looks, for messages: "'time value'" */
	unsigned has;         /* TEXT_HAS_ ... */
	const char *events;   /* the default for --event: the first of these that occurs, "a,b"; NULL: the first event
			       * that occurs */
	const char *nameless; /* what to do if most frames are addresses without names; NULL: this is not checked */
	const char *states;   /* the default for --state: only threads in these states, "runnable"; NULL: all threads */
	/* text is the first 64 kB or more of the input, or all of it. */
	enum sniffed (*sniff)(const char *text, size_t len);
	/* Adjust setup to the beginning of the input.  Before the call, setup has one value per line, and is timed if
	 * the format has times.  NULL: there is nothing to adjust. */
	void (*begin)(const char *text, size_t len, struct text_setup *setup);
	/* How many bytes of text are whole records?  0: not even one.  NULL: the input cannot be
	 * divided. */
	size_t (*split)(const char *text, size_t len);
	/* Instead of split(): does a record begin, or end, with such a line?  More text may follow the line in its
	 * span. */
	bool (*starts)(struct text_span line);
	bool (*ends)(struct text_span line);
	/* Add all samples of the part to part->out.  Several threads call this, each with its own struct text_stacks.
	 * NULL: the format is that of a recording, not text. */
	void (*parse)(const struct text_part *part);
	/* Finish the stacks of all shards[0..count), which share a setup.  Called when all parts are parsed, before
	 * lines are made of them.  NULL: there is nothing to finish. */
	void (*complete)(struct text_stacks *shards, size_t count);
};

enum { TEXT_JOBS_MAX = 64 }; /* threads */

/* A split() for formats whose records are lines. */
size_t text_split_lines(const char *text, size_t len);

#endif
