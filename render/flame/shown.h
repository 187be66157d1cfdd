/* shown: the tree without idle stacks, which a picture shows at first; nor has it those of the profiler itself
 * (measuring.h), if they are more than a quarter of what is left.  The file has the whole tree, so that the script can
 * show that, too. */
#ifndef RENDER_SHOWN_H
#define RENDER_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"
#include "render/profile/number.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"

struct shown { /* {0}: everything */
	struct tree tree;
	uint64_t *idle; /* [frame of the whole tree] the part of its own value that is left out; NULL: nothing is */
	uint64_t left_out;
	uint64_t measured; /* the part of left_out that is the profiler's */
	bool waits;        /* the idle stacks are of threads that sleep or wait for work, rather than of CPUs */
};

/* Leave out p's idle stacks, if whole has frame_of, and those of the profiler.  If that is nothing, or everything, s is
 * {0}. */
void shown_make(struct shown *s, const struct tree *whole, const struct profile *p);

/* Append what is left out of all: "Idle hidden: 1,900 samples of idle CPUs, 95.00% of all", "Profiler hidden: ...". */
void shown_add_note(const struct shown *s, uint64_t all, const struct unit *unit, struct str *out);

#define SHOWN_WORK "waits for work" /* what collapse leaves out */

/* Append "waits for work: 1.9 s, 95.00% of all". */
void shown_words(struct str *out, const char *what, uint64_t left_out, uint64_t all, const struct unit *unit);

/* Append the script's setting: ,"idle":{"word":"Idle","what":"idle CPUs","value":1900,"note":"Idle hidden: ...",
 * "self":[[frame,value],...]}. */
void shown_settings(const struct shown *s, const struct tree *whole, const char *note, struct str *out);

void shown_free(struct shown *s);

#endif
