/* quality_counts: counts, by process and by module, how good the stacks of a recording are, how they
 * end, and why frames have no name: for the report (quality_report.h). */
#ifndef COLLAPSE_OUTPUT_QUALITY_COUNTS_H
#define COLLAPSE_OUTPUT_QUALITY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/gather.h"
#include "collapse/frames/names.h"
#include "collapse/fold/quality.h"

/* Why frames have no name: enum why, and "unmapped" in stacks of spans, which are always walked by
 * frame pointers. */
enum { UNMAPPED_IN_SPAN = WHY_COUNT, REASONS };

struct quality_counts {
	const struct modules *modules;
	struct sideband *sideband;
	struct quality all;
	struct quality *by_root;   /* [roots] */
	struct quality *by_module; /* [modules + 1], the last one: frames without a module */
	uint64_t *ends;            /* [modules + 1][USER_ENDS] */
	uint64_t *reasons;         /* [modules + 1][REASONS] */
	uint32_t *names, *paths;   /* [modules]: how many modules in the tables have this name */
};

/* Count the stacks whose lines are kept.  Fills c; the arguments must outlive it. */
void quality_counts_make(struct quality_counts *c, const struct gather *g, const struct fold *fold,
			 const struct names *names);

/* The name of a module as one word, so that scripts can split columns; its path if another module has
 * the same name.  The caller frees it. */
char *quality_module_word(const struct quality_counts *c, size_t module);

void quality_counts_free(struct quality_counts *c);

#endif
