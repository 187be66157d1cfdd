/* rules: the user's own colours, from a file.  Fields are separated by tabs:
 *
 *     # what                 colour     what the legend calls it
 *     _\[k\]$                orange     kernel
 *     module:libssl.so.3     #d0a0ff    TLS
 *     ^(malloc|free)$        red
 *
 * "What" is a regular expression, searched for in the name with its annotation, or
 * a module (module.h), compared as text.  The colour is #rrggbb, or the name of a
 * hue (hue.h), in which names still differ.  The first rule that matches decides.
 * Empty lines and those that begin with '#' are comments. */
#ifndef RENDER_RULES_H
#define RENDER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/regexp.h"
#include "render/colours/hue.h"

struct colour_rules { /* {0} has no rules */
	struct rule {
		struct regexp *pattern;
		char *module; /* if it has no pattern */
		hue_fn *hue;  /* NULL: rgb */
		uint32_t rgb;
		char *label; /* NULL: not in the legend */
	} * items;
	size_t count, cap;
};

/* Read path.  Exits 2 on an error in it, naming the line.  Returns 0, or -1 after
 * a message if it could not be read. */
int rules_read(struct colour_rules *r, const char *path);

/* The first rule that matches, or NULL. */
const struct rule *rules_find(const struct colour_rules *r, const char *name, size_t len);

/* The colour that the rules give name; v (0..1) distinguishes names of one hue.  Returns false if no rule
 * matches. */
bool rules_colour(const struct colour_rules *r, const char *name, size_t len, double v, uint32_t *rgb);

/* The colour of the rule in a legend: the middle of its hue. */
uint32_t rule_swatch(const struct rule *rule);

void rules_free(struct colour_rules *r);

#endif
