/* html: the one place where text and paths from outside become markup. */
#ifndef WEB_HTML_H
#define WEB_HTML_H

#include "core/str.h"

/* Append text, escaped for content and attributes, on one line whatever it contains. */
void html_add_text(struct str *page, const char *text);

/* Append a path below the page's directory as a relative URL.  All bytes except
 * the unreserved ones (RFC 3986) are encoded, so that no name is taken for a
 * scheme, a query or a fragment. */
void html_add_url(struct str *page, const char *path);

#endif
