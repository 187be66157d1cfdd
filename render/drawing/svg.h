/* svg: a canvas that becomes the text of an SVG file.
 *
 * Plain elements with presentation attributes, so that viewers without scripts
 * and style sheets show the whole picture. */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

#include "core/intern.h"
#include "core/str.h"
#include "render/drawing/canvas.h"
#include "render/drawing/page.h"

struct svg {
	struct canvas canvas; /* must be first: each of our struct canvas * is a struct svg * */
	struct str out;       /* the file so far; the chart may add to it */
	struct intern ids;    /* the user's ids in use; each may occur only once */
	bool has_hatching;    /* the pattern for hatching is defined */
	size_t style_at;      /* where svg_end_drawing() adds the dark theme */
	struct svg_pair {
		uint32_t rgb, dark_rgb;
	} * pairs; /* colours that are others in the dark */
	size_t pair_count, pair_cap;
	bool has_images; /* ... and images, each followed by that of class dark */
};

/* Begin the file: everything before the metadata. */
void svg_open(struct svg *s, int32_t w_cpx, int32_t h_cpx, const struct font *font, const struct theme *theme);

/* Add the style sheet of page (unless page is NULL), and the background. */
void svg_begin_drawing(struct svg *s, const struct page *page, const struct background *background);

/* The chart is drawn: add the colours that it has in browsers that prefer dark, which other viewers ignore. */
void svg_end_drawing(struct svg *s);

/* Add the scripts of page; nothing if page is NULL.  With url, adds only a reference to a page_script_file(), which
 * includes the style; browsers that cannot load it say so after a while, and other viewers show the picture alone.
 * siblings_url: a list of the run's other charts that the script reads (web/run_links.h), or NULL. */
void svg_script(struct svg *s, const struct page *page, const char *url, const char *siblings_url);

/* End the file. */
void svg_close(struct svg *s);

/* Append a length as pixels: 1250 as "12.5". */
void px_add(struct str *out, int32_t cpx);

/* Append "#rrggbb". */
void rgb_add(struct str *out, uint32_t rgb);

#endif
