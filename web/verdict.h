/* verdict: rules of the user that colour runs: "offcpu.max>100ms:red", "lost>1%:grey".
 *
 *     [CHART.]FIELD > VALUE : COLOUR       also >=, <, <=
 *
 * CHART is the kind or the event of the pictures that are looked at, else all of them.  Each rule has a mark of its
 * own, so that runs under several rules show each, in whatever colour. */
#ifndef WEB_VERDICT_H
#define WEB_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/captures.h"
#include "web/figures.h"

enum { VERDICTS_MAX = 8 }; /* as many as there are marks */

enum verdict_field {
	VERDICT_LOST,       /* compare the share of the samples, with %; else a count */
	VERDICT_UNRESOLVED, /* the same of frames without a name */
	VERDICT_MAX,        /* the longest wait, a time */
	VERDICT_LENGTH,     /* of the recording, a time */
	VERDICT_SAMPLES,    /* a count */
	VERDICT_CPUS,       /* in use */
	VERDICT_FIELDS
};

struct verdict {
	const char *text;   /* as given, without the colour; text_len bytes */
	const char *colour; /* "red", ... */
	const char *chart;  /* chart_len bytes, 0 for all */
	size_t text_len, chart_len;
	enum verdict_field field;
	enum { VERDICT_ABOVE, VERDICT_NOT_BELOW, VERDICT_BELOW, VERDICT_NOT_ABOVE } compare;
	bool share;     /* the value is a percentage */
	uint64_t value; /* millionths, ns, a count, thousandths of a CPU */
};

struct verdicts {
	struct verdict rules[VERDICTS_MAX];
	size_t count;
};

/* Add a rule, which points into text.  Returns NULL, or what is wrong with it. */
const char *verdicts_try(struct verdicts *v, const char *text);

/* The mark of rule i: one character. */
const char *verdict_mark(size_t i);

/* A bit for each rule that applies to the run. */
unsigned verdicts_judge(const struct verdicts *v, const struct web_capture *c, const struct figures *f);

#endif
