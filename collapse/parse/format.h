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

/* How sure a format is, from the beginning of an input, that the input has this format.  If it is
 * SNIFF_SURE, users need no --format. */
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
	TEXT_HAS_UNITS = 1 << 7,     /* --unit and --unitstime give the units of its numbers */
	TEXT_STAYS_TIMED = 1 << 8,   /* its samples are written with their times, if they have them,
				      even without --timed */
	TEXT_HAS_STATES = 1 << 10,   /* of threads */
	TEXT_IS_BINARY = 1 << 11,    /* it has no lines */
	TEXT_IS_FOLDED = 1 << 9,     /* its comments, including the header, are those of folded text */
	TEXT_HAS_PERIODS = 1 << 12,  /* --weight chooses between samples and their periods */
	TEXT_COMMS_JOINED = 1 << 13, /* blanks in names of threads become '_', as is usual for the format */
	TEXT_NEVER = 1 << 14,        /* no text format has it */
	TEXT_HAS_ROOTS = 1 << 15,    /* its samples have the frames of --root, by root; and it has a header */
	TEXT_IN_ORDER = 1 << 16,     /* later parts need what earlier ones defined: one thread parses all */
	TEXT_HAS_FILES = 1 << 17,    /* of functions, apart from their names: text_frame_at() */
	TEXT_HAS_LINES = 1 << 18,    /* of frames: --srcline shows them */
	TEXT_HAS_SPANS = 1 << 19,    /* samples in ns begin at their time and last for their value */
	TEXT_HAS_LIBRARIES =
		1 << 21,        /* the files are programs and libraries, which all functions have: shown only if asked
				 * for */
	TEXT_IS_JSON = 1 << 20, /* it is one object or array of JSON; text after that is not read */
};

struct input_format {
	const char *name;
	const char *holds;    /* "stacks and values", for messages */
	const char *wanted;   /* how a record looks, for messages: "'time value'" */
	unsigned has;         /* TEXT_HAS_ ... */
	const char *events;   /* without --event, the first of these that occurs: "a,b"; else the first that occurs */
	const char *nameless; /* what to do if most frames have no names but addresses; NULL: that is not looked at */
	const char *states;   /* without --state, only threads in these: "runnable"; NULL: all */
	/* text is the first 64 kB or more of the input, or all of it. */
	enum sniffed (*sniff)(const char *text, size_t len);
	/* Adjust setup to the beginning of the input.  Before, it has one value per line, and is
	 * timed if the format has times.  NULL: there is nothing to adjust. */
	void (*begin)(const char *text, size_t len, struct text_setup *setup);
	/* How many bytes of text are whole records?  0: not even one.  NULL: the input cannot be
	 * divided. */
	size_t (*split)(const char *text, size_t len);
	/* In place of split(): does a record begin, or end, with such a line?  More text may follow the line. */
	bool (*starts)(struct text_span line);
	bool (*ends)(struct text_span line);
	/* Add all of the part to part->out; several threads call it, each with a struct text_stacks
	 * of its own.  NULL: the format is that of a recording, not text. */
	void (*parse)(const struct text_part *part);
	/* When all parts are parsed, before lines are made of them: finish the stacks of all shards[0..count), which
	 * share a setup.  NULL: there is nothing to finish. */
	void (*complete)(struct text_stacks *shards, size_t count);
};

enum { TEXT_JOBS_MAX = 64 }; /* threads */

/* A split() for formats whose records are lines. */
size_t text_split_lines(const char *text, size_t len);

#endif
