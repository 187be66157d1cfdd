/* look: the appearance and order of a flame graph's frames, except sizes and fonts:
 * the options for colours, order and theme, and the files that they name. */
#ifndef RENDER_LOOK_H
#define RENDER_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/colours/palette.h"
#include "render/colours/palette_map.h"
#include "render/colours/rules.h"
#include "render/drawing/attributes.h"
#include "render/drawing/canvas.h"
#include "render/drawing/font.h"
#include "render/drawing/legend.h"
#include "render/profile/tree.h"

struct flame_options;

enum label_cut { LABEL_CUT_MIDDLE, LABEL_CUT_RIGHT, LABEL_CUT_LEFT };
enum look_theme { THEME_AUTO, THEME_LIGHT, THEME_DARK };

/* A colour given by the user, if any; else the script or the theme chooses. */
struct own_colour {
	bool set;
	uint32_t rgb;
};

struct look {
	enum look_theme theme; /* auto: as preferred in the browser; else light */
	enum tree_order order;
	bool chart;                           /* in order of time, only neighbours are merged */
	bool reversed;                        /* merged from the leaves */
	bool by_width;                        /* --colordiffusion: colours show widths */
	enum label_cut cut;                   /* of labels that do not fit */
	struct own_colour ui, search, stroke; /* of texts, of search matches, of outlines */

	struct theme colours; /* of theme, with ui */
	struct palette palette;
	struct colour_rules rules;
	struct palette_map map;
	const char *map_path; /* NULL: colours are not kept */
	struct attributes attributes;
};

/* Check the options; exits 2 on wrong usage.  Reads nothing. */
void look_make(struct look *l, const struct flame_options *o);

/* Read the files that o names; exits 2 on an error in them.  l must not be moved afterwards, since its palette
 * points into it.  Returns 0, or -1 after a message if a file could not be read. */
int look_read(struct look *l, const struct flame_options *o);

/* Add the meaning of the colours of frame root and of those below it: the labels of
 * the rules that match, and of the palette's kinds of code. */
void look_legend(const struct look *l, struct legend *legend, const struct profile *p, const struct tree *t,
		 uint32_t root);

/* Keep the colours of all frames' names in the palette map's file, if there is one.
 * Returns 0, or -1 after a message. */
int look_keep_colours(struct look *l, const struct profile *p, const struct tree *t);

/* Append the script's settings that differ from the defaults (theme auto, order name, truncate
 * right, no colour given): ,"theme":"dark",...; number maps the names (encode.h). */
void look_add_settings(struct str *out, const struct look *l, const struct profile *p, const uint32_t *number);

void look_free(struct look *l);

/* How a box shows the name of its frame when it is too narrow for all of it.
 *
 *     com.example.catalogue.Shop.rebuildIndex      all of it
 *     Shop.rebuildIndex                            without the package, namespace or path, which many names share
 *     rebuildIndex                                 ... and without the class
 *     reb..dex                                     both ends
 *
 *     py::save_orders:/srv/desk.py                 CPython's and V8's names of functions in scripts
 *     JS:*handle /srv/app.js:7:16
 *     handle                                       the function, not the file
 *
 * layout.js does the same. */

/* The most telling part of a name, *len bytes from the returned place on: the name without its package, its path, or
 * its namespaces except the last one; for a function of a script, only the function. */
size_t label_core(const char *name, size_t *len);

/* Append as much of name as fits into room_cpx; nothing if that is less than min_chars characters.  A name that is cut
 * at one end keeps its prefix. */
void label_fit(struct str *out, const struct font *f, const char *name, size_t len, int64_t room_cpx,
	       unsigned min_chars, enum label_cut cut);

#endif
