/* index: the page over a directory of pictures. */
#ifndef WEB_INDEX_H
#define WEB_INDEX_H

#include "core/str.h"
#include "web/captures.h"

/* What this page holds near its beginning, and what every page of ours does, so
 * that one made by somebody else is not overwritten. */
#define INDEX_GENERATOR "<meta name=\"generator\" content=\"pyrograph web\""
#define PAGE_GENERATOR  "<meta name=\"generator\" content=\"pyrograph "

/* Append the page, HTML 5 that is well-formed XML too but for its script. */
void index_write(struct str *page, const struct captures *captures);

#endif
