/* frame_rules: changes that options make to stacks: --hide, --focus, --recursive, --merge-annotations.  Root frames are
 * not changed.
 *
 *     main;a;helper;b;b;c     --hide helper: main;a;b;b;c     --recursive: main;a;helper;b;c     --focus b: b;b;c */
#ifndef COLLAPSE_FRAMES_FRAME_RULES_H
#define COLLAPSE_FRAMES_FRAME_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"

struct frame_files;
struct regexp;

enum recursion {
	RECURSION_KEEP,
	RECURSION_DIRECT,   /* a;b;b;b becomes a;b */
	RECURSION_INDIRECT, /* and a;b;c;b;c becomes a;b;c, whatever the length of what is repeated */
};

/* The rules, and what is known of texts so far; frame_rules_free() frees the latter. */
struct frame_rules {
	struct regexp *focus; /* stacks begin at the first frame that matches; NULL: stacks stay whole */
	struct regexp **hide; /* ends in NULL; frames that match are left out */
	enum recursion recursion;
	bool merge_annotations;        /* frames that differ only in annotations are one */
	struct intern *texts;          /* of the frames; texts are added */
	struct frame_files *functions; /* the frames are numbers of functions; NULL: of texts */

	struct frame_rule {
		uint32_t text; /* after --merge-annotations */
		bool known, hidden, in_focus;
	} * of_text; /* [rule_count], by text */
	size_t rule_count, rule_cap;
};

/* Apply the rules to a line: texts[0..*count) becomes the line that takes its place.  Returns false if --focus leaves the line
 * out; then it is as it was. */
bool frame_rules_apply(struct frame_rules *r, uint32_t *texts, uint32_t *count);

void frame_rules_free(struct frame_rules *r);

#endif
