/* index: the page over a directory of pictures. */
#ifndef WEB_INDEX_H
#define WEB_INDEX_H

#include "core/str.h"
#include "web/data.h"

/* Append the page: HTML 5 that is also well-formed XML.  Its style and its script are files of their own, in
 * PICTURES_OWN; it contains the runs as JSON, since a page that is opened as a file cannot load them, and as a
 * table for browsers without scripts. */
void index_write(struct str *page, const struct runs *runs);

#endif
