/* collapse: everything that one run of pyrograph collapse needs, in the order in which it is created. */
#ifndef COLLAPSE_COLLAPSE_H
#define COLLAPSE_COLLAPSE_H

#include "collapse/fold/fold.h"
#include "collapse/fold/text_fold.h"
#include "collapse/input/input.h"
#include "collapse/options.h"
#include "collapse/perfdata/seen.h"
#include "collapse/sched/parallelism.h"
#include "collapse/views/reading.h"
#include "collapse/views/timeline.h"
#include "core/regexp.h"

struct collapse {
	struct options options;
	struct regexp **include, **exclude; /* end in NULL */
	struct frame_rules rules;
	struct input_stream input;
	struct reading reading;
	const struct preset *preset;    /* how a recording is shown */
	struct seen seen;               /* only for timed output */
	struct parallelism parallelism; /* only if an option needs it */
	struct timeline_lines timeline;

	struct text_setup text_setup; /* for text input */
	struct text_parsed text;
	struct str text_losses; /* as the header has them */
	struct intern texts;
	struct timed_samples times;

	struct fold fold;
	bool compared;     /* the text has negative values, so each line has two values: what is taken off, and what is
			    * added */
	bool nothing_left; /* after the filters */
};

#endif
