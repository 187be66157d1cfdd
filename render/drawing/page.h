/* page: the scripts and the style that a picture contains for the browser, which are files of
 * render/browser/.
 *
 * A chart builds on common_page, which has the parts that all charts share (tip, menus, toolbar, help, history,
 * saving), or on another chart that it contains. */
#ifndef RENDER_DRAWING_PAGE_H
#define RENDER_DRAWING_PAGE_H

#include "core/asset.h"
#include "core/str.h"

/* A script that begins with "core/" is the table of what belongs to languages and systems
 * (core/symbols/names/runtimes.h). */
struct page {
	const struct page *base;    /* the page whose scripts and style come first; NULL: none */
	const char *const *scripts; /* "flame/merge.js", in the order in which they run; then NULL */
	const char *style;          /* "flame/flame.css", or NULL */
};

extern const struct page common_page;

/* How a file that page_script_file() made begins. */
#define PAGE_SCRIPT_HEAD "/* pyrograph render: the script of the "

/* Append all scripts, or all styles. */
void page_scripts(const struct page *page, struct str *out);
void page_styles(const struct page *page, struct str *out);

/* Append a file of its own for the charts that refer to it: scripts and style.  Everything is within one function,
 * whose source a browser can read, so that it can save a chart with its script even if no policy lets it load
 * anything. */
void page_script_file(const struct page *page, struct str *out);

/* ---- The files of render/browser/, which are built into the program ---- */

/* The file render/browser/NAME, such as "common/tip.js".  It must exist. */
struct asset browser_file(const char *name);

#endif
