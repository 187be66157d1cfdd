/* rules: the user's own colours, from a file.  Fields are separated by tabs:
 *
 *     # what                 colour     text in the legend
 *     _\[k\]$                orange     kernel
 *     module:libssl.so.3     #d0a0ff    TLS
 *     ^(malloc|free)$        red
 *
 * "What" is a regular expression, searched for in the name with its annotation, or
 * a module (see module_of()), compared as text.  The colour is #rrggbb, or the name of a
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

/* Read path.  Exits 2 on an error in it, naming the line.  Returns 0, or -1 after a message if the file could not be
 * read. */
int rules_read(struct colour_rules *r, const char *path);

/* The first rule that matches, or NULL. */
const struct rule *rules_find(const struct colour_rules *r, const char *name, size_t len);

/* The colour that the rules give name; v (0..1) distinguishes names of one hue.  Returns false if no rule
 * matches. */
bool rules_colour(const struct colour_rules *r, const char *name, size_t len, double v, uint32_t *rgb);

/* The colour of the rule in a legend: the middle of its hue. */
uint32_t rule_swatch(const struct rule *rule);

void rules_free(struct colour_rules *r);

/* The part of a program that a frame's name belongs to.
 *
 *     libc.so.6`malloc               libc.so.6      1  what is before the first `
 *     [libc.so.6]                    libc.so.6      2  a whole name in brackets
 *     vfs_write_[k]                  kernel         3  annotated as kernel code
 *     liblzma.so.5.4.1+0x8a40        liblzma.so.5.4.1  4  a place in a file, of a function without a name
 *     com/example/App::run_[j]       com/example    5  a path: up to the last '/',
 *     com.example.App.run            com.example       then the parts before a '.' that
 *     github.com/x/y.(*T).Do         github.com/x/y    begin in lower case: all, if an
 *     runtime.mallocgc.func1         runtime           upper-case part follows, else one
 *     <std::io::Stdin as Read>::x    std            6  a name before the first ::
 *     java_start                     native         7  everything else
 *
 * An annotation (frame.h) is removed first.  5 ignores everything from the first
 * of "::", '(', '<', ' ' or ':' on, takes off an 'L' before "java/" and the like
 * ("Lcom/example/App"), and ignores parts that compilers append (.part.0, .isra.0,
 * .constprop.0, .cold, .lto_priv.0, .llvm.1).  6 takes off a '<' or '&'
 * at the beginning; the name is letters, digits, '_' and '$'. */

/* The module of name; *module points into name or to static text and has no NUL
 * at its end.  Returns its length, never 0. */
size_t module_of(const char *name, size_t len, const char **module);

#endif
