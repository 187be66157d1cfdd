/* run: one run of pyrograph collapse, from a recording to lines. */
#ifndef COLLAPSE_RUN_H
#define COLLAPSE_RUN_H

#include "collapse/choice.h"
#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/fold/names.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/options.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/perfdata/seen.h"
#include "collapse/perfdata/sideband.h"
#include "core/regexp.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/live.h"
#include "core/symbols/space/places.h"

/* Everything that one run needs, in the order in which it comes to be. */
struct collapse {
	struct options options;
	struct regexp **include, **exclude;
	struct perfdata data;
	struct recorded_symbols recorded;
	struct live live;
	struct str elsewhere;        /* why this machine has no names for it; empty: it has */
	struct jit_files jit;        /* dumps of JIT-compiled code, when the recording has no names */
	places_source *source;       /* of names: the recording, or this machine */
	void *source_argument;
	struct sideband sideband;
	struct clock clock;
	struct seen seen;            /* only of timed output */
	struct choice choice;
	struct user_stacks user_stacks;
	struct gather gather;
	struct names names;
	struct fold fold;
};

/* Do what the options say, of a recording.  Returns 0, or -1 after a message. */
int collapse_run(struct collapse *c);

void collapse_free(struct collapse *c);

#endif
