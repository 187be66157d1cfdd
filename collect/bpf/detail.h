/* detail: --events[=MIN]: which spans of time are recorded one by one. */
#ifndef COLLECT_BPF_DETAIL_H
#define COLLECT_BPF_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/detail.h"
#include "collect/recording/event.h"

struct detail {
	bool singly;
	uint64_t min_ns; /* shorter spans are summed all the same; 0: none are */
};

/* value: that of --events (NULL: not given; "": without MIN).  command: NULL, or the COMMAND, which may have been meant
 * as MIN.  Wrong usage exits 2. */
struct detail detail_parse(const char *value, char **command);

/* Note it in the event (core/format/recording.h). */
void detail_note(const struct detail *d, struct event *e);

/* Say on stderr how many spans of source exceeded the budget. */
void detail_say(const struct detail *d, const char *source, uint64_t over_budget);

#endif
