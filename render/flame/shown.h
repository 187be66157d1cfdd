/* shown: the tree without idle stacks, which a picture shows at first.  The file has the whole tree, so that the script
 * can show that, too. */
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
	bool waits; /* the idle stacks are of threads that sleep or wait for work, rather than of CPUs */
};

/* Leave p's idle stacks out of whole, which has frame_of.  If none or all stacks are idle, s is {0}. */
void shown_make(struct shown *s, const struct tree *whole, const struct profile *p);

#define SHOWN_WORK "waits for work" /* what collapse leaves out */

/* Append "waits for work: 1.9 s, 95.00% of all". */
void shown_words(struct str *out, const char *what, uint64_t left_out, uint64_t all, const struct unit *unit);

/* Append the script's setting: ,"idle":{"what":"idle CPUs","value":1900,"note":"Idle hidden: ...",
 * "self":[[frame,value],...]}. */
void shown_settings(const struct shown *s, const struct tree *whole, const char *note, struct str *out);

void shown_free(struct shown *s);

#endif
