/* options: the command line of pyrograph collapse. */
#ifndef COLLAPSE_OPTIONS_H
#define COLLAPSE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/formats.h"
#include "collapse/frames/columns.h"
#include "collapse/frames/names.h"
#include "collapse/frames/text_files.h"
#include "collapse/output/output_formats.h"
#include "collapse/presets.h"
#include "collapse/roots/roots.h"
#include "core/opts.h"
#include "core/str.h"

enum { COLLAPSE_NOTHING_LEFT = 4 }; /* exit status, with of_several */

struct options {
	const struct input_format *format; /* of the input; NULL: detect it */
	const struct output_format *output_format;
	const char *recording; /* the input, if there is one only */
	int operands;          /* inputs that were named */
	char **inputs;         /* [input_count], more than one: all inputs, and ... */
	size_t input_count;
	char **arguments; /* [argument_count]: ... the command line that names them */
	size_t argument_count;
	const char *owners[OWNER_CHOICES]; /* --container and the like; NULL: all */
	const char *unit, *unitstime;    /* for text formats; NULL: not given */
	const char *output, *event, *root, *leaf, *from, *to, *weight, *columns, *state, *threads, *waits, *owner_stack,
		*parallelism, *between;
	int64_t jobs;                                           /* threads that parse text; 0: not given */
	uint64_t min_ns, max_ns;                                /* 0: no limit */
	const char *host, *service, *user, *password_file, *ca; /* of a store (store_input.h) */
	uint64_t resolution_ns;                                 /* the granularity of times out of a store; 0: times as
								 * they are */
	const char *filter; /* filters that a store has already applied, in the form of options_filter(); NULL: none */
	struct text_list include, exclude, hide, names, skip_after;
	const char *focus;
	const char *recursive; /* NULL: keep recursion; "": merge direct recursion; "indirect": merge all recursion */
	bool merge_annotations;
	bool stats;       /* tell amounts and time on stderr */
	bool roots_asked; /* chosen by an option, not only by the output format */
	bool pool;        /* show the threads of a pool as one */
	bool diff;        /* compare the two inputs */
	const char *normalize;
	const char *between_after; /* if one input is compared with itself: --between of the second side */
	bool lengths;              /* a report on windows instead of lines */
	bool strip_hex;            /* of addresses in names of a comparison */
	/* Receives the text that would be written, instead of a file; NULL: write the file. */
	void (*take)(void *argument, const struct product *p);
	void *take_argument;
	bool timed, heat, no_stack, no_wakers, all, pid, tid, scan_only, strict, if_any;
	bool quality;        /* a report instead of lines */
	const char *explain; /* write what happened instead of lines: "" as text, "headline", "json", "markdown"; NULL:
			   * lines */
	bool correlate;      /* ... and what other threads did during each outlier */
	bool of_several;     /* set in a process for one of several inputs (run.c): if nothing is left, exit with
			   * COLLAPSE_NOTHING_LEFT */
	bool inlined_from_files; /* --inline was given, so it also applies where the input itself has no inlined
				  * functions */
	bool sampled;            /* ignore events whose samples are spans of time */
	bool presets[PRESETS_MAX];
	bool files_asked;
	const struct preset *preset; /* the requested one, or NULL */
	struct name_style style;
};

/* Checks only the syntax: options_check() (option_checks.h) comes next. */
void options_parse(struct options *o, int argc, char **argv);

/* Options that select owners, as they are given. */
/* Choose by --container and the like.  Returns the name of the first such option; NULL: none was given. */
const char *options_choose_owners(const struct options *o, struct owned *owned);

extern const char *const owner_options[OWNER_CHOICES];

/* The power of ten that converts --unitstime to ns. */
int options_time_power(const struct options *o);

/* How many values each line of folded text has according to --columns 2; 0: not given, or --columns gives names. */
size_t options_column_count(const struct options *o);

/* The roots, columns and states that p and the options select.  event is the samples' event; NULL: several. */
void options_roots(const struct options *o, const struct preset *p, struct roots *roots);
void options_columns(const struct options *o, const struct preset *p, const struct recorded_event *event,
		     struct columns *columns);
uint32_t options_states(const struct options *o, const struct preset *p);

/* The kinds of wait to keep of an event (NULL: several), as bits 1 << enum wait_kind.  Without --waits: of blocked
 * time, all kinds but waits for work.  0: the event is not blocked time. */
uint32_t options_waits(const struct options *o, const struct recorded_event *event);

/* Append the options that select samples, as they were given: " --from 10:15". */
void options_filter(const struct options *o, struct str *out);

#endif
