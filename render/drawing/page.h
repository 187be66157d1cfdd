/* page: the scripts and the style that a picture contains for the browser, which are files of
 * render/browser/.
 *
 * A chart builds on common_page, which has the parts that all charts share (tip, menus, toolbar, help, history,
 * saving), or on another chart that it contains. */
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
