/* page: what a picture brings along for the browser: scripts and a style, which are files of
 * render/browser/.
 *
 * A chart builds on common_page, which has what all charts share (tip, menus, toolbar, help, history,
 * saving), or on another chart that stands in it. */
#ifndef RENDER_DRAWING_PAGE_H
#define RENDER_DRAWING_PAGE_H

#include "core/str.h"

struct page {
	const struct page *base;    /* its scripts and its style come first; NULL: none */
	const char *const *scripts; /* "flame/merge.js", in the order in which they run; then NULL */
	const char *style;          /* "flame/flame.css", or NULL */
};

extern const struct page common_page;

/* Append all scripts, or all styles. */
void page_scripts(const struct page *page, struct str *out);
void page_styles(const struct page *page, struct str *out);

#endif
