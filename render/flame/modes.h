/* modes: pictures with several layers (profile.h): which input becomes which layer, how widths follow from layers, and
 * which colours and texts the picture has.
 *
 *     plain       one value per stack
 *     diff        base and new; the widths are the larger of both (diff.h)
 *     animate     a layer for each window of time; the widths are their sum
 *     metrics     a layer for each event; one gives the widths (metrics.h)
 *     multiples   a layer for each file, and a panel for each layer (multiples.h) */
#ifndef RENDER_MODES_H
#define RENDER_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "render/flame/diff.h"
#include "render/flame/flame.h"
#include "render/flame/metrics.h"
#include "render/profile/profile.h"

struct flame;
struct flame_options;

enum mode_kind { MODE_PLAIN, MODE_DIFF, MODE_ANIMATE, MODE_METRICS, MODE_MULTIPLES };

enum { WINDOWS_MAX = 1000, PANELS_MAX = 100, EVENTS_MAX = 100, DIFF_OPTIONS = 7 };

struct mode {
	enum mode_kind kind;

	/* The user's choices. */
	const char **files; /* multiples: [file_count]; diff: BASE, then the rest */
	size_t file_count;
	bool by_self, negate, elided;
	enum normalize {
		NORMALIZE_DEFAULT, /* by total between files, none between columns */
		NORMALIZE_TOTAL,
		NORMALIZE_DURATION,
		NORMALIZE_NONE
	} normalize;
	double threshold; /* share of the whole */
	double chance_z;  /* diff.h; for values that are counts */
	const struct diff_colours *delta_colours;
	const char *idle[DIFF_OPTIONS]; /* [idle_count]: given options that make sense only with two profiles */
	size_t idle_count;
	const char *step; /* as text ... */
	uint64_t step_ns;
	const char *width_by, *color_by;

	/* Set by mode_read(). */
	struct folded_source *sources; /* [source_count]: one for each layer that is a file */
	uint64_t *source_filtered;     /* [source_count]: lines that filters removed */
	size_t source_count;

	/* Set by mode_combine(). */
	struct profile_scale *scales; /* [layer_count]; NULL: values are not scaled */
	uint64_t base_total;          /* elided: the total of the base */
	size_t above, below;          /* metrics: layers of color_by; below == SIZE_MAX: none */
};

/* Choose the mode by the options and the operands files[0..count); exits 2 on wrong usage.
 * *m points into o and files. */
void mode_choose(struct mode *m, const struct flame_options *o, char **files, int count);

/* Read the files; with two values on a line, plain becomes diff.  Returns 0, or
 * -1 after a message. */
int mode_read(struct mode *m, struct profile *p, struct profile_filter *filter);

/* Does one of several files, unlike the others, have nothing to compare?  Then *why is set to the message.  A file
 * emptied by filters is not an error, but gets a warning. */
bool mode_empty_side(const struct mode *m, const struct profile *p, struct str *why);

/* Compute the widths.  Returns 0, or -1 after a message (a missing event, or an unknown
 * duration). */
int mode_combine(struct mode *m, struct profile *p);

/* The step of --animate is too small: exits 2, with a message that suggests another one. */
_Noreturn void mode_too_many_windows(const struct mode *m, const struct profile *p);

/* The heading, if the user gave none; NULL: as in a plain picture. */
const char *mode_title(const struct mode *m, bool inverted);

void mode_free(struct mode *m);

/* ---- one picture -------------------------------------------------------------- */

/* The colours and texts of f's layers; made from a struct flame whose tree is built. */
struct dress {
	uint64_t **totals; /* [layer_count][frame]; NULL for an animation */
	uint64_t *whole;   /* [layer_count]: of the picture's root */
	size_t layer_count;
	uint64_t *rest; /* multiples: see modes_dress.c */
	struct layered layered;
	struct diff *diffs; /* [1], or for multiples [layer_count] */
	struct metrics metrics;
};

/* Set f->colouring, f->layered and so on for f->mode.  dress must live as
 * long as f is used. */
void dress_make(struct dress *dress, struct flame *f);

void dress_free(struct dress *dress);

#endif
