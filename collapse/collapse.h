/* collapse: everything that one run of pyrograph collapse needs, in the order of its creation. */
#ifndef COLLAPSE_COLLAPSE_H
#define COLLAPSE_COLLAPSE_H

#include "collapse/choice.h"
#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/frames/names.h"
#include "collapse/fold/text_fold.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/input/input.h"
#include "collapse/options.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/seen.h"
#include "collapse/perfdata/sideband.h"
#include "collapse/sched/parallelism.h"
#include "collapse/timeline_lines.h"
#include "core/regexp.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/live.h"
#include "core/symbols/space/places.h"

struct collapse {
	struct options options;
	struct regexp **include, **exclude; /* end in NULL */
	struct frame_rules rules;
	struct input_stream input;
	struct perfdata data;
	struct recorded_symbols recorded;
	struct live live;
	struct str elsewhere;  /* why names cannot be looked up on this machine; empty: they can */
	struct jit_files jit;  /* dumps of JIT-compiled code, if the recording has no names */
	places_source *source; /* where names come from: the recording, or this machine */
	void *source_argument;
	struct sideband sideband;
	struct clock clock; /* converts the recording's times to wall-clock time */
	struct seen seen;   /* only for timed output */
	struct choice choice;
	struct parallelism parallelism; /* only if an option needs it */
	struct windows windows;         /* {0}: none were recorded, or they do not limit what is read */
	struct user_stacks user_stacks;
	struct gather gather;
	struct timeline_lines timeline;
	struct names names;

	struct text_setup text_setup; /* for text input */
	struct text_parsed text;
	struct str text_losses; /* as the header has them */
	struct intern texts;
	struct timed_samples times;

	struct fold fold;
	bool compared;     /* text has negative values, so that lines have what is taken off and what is added */
	bool nothing_left; /* after the filters */
};

#endif
